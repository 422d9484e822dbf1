"""Counts of numbers in the cells of a fine grid, by class and column."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from suffice.errors import MergeError
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray, frozen
from suffice.statistics.base import NeverLearnedError, Statistic, subtract_checked


@dataclass(frozen=True, eq=False)
class GridCounts(Statistic):
    """``table`` of weights (classes, concatenated cells of all columns), with the numbers of the cells.

    A cell is the range of doubles with the same first ``bits`` of mantissa. So cells do not depend on the rows, and
    each cell of a coarser grid is a union of cells of a finer one: counts on two grids add exactly on the coarser grid.
    Only non-empty cells are stored, in order.
    """

    bits: tuple[int, ...]
    start: IntArray
    cells: IntArray
    table: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("table",)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("start", "cells"):
            object.__setattr__(self, name, frozen(np.ascontiguousarray(getattr(self, name), dtype=np.int64)))

    @classmethod
    def of(cls, bits: Sequence[int], columns: Sequence[tuple[IntArray, FloatArray]], n_classes: int) -> "GridCounts":
        """Counts from the cells and the table of each column."""
        filled = [(cells[kept], table[:, kept]) for cells, table in columns for kept in [(table != 0).any(axis=0)]]
        start = np.concatenate([[0], np.cumsum([len(cells) for cells, _ in filled], dtype=np.int64)])
        none = (np.zeros(0, dtype=np.int64), np.zeros((n_classes, 0)))
        cells, tables = zip(*(filled or [none]), strict=True)
        return cls(tuple(int(b) for b in bits), start, np.concatenate(cells), np.concatenate(tables, axis=1))

    @classmethod
    def _array_names(cls) -> list[str]:
        return ["table"]

    def columns(self) -> list[tuple[IntArray, FloatArray]]:
        """The cells and the table (classes, cells) of each column."""
        return [(self.cells[a:b], self.table[:, a:b]) for a, b in pairwise(self.start)]

    def _coarsened(self, bits: Sequence[int]) -> list[tuple[IntArray, FloatArray]]:
        """The columns on coarser (or equal) grids."""
        out = []
        for (cells, table), mine, theirs in zip(self.columns(), self.bits, bits, strict=True):
            if mine > theirs and len(cells):
                coarse, first = np.unique(cells >> (mine - theirs), return_index=True)
                out.append((coarse, np.add.reduceat(table, first, axis=1)))
            else:
                out.append((cells, table))
        return out

    def on_common_grid(
        self, other: "GridCounts"
    ) -> tuple[tuple[int, ...], list[tuple[IntArray, FloatArray, FloatArray]]]:
        """Both counts on the coarser grid, over the union of their cells."""
        if len(self.bits) != len(other.bits):
            raise MergeError(
                f"Counts of {len(self.bits)} and of {len(other.bits)} columns cannot be merged", "they must be as many"
            )
        bits = tuple(min(a, b) for a, b in zip(self.bits, other.bits, strict=True))
        out = []
        for (cells, table), (others, theirs) in zip(self._coarsened(bits), other._coarsened(bits), strict=True):
            both = np.sort(np.concatenate([cells, others]), kind="stable")  # merges two sorted runs
            both = both[np.diff(both, prepend=both[:1] - 1) > 0]
            placed = []
            for some, counted in ((cells, table), (others, theirs)):
                wide = np.zeros((len(counted), len(both)))
                wide[:, np.searchsorted(both, some)] = counted
                placed.append(wide)
            out.append((both, placed[0], placed[1]))
        return bits, out

    def __add__(self, other: "GridCounts") -> "GridCounts":
        bits, columns = self.on_common_grid(other)
        return GridCounts.of(bits, [(cells, a + b) for cells, a, b in columns], self.n_classes)

    def __sub__(self, other: "GridCounts") -> "GridCounts":
        bits, columns = self.on_common_grid(other)
        left = []
        for j, (cells, a, b) in enumerate(columns):
            try:
                left.append((cells, subtract_checked(a, b, "rows")))
            except NeverLearnedError as error:
                raise NeverLearnedError(
                    "rows with such a number", error.counted, error.subtracted, (error.where[0], j)
                ) from None
        return GridCounts.of(bits, left, self.n_classes)

    def scaled(self, factor: float | FloatArray) -> "GridCounts":
        by = np.asarray(factor, dtype=np.float64)
        by = by[:, None] if by.ndim else by
        return GridCounts.of(self.bits, [(cells, table * by) for cells, table in self.columns()], self.n_classes)

    def select_classes(self, index: IntArray | CodeArray) -> "GridCounts":
        return GridCounts.of(self.bits, [(cells, table[index]) for cells, table in self.columns()], len(index))

    def reindex_columns(self, index: IntArray, n_columns: int) -> "GridCounts":
        bits = [max(self.bits, default=0)] * n_columns
        columns = [(np.zeros(0, dtype=np.int64), np.zeros((self.n_classes, 0)))] * n_columns
        for j, precision, column in zip(index, self.bits, self.columns(), strict=True):
            bits[j], columns[j] = precision, column
        return GridCounts.of(bits, columns, self.n_classes)

    def select_columns(self, index: IntArray) -> "GridCounts":
        columns = self.columns()
        return GridCounts.of([self.bits[j] for j in index], [columns[j] for j in index], self.n_classes)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, GridCounts)
            and self.bits == other.bits
            and np.array_equal(self.start, other.start)
            and np.array_equal(self.cells, other.cells)
            and super().__eq__(other)
        )

    __hash__ = None
