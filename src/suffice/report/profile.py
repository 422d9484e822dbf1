"""Profile of a column by class: its most frequent values, or quantiles, and its missing cells."""

import numpy as np
import pyarrow.compute as pc

from suffice.columns.kinds import DATES, Kind
from suffice.numerics.arrays import IntArray
from suffice.report.subject import Subject
from suffice.report.summary import ColumnProfile, LevelRow, QuantileRow

_MAX_CLASSES, _MAX_LEVELS = 4, 10  # the most frequent
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def profile(subject: Subject, name: str) -> ColumnProfile | None:
    """The profile of a column; None for a text or an empty column."""
    labels, codes = np.unique(subject.labels, return_inverse=True)
    rows = np.bincount(codes)
    shown = np.argsort(-rows, kind="stable")[:_MAX_CLASSES]
    kind, column = subject.kinds[name], subject.features.column(name)
    if kind not in (Kind.CATEGORY, Kind.BOOLEAN, Kind.NUMBER, *DATES) or column.null_count == len(column):
        return None
    missing = column.is_null().to_numpy()
    numeric = kind in (Kind.NUMBER, *DATES)
    levels = [] if numeric else _levels(column, codes, rows, shown)
    every = column.null_count + sum(level.rows for level in levels)
    return ColumnProfile(
        classes=[labels.tolist()[c] for c in shown],
        other_classes=len(labels) - len(shown),
        missing=[float(missing[codes == c].mean()) for c in shown],
        levels=levels,
        other_levels=0 if numeric else int(pc.count_distinct(column, mode="only_valid").as_py()) - len(levels),
        other_rows=0 if numeric else len(column) - every,
        quantiles=_quantiles(subject, name, codes, shown) if numeric else [],
    )


def _levels(column: object, codes: IntArray, rows: IntArray, shown: IntArray) -> list[LevelRow]:
    coded = pc.dictionary_encode(column).combine_chunks()
    places = np.asarray(coded.indices.fill_null(-1))
    count = np.bincount(places[places >= 0], minlength=len(coded.dictionary))
    found = []
    for level in np.argsort(-count, kind="stable")[:_MAX_LEVELS].tolist():
        by_class = np.bincount(codes[places == level], minlength=len(rows)) / rows
        value = str(coded.dictionary[level].as_py())
        found.append(LevelRow(value=value, rows=int(count[level]), by_class=by_class[shown].tolist()))
    return found


def _quantiles(subject: Subject, name: str, codes: IntArray, shown: IntArray) -> list[QuantileRow]:
    """Quantiles of all rows, then of each class; dates are days since 1970."""
    values = np.asarray(subject.table.numbers([name]).dense[:, 0], dtype=np.float64)
    known = np.isfinite(values)
    parts = [values[known], *(values[known & (codes == c)] for c in shown)]
    return [QuantileRow(values=np.quantile(part, QUANTILES).tolist() if len(part) else []) for part in parts]
