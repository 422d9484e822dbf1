"""The input of a family: a block of columns as numbers, levels or objects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeAlias

import numpy as np

from suffice.columns.documents import Documents, Rows
from suffice.columns.kinds import Level, Name
from suffice.columns.spelling import level_indices
from suffice.columns.term_rows import TermRows
from suffice.numerics.arrays import AnyArray, IntArray, SparseRows

NO_COLUMN = int(np.iinfo(np.int32).max)


class Cells(Protocol):
    """The interface of a block: named columns, and selection of rows."""

    @property
    def names(self) -> Sequence[Name]: ...

    @property
    def rows(self) -> int: ...

    def take(self, rows: Rows) -> Self: ...


class ColumnCells(Cells, Protocol):
    """A block that can be split by column."""

    def by_column(self) -> Iterator[Self]: ...


@dataclass(frozen=True, slots=True)
class Numbers:
    """Columns of numbers: a matrix of any real dtype in which NaN is a missing cell, or compressed sparse rows."""

    names: Sequence[Name]
    values: "AnyArray | SparseRows"
    absent: frozenset[Name] = frozenset()
    """Columns that are not in the table, filled with NaN."""

    @property
    def rows(self) -> int:
        return int(self.values.shape[0])

    @property
    def dense(self) -> AnyArray:
        return self.values if isinstance(self.values, np.ndarray) else self.values.toarray()

    def column(self, index: int) -> "Numbers":
        return Numbers((self.names[index],), self.values[:, [index]], self.absent)

    def by_column(self) -> "Iterator[Numbers]":
        """One dense block per column."""
        every = self.dense
        return (Numbers((name,), every[:, [j]]) for j, name in enumerate(self.names))

    def take(self, rows: Rows) -> "Numbers":
        return Numbers(self.names, self.values[rows], self.absent)

    @property
    def missingness(self) -> AnyArray:
        """Codes (rows, columns): 1 for a missing cell, 0 for a present one, −1 for a column that is not in the table."""
        out = np.isnan(self.dense).astype(np.int8)
        out[:, [name in self.absent for name in self.names]] = -1
        return out


@dataclass(frozen=True, slots=True)
class Levels:
    """Columns of levels: code v of column j stands for ``levels[j][v - low[j]]``.

    Any other code is an unknown level. −1 is a missing cell, unless codes are ``integers``, which are their own
    levels; ``NO_COLUMN`` is a cell of a column that is not in the table.
    """

    names: Sequence[Name]
    codes: AnyArray
    low: IntArray
    levels: tuple[Sequence[Level], ...]
    start: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    """Offsets of the levels of each column in their concatenation."""
    integers: bool = False

    def __post_init__(self) -> None:
        if not len(self.start):
            object.__setattr__(self, "start", starts(self.levels))

    @property
    def rows(self) -> int:
        return len(self.codes)

    def column(self, index: int) -> "Levels":
        return Levels(
            (self.names[index],),
            self.codes[:, [index]],
            self.low[[index]],
            (self.levels[index],),
            integers=self.integers,
        )

    def by_column(self) -> "Iterator[Levels]":
        """One block per column."""
        return (self.column(j) for j in range(len(self.names)))

    def indices_in(self, index: int, levels: Sequence[Level]) -> IntArray:
        """The index of each cell of a column in ``levels``; −1 if it is missing or not among them."""
        return self.remapped(index, level_indices(self.levels[index], levels))

    def remapped(self, index: int, mapping: Sequence[int]) -> IntArray:
        """The index of each cell of a column, given the index of each of its levels; −1 if it is missing."""
        moved = np.array([*mapping, -1], dtype=np.int64)
        codes = self.codes[:, index].astype(np.int64) - self.low[index]
        return moved[np.where((codes >= 0) & (codes < len(moved) - 1), codes, -1)]

    def take(self, rows: Rows) -> "Levels":
        return Levels(self.names, self.codes[rows], self.low, self.levels, self.start, self.integers)

    @property
    def missingness(self) -> AnyArray:
        """Codes (rows, columns): 1 for a missing cell, 0 for a present one, −1 for a column that is not in the table."""
        missing = np.zeros(self.codes.shape, dtype=np.int8) if self.integers else (self.codes == -1).astype(np.int8)
        missing[self.codes == NO_COLUMN] = -1
        return missing


@dataclass(frozen=True, slots=True)
class Objects:
    """A column of arbitrary Python objects, such as sequences."""

    names: Sequence[Name]
    values: list[object]

    @property
    def rows(self) -> int:
        return len(self.values)

    def take(self, rows: Rows) -> "Objects":
        return Objects(self.names, [self.values[i] for i in np.arange(self.rows)[rows]])


BlockData: TypeAlias = Numbers | Levels | Objects | Documents | TermRows
TableBlock: TypeAlias = Numbers | Levels
"""A block whose columns can be discretised."""


def starts(levels: Sequence[Sequence[Level]]) -> IntArray:
    """Offsets of consecutive runs of levels, with the total at the end."""
    return np.concatenate([[0], np.cumsum([len(column) for column in levels], dtype=np.int64)]).astype(np.int64)
