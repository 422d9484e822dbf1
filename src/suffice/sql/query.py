"""The whole query: cells, log joints, and the posterior."""

from collections.abc import Sequence
from numbers import Real

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import NoSqlError, quoted
from suffice.families.assignment import Assigned
from suffice.model import Model
from suffice.sql.cells import Cells
from suffice.sql.dialects import Dialect, dialect_named
from suffice.sql.expressions import literal, total
from suffice.sql.log_densities import log_densities

_LEAST = "-700e0"  # PostgreSQL makes an error of an exponential that underflows


def to_sql(model: Model, dialect: str, table: "str | Sequence[str]", keep: Sequence[Name] = ()) -> str:
    """A query over ``table`` that gives the columns ``keep``, the most probable class, and for each class its log joint
    and its probability."""
    language = dialect_named(dialect)
    _check_apart(model.names)
    _check_adds(model)
    cells = Cells(language)
    prior = model.log_prior if model.blend is None else model.log_prior + model.blend.bias
    parts = [[language.literal(p)] for p in prior]
    for block, density in zip(model.blocks, model.densities, strict=True):
        scores = log_densities(density, block.columns, cells)
        if scores is None:
            raise _no_form(block)
        for terms, term in zip(parts, scores, strict=True):
            terms.append(term)
    each = range(len(model.classes))
    kept = [language.name(name) for name in keep]
    carried = [f"{name} AS suffice_k{i}" for i, name in enumerate(kept)]
    steps = [
        ("suffice_cells", [*carried, *(f"{what} AS {alias}" for alias, what in cells.named.items())] or ["1"], None),
        ("suffice_joint", ["*", *(f"{total(parts[c])} AS suffice_j{c}" for c in each)], "suffice_cells"),
        ("suffice_most", ["*", f"GREATEST({_all('suffice_j', each)}) AS suffice_m"], "suffice_joint"),
        ("suffice_odds", ["*", *(f"{_odds(model, c, language)} AS suffice_e{c}" for c in each)], "suffice_most"),
        ("suffice_sum", ["*", f"{total([f'suffice_e{c}' for c in each])} AS suffice_s"], "suffice_odds"),
    ]
    out = [f"suffice_k{i} AS {name}" for i, name in enumerate(kept)]
    out.append(f"{_predicted(model.classes, language)} AS {language.name('predicted')}")
    out += [f"suffice_j{c} AS {language.name(f'log_joint({label})')}" for c, label in enumerate(model.classes)]
    out += [f"suffice_e{c} / suffice_s AS {language.name(f'p({label})')}" for c, label in enumerate(model.classes)]
    source = language.table(table)
    written = ",\n".join(
        f"{name} AS (SELECT {', '.join(what)} FROM {fro or source}{language.fence})" for name, what, fro in steps
    )
    return f"WITH {written}\nSELECT {', '.join(out)} FROM suffice_sum"


def _all(prefix: str, each: range) -> str:
    return ", ".join(f"{prefix}{c}" for c in each)


def _odds(model: Model, klass: int, language: Dialect) -> str:
    """exp(log joint − the largest); the prior where no class could have made the row."""
    impossible = language.literal(-np.inf)
    prior = literal(float(np.exp(model.log_prior[klass])))
    difference = f"suffice_j{klass} - suffice_m"
    odds = f"CASE WHEN {difference} < {_LEAST} THEN 0e0 ELSE exp({difference}) END"
    return f"CASE WHEN suffice_m = {impossible} THEN {prior} ELSE {odds} END"


def _predicted(classes: Sequence[Label], language: Dialect) -> str:
    spelled = _spelled(classes, language)
    choices = " ".join(f"WHEN suffice_e{c} THEN {label}" for c, label in enumerate(spelled))
    return f"CASE GREATEST({_all('suffice_e', range(len(classes)))}) {choices} END"


def _spelled(classes: Sequence[Label], language: Dialect) -> list[str]:
    """The labels as values of one type: truth values, numbers, or else text."""
    if all(isinstance(c, bool) for c in classes):
        return [str(c).upper() for c in classes]
    if all(isinstance(c, Real) and not isinstance(c, bool) for c in classes):
        return [str(c) if isinstance(c, int) else literal(float(c)) for c in classes]  # type: ignore[arg-type]
    return [language.text(str(c)) for c in classes]


def _no_form(block: Assigned) -> NoSqlError:
    return NoSqlError(
        f"Column {', '.join(repr(name) for name in block.columns[:5])} is modelled by {type(block.family).__name__}",
        "it has no form in SQL; those of numbers, counts, categories and truth values have",
        "Score the rows in Python, model that column by another family, or leave it out",
    )


def _check_adds(model: Model) -> None:
    """Refuse what columns say together, and dates by the calendar."""
    if model.blend is not None and model.blend.parts:
        raise NoSqlError(
            "The model weighs what columns say together",
            "a query can add up what each says alone",
            "Fit with model='weighted' or model='naive'",
        )
    if model.calendar:
        date = next(iter(model.calendar.values()))[0]
        raise NoSqlError(
            f"Column {date!r} is a date that the model splits into month, weekday and hour",
            "in SQL a date is a number of days",
            f"Name a family for it: families={{{date!r}: Histogram()}}",
        )


def _check_apart(names: Sequence[Name]) -> None:
    """Refuse columns that only Python tells apart."""
    spelled = [str(name) for name in names]
    if len(set(spelled)) < len(spelled):
        twice = [name for name in names if spelled.count(str(name)) > 1]
        raise NoSqlError(f"Columns {quoted(twice)} are spelled alike", "in SQL names are text")
