"""The scoring query: cells, log joints, and the posterior."""

from collections.abc import Sequence
from numbers import Real

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import NoSqlError, ParameterError
from suffice.families.assignment import Block
from suffice.model import Model
from suffice.model.outside_python import check_readable
from suffice.parts.forest import ForestPart
from suffice.parts.fourier import Fourier
from suffice.parts.part import AnyPart
from suffice.sql.cells import CellSteps
from suffice.sql.dialects import Dialect, dialect_named
from suffice.sql.expressions import literal, total
from suffice.sql.parts import columns_of, part_terms
from suffice.sql.terms import SqlTerm, block_terms, sum_by_name
from suffice.sql.words import TextTables

_MIN_EXPONENT = "-700e0"  # PostgreSQL raises an error if exp underflows


def to_sql(
    model: Model,
    dialect: str,
    table: "str | Sequence[str]",
    keep: Sequence[Name] = (),
    *,
    evidence: bool = False,
    texts: TextTables | None = None,
) -> str:
    """A query over ``table`` that returns the columns ``keep``, the most probable class, the log joint and the probability
    of each class and, with ``evidence``, the terms of each log joint. ``texts`` names the tables of tokens and words."""
    language = dialect_named(dialect)
    cells, found = cells_of(model, language, by_column=evidence)
    terms, has_words = sum_by_name(found), bool(cells.words.views)
    if texts is not None and not has_words:
        raise ParameterError("Tables of words are given", "the model has no text column", "Omit them")
    texts = texts or TextTables()
    each = range(len(model.classes))
    kept = [language.name(name) for name in keep]
    carried = [f"{name} AS k{i}" for i, name in enumerate(kept)]
    summands = [[f"v{i}_{c}" if evidence else term.scores[c] for i, term in enumerate(terms)] for c in each]
    joined_on = [f"{language.name(texts.key)} AS d"] if has_words else []
    first = ", ".join([*carried, *joined_on, *cells.values.columns] or ["1"])
    queries = [("suffice_cells", f"SELECT {first} FROM {language.table(table)}")]
    queries += cells.words.steps(texts, "suffice_cells") if has_words else []
    steps = [(f"suffice_{step.prefix}", ["*", *step.columns]) for step in cells.steps]
    if evidence:
        split = [f"{term.scores[c]} AS v{i}_{c}" for i, term in enumerate(terms) for c in each]
        steps.append(("suffice_evidence", ["*", *split]))
    steps += [
        ("suffice_joint", ["*", *(f"{total(summands[c])} AS j{c}" for c in each)]),
        ("suffice_most", ["*", f"{language.greatest([f'j{c}' for c in each])} AS m"]),
        ("suffice_odds", ["*", *(f"{_odds(model, c, language)} AS e{c}" for c in each)]),
        ("suffice_sum", ["*", f"{total([f'e{c}' for c in each])} AS s"]),
    ]
    out = [f"k{i} AS {name}" for i, name in enumerate(kept)]
    out.append(f"{_predicted(model.classes, language)} AS {language.name('predicted')}")
    out += [f"j{c} AS {language.name(f'log_joint({label})')}" for c, label in enumerate(model.classes)]
    out += [f"e{c} / s AS {language.name(f'p({label})')}" for c, label in enumerate(model.classes)]
    if evidence:
        out += [
            f"v{i}_{c} AS {language.name(f'evidence({term.name} | {label})')}"
            for i, term in enumerate(terms)
            for c, label in enumerate(model.classes)
        ]
    for name, what in steps:
        queries.append((name, f"SELECT {', '.join(what)} FROM {queries[-1][0]}"))
    before_last = ",\n".join(language.step(name, query) for name, query in queries)
    return language.complete(f"WITH {before_last}\nSELECT {', '.join(out)} FROM {queries[-1][0]}")


def cells_of(model: Model, language: Dialect, *, by_column: bool) -> tuple[CellSteps, list[SqlTerm]]:
    """The cells and words of the query, and the terms of the log joint."""
    check_readable(model, model.names, NoSqlError)
    cells = CellSteps(language)
    return cells, _terms(model, cells, by_column=by_column)


def _terms(model: Model, cells: CellSteps, *, by_column: bool) -> list[SqlTerm]:
    out = [SqlTerm("(prior)", [cells.dialect.literal(p) for p in model.log_prior])]
    for block, density in zip(model.blocks, model.densities, strict=True):
        found = block_terms(block, density, cells, by_column=by_column)
        if found is None:
            raise _no_form_of_block(block)
        out += found
    if model.weighted_parts is None:
        return out
    out.append(SqlTerm("(calibration)", [literal(b) for b in model.weighted_parts.bias]))
    columns = columns_of(model.tables(model.blocks), model.tables(model.densities))
    for part in model.weighted_parts.parts:
        found = part_terms(part, columns, cells)
        if found is None:
            raise _no_form_of_part(part)
        out += found
    return out


def _odds(model: Model, klass: int, language: Dialect) -> str:
    """exp(log joint − maximum); the prior if the row has zero probability under every class."""
    impossible = language.literal(-np.inf)
    prior = literal(float(np.exp(model.log_prior[klass])))
    difference = f"j{klass} - m"
    odds = f"CASE WHEN {difference} < {_MIN_EXPONENT} THEN 0e0 ELSE exp({difference}) END"
    return f"CASE WHEN m = {impossible} THEN {prior} ELSE {odds} END"


def _predicted(classes: Sequence[Label], language: Dialect) -> str:
    spelled = _literals(classes, language)
    choices = " ".join(f"WHEN e{c} THEN {label}" for c, label in enumerate(spelled))
    return f"CASE {language.greatest([f'e{c}' for c in range(len(classes))])} {choices} END"


def _literals(classes: Sequence[Label], language: Dialect) -> list[str]:
    """The labels as literals of one type: booleans, numbers, or else text."""
    if all(isinstance(c, bool) for c in classes):
        return [str(c).upper() for c in classes]
    if all(isinstance(c, Real) and not isinstance(c, bool) for c in classes):
        return [str(c) if isinstance(c, int) else literal(float(c)) for c in classes]  # type: ignore[arg-type]
    return [language.text(str(c)) for c in classes]


def _no_form_of_block(block: Block) -> NoSqlError:
    return NoSqlError(
        f"Column {', '.join(repr(name) for name in block.columns[:5])} is modelled by {type(block.family).__name__}",
        "it has no form in SQL; families of numbers, counts, categories, booleans and text have one",
        "Score the rows in Python, or use another family for the column",
    )


def _no_form_of_part(part: AnyPart) -> NoSqlError:
    what = {ForestPart: "forests", Fourier: "Fourier features"}.get(type(part), f"a part {type(part).__name__}")
    return NoSqlError(
        f"The model has {what}",
        "columns, missing cells, correlated normals and pairs have a form in SQL",
        "Fit with model='additive' (suffice train --model additive)",
    )
