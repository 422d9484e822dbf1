"""Conversion of the result of a counting query to a tally."""

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.labels import encode_labels, plain_labels
from suffice.columns.missing import is_missing
from suffice.errors import DataError, NegativeError, quoted
from suffice.families.assignment import Block
from suffice.families.base import AnyFamily
from suffice.families.bernoulli import Bernoulli
from suffice.families.categorical import Categorical
from suffice.families.exponential import Exponential
from suffice.families.gaussian import Gaussian
from suffice.families.poisson import Poisson
from suffice.numerics.arrays import FloatArray
from suffice.sql.counting import RESULT_COLUMNS
from suffice.statistics import Counts, Moments, Statistic, Successes, Sums, Tally


def result_rows(result: Any) -> list[Sequence[Any]]:
    """The rows of a query result: a frame, or rows as tuples or mappings."""
    if hasattr(result, "__arrow_c_stream__"):
        import pyarrow as pa

        result = pa.table(result).to_pylist()
    rows = [[row.get(name) for name in RESULT_COLUMNS] if isinstance(row, Mapping) else list(row) for row in result]
    if not rows or any(len(row) != len(RESULT_COLUMNS) for row in rows):
        found = f"rows of {sorted({len(row) for row in rows})} values" if rows else "no rows"
        raise DataError(
            f"The result has {found}",
            f"it must have the columns {', '.join(RESULT_COLUMNS)}",
            "Use suffice.sql.counting",
        )
    return [[None if is_missing(value) else value for value in row] for row in rows]


def tally_of(rows: Sequence[Sequence[Any]], blocks: Sequence[Block]) -> tuple[Tally, Any]:
    """The tally of the blocks, and the dtype of the labels."""
    whole = [(row[0], float(row[3])) for row in rows if row[1] is None]
    if not whole:
        raise DataError("The result has no row without a column", "the number of rows of each class is needed")
    unlabelled = [n for label, n in whole if label is None]
    if unlabelled:
        raise DataError(f"{unlabelled[0]:g} rows have no class", "each row needs one", "Exclude them from the table")
    given = plain_labels([label for label, _ in whole])
    labels = encode_labels(given)
    place = {label: i for i, label in enumerate(labels.classes)}
    seen = np.bincount(labels.codes, [n for _, n in whole], len(place)).astype(np.float64)
    by_column: dict[str, list[tuple[int, Any, float, Any, Any]]] = {}
    for label, column, level, n, value, spread in rows:
        if column is not None:
            if label not in place:
                raise DataError(
                    f"Column {column!r} has rows of class {label!r}", f"the classes are {quoted(labels.classes)}"
                )
            by_column.setdefault(str(column), []).append((place[label], level, float(n), value, spread))
    statistics = [
        _statistic_of(block.family, block.columns, [by_column.get(str(name), []) for name in block.columns], len(place))
        for block in blocks
    ]
    return Tally(labels.classes, seen, tuple(block.columns for block in blocks), tuple(statistics)), given.dtype


_Rows = Iterable[tuple[int, Any, float, Any, Any]]


@singledispatch
def _statistic_of(family: AnyFamily, names: Sequence[Name], columns: Sequence[_Rows], n_classes: int) -> Statistic:
    raise AssertionError(f"no query counts for {family}")


@_statistic_of.register
def _(family: Categorical, names: Sequence[Name], counted: Sequence[_Rows], n_classes: int) -> Counts:
    # missing cells are not counted, so a missing level is an empty text, which some file formats do not distinguish
    columns = [[(c, "" if level is None else level, n) for c, level, n, *_ in rows] for rows in counted]
    levels = [list(dict.fromkeys(level for _, level, _ in rows)) for rows in columns]
    tables = [np.zeros((n_classes, 0))]
    for rows, known in zip(columns, levels, strict=True):
        table = np.zeros((n_classes, len(known)))
        for c, level, n in rows:
            table[c, known.index(level)] += n
        tables.append(table)
    return Counts.of(levels, np.concatenate(tables, axis=1))


@_statistic_of.register
def _(family: Gaussian, names: Sequence[Name], columns: Sequence[_Rows], n_classes: int) -> Moments:
    weight, mean, m2 = _numbers(family, names, columns, n_classes)
    return Moments.of(weight, mean, np.maximum(m2, 0.0))


@_statistic_of.register
def _(family: Bernoulli, names: Sequence[Name], columns: Sequence[_Rows], n_classes: int) -> Successes:
    weight, total, _ = _numbers(family, names, columns, n_classes)
    return Successes(weight, total)


@_statistic_of.register(Poisson)
@_statistic_of.register(Exponential)
def _(family: AnyFamily, names: Sequence[Name], columns: Sequence[_Rows], n_classes: int) -> Sums:
    weight, total, least = _numbers(family, names, columns, n_classes)
    for j in np.flatnonzero((least < 0).any(axis=0)).tolist():
        raise NegativeError(
            f"Column {names[j]!r} has negative values, with minimum {least[:, j].min():g}",
            f"{type(family).__name__} needs numbers ≥ 0",
            "Use Gaussian() for it, or exclude those rows from the table",
        )
    return Sums(weight, total)


def _numbers(
    family: AnyFamily, names: Sequence[Name], columns: Sequence[_Rows], n_classes: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weight, value and spread, each (classes, columns)."""
    out = np.zeros((3, n_classes, len(columns)))
    for j, rows in enumerate(columns):
        for c, _, n, value, spread in rows:
            if n:
                out[:, c, j] = n, *(np.nan if each is None else float(each) for each in (value, spread))
    infinite = np.flatnonzero(~np.isfinite(out).all(axis=(0, 1)))
    if len(infinite):
        raise DataError(
            f"Column {names[infinite[0]]!r} has values that are infinite or whose squares overflow",
            f"{type(family).__name__} needs finite values",
            "Exclude those rows from the table, or rescale the column",
        )
    return out[0], out[1], out[2]
