"""Counts of levels by class and column."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Levels, starts
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Level
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.statistics import level_names
from suffice.statistics.base import NeverLearnedError, Statistic, subtract_checked


@dataclass(frozen=True, eq=False)
class Counts(Statistic):
    """``table`` of weights (classes, concatenated levels of all columns), with the names of the levels.

    Levels are matched by name, sorted, and dropped if their counts are zero, so forgetting the only row with a level leaves
    no trace of it.
    """

    levels: tuple[tuple[Level, ...], ...]
    table: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("table",)

    @classmethod
    def count(cls, block: Levels, y: ClassCodes, threads: int) -> "Counts":
        """The counts of rows."""
        table = kernels.counts(block.codes, block.low, block.start, y.codes, y.n_classes, y.weight, threads)
        return cls.of(block.levels, table)

    @classmethod
    def of(cls, levels: Sequence[Sequence[Level]], table: FloatArray) -> "Counts":
        """Counts in canonical form, with sorted levels of non-zero counts."""
        kept, order = level_names.sorted_levels(levels, (table != 0).any(axis=0))
        if np.array_equal(order, np.arange(table.shape[1])):
            return cls(kept, table)
        return cls(kept, table[:, order])

    @property
    def start(self) -> IntArray:
        return starts(self.levels)

    def columns(self) -> list[FloatArray]:
        """The table of each column, (classes, its levels)."""
        return [self.table[:, a:b] for a, b in pairwise(self.start)]

    def over(self, levels: Sequence[Sequence[Level]]) -> FloatArray:
        """The table over a superset of the levels, in their order."""
        if levels is self.levels:
            return self.table
        out = np.zeros((self.n_classes, int(starts(levels)[-1])))
        out[:, level_names.level_indices(self.levels, levels)] = self.table
        return out

    def __add__(self, other: "Counts") -> "Counts":
        if self.levels == other.levels:
            return Counts(self.levels, self.table + other.table)
        levels = level_names.merged_levels(self.levels, other.levels)
        return Counts.of(levels, self.over(levels) + other.over(levels))

    def __sub__(self, other: "Counts") -> "Counts":
        levels = level_names.merged_levels(self.levels, other.levels)
        try:
            return Counts.of(levels, subtract_checked(self.over(levels), other.over(levels), "rows"))
        except NeverLearnedError as error:
            klass, cell = error.where
            column, level = level_names.cell_level(levels, cell)
            raise NeverLearnedError(
                f"rows with level {level!r}", error.counted, error.subtracted, (klass, column)
            ) from None

    def scaled(self, factor: float | FloatArray) -> "Counts":
        by = np.asarray(factor, dtype=np.float64)
        return Counts.of(self.levels, self.table * (by[:, None] if by.ndim else by))

    def select_classes(self, index: IntArray | CodeArray) -> "Counts":
        return Counts.of(self.levels, self.table[index])

    @classmethod
    def _array_names(cls) -> list[str]:
        return ["table"]

    def reindex_columns(self, index: IntArray, n_columns: int) -> "Counts":
        levels: list[tuple[Level, ...]] = [()] * n_columns
        parts: list[FloatArray] = [np.zeros((self.n_classes, 0))] * n_columns
        for j, mine, table in zip(index, self.levels, self.columns(), strict=True):
            levels[j], parts[j] = mine, table
        return Counts(tuple(levels), np.concatenate(parts, axis=1) if parts else self.table)

    def select_columns(self, index: IntArray) -> "Counts":
        columns = self.columns()
        tables = [np.zeros((self.n_classes, 0)), *(columns[j] for j in index)]
        return Counts(tuple(self.levels[j] for j in index), np.concatenate(tables, axis=1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self.levels == other.levels and super().__eq__(other)

    __hash__ = None
