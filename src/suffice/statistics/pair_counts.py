"""Joint counts of pairs of levels, by class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Levels, starts
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Level, Name
from suffice.errors import TooManyPairsError, quoted
from suffice.numerics import tables
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.statistics import level_names
from suffice.statistics.base import NeverLearnedError, Statistic, subtract_checked

MAX_CELLS = 1 << 25
"""Maximum number of cells of a table, which are doubles in 256 MiB."""


@dataclass(frozen=True, eq=False)
class PairCounts(Statistic):
    """``table`` of weights (classes, levels, levels), over the concatenated levels of all columns, with their names.

    Cell (u, v) counts the rows with both levels, so the table is symmetric; its diagonal counts single levels.
    A row with a missing cell counts for the pairs of its other cells. Levels are matched by name, sorted, and dropped
    if their counts are zero.
    """

    levels: tuple[tuple[Level, ...], ...]
    table: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("table",)

    @classmethod
    def count(cls, block: Levels, y: ClassCodes, threads: int) -> "PairCounts":
        """The counts of rows. Raises for too many pairs of levels."""
        levels, codes = _observed_levels(block)
        check_size(levels, y.n_classes, block.names)
        start, columns = starts(levels), len(levels)
        pairs = np.array([(i, j) for i in range(columns) for j in range(i, columns)], dtype=np.int64).reshape(-1, 2)
        sizes = np.diff(start)
        flat = tables.pair_counts(codes, sizes, pairs, y.codes, y.n_classes, y.weight, threads)
        table = np.zeros((y.n_classes, int(start[-1]), int(start[-1])))
        for (i, j), begin in zip(pairs.tolist(), tables.pair_starts(sizes, pairs).tolist(), strict=False):
            left, right = slice(start[i], start[i + 1]), slice(start[j], start[j + 1])
            cells = flat[:, begin : begin + sizes[i] * sizes[j]].reshape(y.n_classes, sizes[i], sizes[j])
            table[:, left, right] = cells
            table[:, right, left] = cells.transpose(0, 2, 1)
        return cls.of(levels, table)

    @classmethod
    def of(cls, levels: Sequence[Sequence[Level]], table: FloatArray) -> "PairCounts":
        """Counts in canonical form, with sorted levels of non-zero counts."""
        kept, order = level_names.sorted_levels(levels, (np.diagonal(table, axis1=1, axis2=2) != 0).any(axis=0))
        if np.array_equal(order, np.arange(table.shape[1])):
            return cls(kept, table)
        return cls(kept, table[:, order[:, None], order])

    def over(self, levels: Sequence[Sequence[Level]]) -> FloatArray:
        """The table over a superset of the levels, in their order."""
        if levels == self.levels:
            return self.table
        check_size(levels, self.n_classes, range(len(levels)))
        size = int(starts(levels)[-1])
        place = level_names.level_indices(self.levels, levels)
        out = np.zeros((self.n_classes, size, size))
        out[:, place[:, None], place] = self.table
        return out

    def __add__(self, other: "PairCounts") -> "PairCounts":
        if self.levels == other.levels:
            return PairCounts(self.levels, self.table + other.table)
        levels = level_names.merged_levels(self.levels, other.levels)
        return PairCounts.of(levels, self.over(levels) + other.over(levels))

    def __sub__(self, other: "PairCounts") -> "PairCounts":
        levels = level_names.merged_levels(self.levels, other.levels)
        try:
            return PairCounts.of(levels, subtract_checked(self.over(levels), other.over(levels), "rows"))
        except NeverLearnedError as error:
            klass, *cells = error.where
            (column, level), (_, beside) = (level_names.cell_level(levels, cell) for cell in cells)
            what = f"rows with level {level!r}" + (f" beside {beside!r}" if cells[0] != cells[1] else "")
            raise NeverLearnedError(what, error.counted, error.subtracted, (klass, column)) from None

    def scaled(self, factor: float | FloatArray) -> "PairCounts":
        by = np.asarray(factor, dtype=np.float64)
        return PairCounts.of(self.levels, self.table * (by[:, None, None] if by.ndim else by))

    def reindex_classes(self, index: IntArray, n_classes: int) -> "PairCounts":
        check_size(self.levels, n_classes, range(len(self.levels)))
        return super().reindex_classes(index, n_classes)

    def select_classes(self, index: IntArray | CodeArray) -> "PairCounts":
        return PairCounts.of(self.levels, self.table[index])

    @classmethod
    def _array_names(cls) -> list[str]:
        return ["table"]

    def reindex_columns(self, index: IntArray, n_columns: int) -> "PairCounts":
        levels: list[tuple[Level, ...]] = [()] * n_columns
        start, place = starts(self.levels), [np.empty(0, dtype=np.int64)] * n_columns
        for k, j in enumerate(index):
            levels[j], place[j] = self.levels[k], np.arange(start[k], start[k + 1])
        order = np.concatenate(place) if place else np.empty(0, dtype=np.int64)
        return PairCounts(tuple(levels), self.table[:, order[:, None], order])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PairCounts) and self.levels == other.levels and super().__eq__(other)

    __hash__ = None


def check_size(levels: Sequence[Sequence[Level]], n_classes: int, names: Sequence[Name]) -> None:
    """Raise for too many pairs of levels, naming the columns with most levels."""
    total = sum(map(len, levels))
    if n_classes * total**2 <= MAX_CELLS:
        return
    most = sorted(range(len(levels)), key=lambda j: -len(levels[j]))[:3]
    raise TooManyPairsError(
        f"{len(levels)} columns have {total} levels, most of them in column "
        + ", ".join(f"{names[j]!r} ({len(levels[j])})" for j in most),
        f"all pairs can be counted for {int((MAX_CELLS / n_classes) ** 0.5)} levels at most with {n_classes} classes",
        f"Give {quoted(names[most[0]])} a separate family, or discretise numbers",
    )


def _observed_levels(block: Levels) -> tuple[list[Sequence[Level]], CodeArray]:
    """The observed levels of each column, and the index of the level of each cell; −1 if it is missing."""
    codes = np.full((block.rows, len(block.levels)), -1, dtype=np.int32)
    levels: list[Sequence[Level]] = []
    for j, names in enumerate(block.levels):
        cell = block.codes[:, j].astype(np.int64) - block.low[j]
        rows = np.flatnonzero((cell >= 0) & (cell < len(names)))
        there = np.bincount(cell[rows], minlength=len(names)) > 0
        codes[rows, j] = (np.cumsum(there) - 1)[cell[rows]]
        levels.append([names[i] for i in np.flatnonzero(there).tolist()])
    return levels, codes
