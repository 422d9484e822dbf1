"""Values to level codes, for columns without a dictionary."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from suffice.columns.blocks import Levels, starts
from suffice.columns.kinds import Level, Name
from suffice.columns.missing import is_missing
from suffice.columns.spelling import level_text, normalise_level
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, IntArray

_MAX_RANGE = 1 << 16  # integers that are used as their own codes; those of wider ranges are sorted


def integer_levels(names: Sequence[Name], values: AnyArray, threads: int) -> Levels | None:
    """Integers as their own codes, from the smallest to the largest; None if the range of a column is too wide."""
    if not len(values):
        return Levels(names, values, np.zeros(values.shape[1], np.int64), tuple(() for _ in names))
    low, high = kernels.int_range(values, threads)
    width = high.astype(np.float64) - low + 1
    # a mostly empty table of counts costs more than sorting the values
    if values.dtype == np.uint64 or (width > _MAX_RANGE).any() or width.sum() > max(1 << 20, 4 * values.size):
        return None
    ranges = (range(int(lo), int(hi) + 1) for lo, hi in zip(low, high, strict=True))
    if values.dtype == bool:  # True and 1 differ in spelling
        return Levels(names, values, low, tuple(tuple(map(bool, levels)) for levels in ranges), integers=True)
    return Levels(names, values, low, tuple(ranges), integers=True)


class KnownLevels:
    """The levels of a model by column; with ``keeps_unknown``, unknown levels keep their spelling."""

    def __init__(self, levels: Sequence[Sequence[Level]], *, keeps_unknown: bool = False) -> None:
        self.levels, self.keeps_unknown = levels, keeps_unknown

    @cached_property
    def _integers(self) -> Levels | None:
        """The ranges of the levels, if they are integers in a narrow range; without values."""
        ranges: list[Sequence[Level]] = []
        for levels in self.levels:
            if isinstance(levels, range) or not levels:
                ranges.append(levels if levels else range(0))
                continue
            numbers = [int(v) for v in levels if isinstance(v, (int, np.integer))]
            if len(numbers) < len(levels):
                return None
            if max(numbers) - min(numbers) >= _MAX_RANGE:
                return None
            ranges.append(range(min(numbers), max(numbers) + 1))
        low = np.array([r[0] if r else 0 for r in ranges], dtype=np.int64)
        return Levels((), np.empty((0, 0)), low, tuple(ranges))

    @cached_property
    def _code_of_level(self) -> tuple[dict[Level, int], ...]:
        """For each column, the code of each level, and of its spelling unless that is another level."""
        return tuple(
            {level_text(level): i for i, level in enumerate(column)} | {level: i for i, level in enumerate(column)}
            for column in self.levels
        )

    def code(self, column: int, cell: Level) -> int:
        """The code of one cell: −1 if it is missing, one beyond the last for an unknown level."""
        known = self._code_of_level[column]
        at = known.get(cell)
        if at is None:
            at = -1 if is_missing(cell) else known.get(level_text(cell), len(self.levels[column]))
        return at

    @cached_property
    def starts(self) -> IntArray:
        return starts(self.levels)

    def encoded(self, names: Sequence[Name], values: AnyArray) -> Levels | None:
        """Integers as their own codes in these levels; None if that is not possible."""
        known = self._integers
        if known is None or values.dtype == np.uint64:
            return None
        return Levels(names, values, known.low, known.levels, known.start, integers=True)


def value_levels(names: Sequence[Name], columns: Sequence[AnyArray]) -> Levels:
    """Levels of any sortable values, by sorting; NaN is missing."""
    codes = np.empty((len(columns[0]) if columns else 0, len(columns)), dtype=np.int32)
    levels: list[Sequence[Level]] = []
    for j, column in enumerate(columns):
        found, inverse = np.unique(column, return_inverse=True, equal_nan=True)
        codes[:, j] = inverse
        if found.dtype.kind == "f" and len(found) and np.isnan(found[-1]):
            found = found[:-1]
            codes[codes[:, j] == len(found), j] = -1
        levels.append(tuple(normalise_level(v) for v in found.tolist()))
    return Levels(names, codes, np.zeros(len(columns), np.int64), tuple(levels))
