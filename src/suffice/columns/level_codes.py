"""Values to level codes, for columns that do not come with a dictionary of their own."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.blocks import Levels
from suffice.columns.kinds import Level, Name
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray

_WIDEST = 1 << 16  # integers spread wider than this are looked up one by one instead of counted in place


def integer_levels(names: Sequence[Name], values: AnyArray, threads: int) -> Levels | None:
    """Integers as their own codes, from the smallest to the largest; None if a column is spread too wide."""
    if not len(values):
        return Levels(names, values, np.zeros(values.shape[1], np.int64), tuple(() for _ in names))
    low, high = kernels.int_range(values, threads)
    if values.dtype == np.uint64 or (high - low >= _WIDEST).any() or (high < low).any():
        return None
    return Levels(names, values, low, tuple(range(int(lo), int(hi) + 1) for lo, hi in zip(low, high, strict=True)))


def known_integer_levels(names: Sequence[Name], values: AnyArray, known: Sequence[Sequence[Level]]) -> Levels | None:
    """The same against levels already known, with no look at the values; None if those are not integers close together."""
    ranges: list[Sequence[Level]] = []
    for levels in known:
        if not levels:
            ranges.append(range(0))
        elif isinstance(levels, range):
            ranges.append(levels)
        else:
            if not all(isinstance(v, (int, np.integer)) for v in levels):
                return None
            low, high = min(levels), max(levels)  # type: ignore[type-var]
            ranges.append(range(int(low), int(high) + 1))  # type: ignore[call-overload]
    if any(len(r) > _WIDEST for r in ranges) or values.dtype == np.uint64:
        return None
    lows = np.array([r.start if isinstance(r, range) and len(r) else 0 for r in ranges], dtype=np.int64)
    return Levels(names, values, lows, tuple(ranges))


def value_levels(names: Sequence[Name], columns: Sequence[AnyArray]) -> Levels:
    """Any sortable values, NaN being missing, by sorting."""
    codes = np.empty((len(columns[0]) if columns else 0, len(columns)), dtype=np.int32)
    levels: list[Sequence[Level]] = []
    for j, column in enumerate(columns):
        found, inverse = np.unique(column, return_inverse=True, equal_nan=True)
        codes[:, j] = inverse
        if found.dtype.kind == "f" and len(found) and np.isnan(found[-1]):
            found = found[:-1]
            codes[codes[:, j] == len(found), j] = -1
        levels.append(tuple(_tidy(v) for v in found.tolist()))
    return Levels(names, codes, np.zeros(len(columns), np.int64), tuple(levels))


def _tidy(value: Level) -> Level:
    """A whole number stored as a float names the same level as the integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
