"""The explanation of the prediction for one row."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from suffice.cli.alignment import aligned
from suffice.cli.class_numbers import label_named
from suffice.cli.model_summary import model_of
from suffice.cli.rows import open_rows
from suffice.columns.arrow_table import ArrowTable
from suffice.errors import DataError
from suffice.explain import explain, text_of
from suffice.model import Model
from suffice.posterior import posterior
from suffice.sources.source import LocalSource

_CELL_CHARACTERS = 40


class RowExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """The log-odds of one class against another for one row, as a sum of evidence."""

    row: int
    of: Any
    against: Any
    probability: float
    log_odds: float
    prior: float
    evidence: dict[str, float]
    """Evidence by column; with ``interactions``, also by pair and joint score."""
    words: dict[str, float]
    """The strongest words of the texts."""
    cells: dict[str, str]


def explain_row(
    path: str, places: Sequence[str], row: int, of: str | None, against: str | None, most: int, interactions: bool
) -> RowExplanation:
    """The evidence of one row, strongest first."""
    model = model_of(path)
    table = aligned(row_of(open_rows(places, schema=model.schema), row), model)
    classes = np.empty(len(model.classes), dtype=object)
    classes[:] = model.classes
    labels = tuple(None if name is None else label_named(name, model.classes) for name in (of, against))
    found = explain(model, table, classes, *labels, interactions=interactions)
    joint = np.empty((1, len(classes)))
    for _, part in model.log_joints(table, joint, 1):
        posterior(part, model.log_prior, 1)
    parts = found.row(0)
    prior = parts.pop("(prior)")
    by_column, words = _by_column(model, parts)
    shown = dict(list(by_column.items())[:most])
    rest = list(by_column.values())[most:]
    if rest:
        shown[f"({len(rest):,} others)"] = float(np.sum(rest))
    return RowExplanation(
        row=row,
        of=found.of[0],
        against=found.against[0],
        probability=float(joint[0, model.classes.index(found.of[0])]),
        log_odds=float(found.log_odds[0]),
        prior=prior,
        evidence=shown,
        words=dict(list(words.items())[:most]),
        cells={name: _cell(table, name, model) for name in shown if name in (*table.names, *model.calendar)},
    )


def _by_column(model: Model, parts: dict[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Evidence by column, summed over the words of a text, strongest first; and the evidence of words."""
    sums: dict[str, float] = {}
    words: dict[str, float] = {}
    for name, weight in parts.items():
        text = text_of(model, name)
        if text is not None:
            words[name] = weight
        sums[text or name] = sums.get(text or name, 0.0) + weight
    return dict(sorted(sums.items(), key=lambda item: -abs(item[1]))), words


def row_of(source: LocalSource, row: int) -> ArrowTable:
    seen = 0
    for table in source.batches():
        if row <= seen + table.rows:
            return table.slice(row - seen - 1, row - seen)
        seen += table.rows
    raise DataError(f"There is no row {row:,}", f"there are {seen:,} rows")


def _cell(table: ArrowTable, name: Any, model: Model) -> str:
    value: Any
    if name in table.names:
        value = table.cells(name)[0].as_py()
    else:
        found = model.with_columns(table).levels([name], None, 1)
        value = next((level for code, level in enumerate(found.levels[0]) if code == found.codes[0, 0]), None)
    text = "" if value is None else f"{value:.6g}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= _CELL_CHARACTERS else f"{text[:_CELL_CHARACTERS]}…"
