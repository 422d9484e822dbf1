"""How often each level of each column occurs in each class."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import starts
from suffice.columns.kinds import Level
from suffice.errors import MergeError
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.statistics.base import NeverLearnedError, Statistic, taken


@dataclass(frozen=True, eq=False)
class Counts(Statistic):
    """``table`` (classes, all levels of all columns laid end to end) of weights, with the names of the levels.

    Levels are matched by name, kept in order, and dropped when nothing of them is left: so a model that forgets the
    only row with a level is the model that never saw it.
    """

    levels: tuple[tuple[Level, ...], ...]
    table: FloatArray

    grows: ClassVar[tuple[str, ...]] = ("table",)

    @classmethod
    def of(cls, levels: Sequence[Sequence[Level]], table: FloatArray) -> "Counts":
        """Counts in their one form: levels in order, those that never occur left out."""
        keep = (table != 0).any(axis=0)
        kept: list[tuple[Level, ...]] = []
        order: list[int] = []
        for column, start in zip(levels, starts(levels)[:-1], strict=True):
            present = [i for i in range(len(column)) if keep[start + i]]
            if not isinstance(column, range):
                present.sort(key=lambda i, names=column: _in_order(names[i]))  # type: ignore[misc]
            kept.append(tuple(column[i] for i in present))
            order.extend(int(start) + i for i in present)
        if len(order) == table.shape[1] and order == list(range(len(order))):
            return cls(tuple(kept), table)
        return cls(tuple(kept), table[:, np.array(order, dtype=np.int64)])

    @property
    def start(self) -> IntArray:
        return starts(self.levels)

    def columns(self) -> list[FloatArray]:
        """The table of each column, (classes, its levels)."""
        return [self.table[:, a:b] for a, b in pairwise(self.start)]

    def over(self, levels: Sequence[Sequence[Level]]) -> FloatArray:
        """The table over other levels (a superset of these), in their order."""
        if levels is self.levels:
            return self.table
        out = np.zeros((self.n_classes, int(starts(levels)[-1])))
        for mine, theirs, table, start in zip(self.levels, levels, self.columns(), starts(levels)[:-1], strict=True):
            place = {level: i for i, level in enumerate(theirs)}
            out[:, [int(start) + place[level] for level in mine]] = table
        return out

    def _together(self, other: "Counts") -> tuple[tuple[Level, ...], ...]:
        if len(self.levels) != len(other.levels):
            raise MergeError(
                f"Counts of {len(self.levels)} columns meet counts of {len(other.levels)}", "they must agree"
            )
        return tuple(tuple(dict.fromkeys(a + b)) for a, b in zip(self.levels, other.levels, strict=True))

    def __add__(self, other: "Counts") -> "Counts":
        if self.levels == other.levels:
            return Counts(self.levels, self.table + other.table)
        levels = self._together(other)
        return Counts.of(levels, self.over(levels) + other.over(levels))

    def __sub__(self, other: "Counts") -> "Counts":
        levels = self._together(other)
        try:
            return Counts.of(levels, taken(self.over(levels), other.over(levels), "rows"))
        except NeverLearnedError as error:
            klass, cell = error.where
            column = int(np.searchsorted(starts(levels), cell, side="right")) - 1
            level = levels[column][cell - int(starts(levels)[column])]
            raise NeverLearnedError(f"rows with level {level!r}", error.had, error.less, (klass, column)) from None

    def scaled(self, factor: float | FloatArray) -> "Counts":
        by = np.asarray(factor, dtype=np.float64)
        return Counts.of(self.levels, self.table * (by[:, None] if by.ndim else by))

    def keep(self, index: IntArray) -> "Counts":
        return Counts.of(self.levels, self.table[index])

    @classmethod
    def _array_names(cls) -> list[str]:
        return ["table"]

    def spread_columns(self, index: IntArray, n_columns: int) -> "Counts":
        levels: list[tuple[Level, ...]] = [()] * n_columns
        parts: list[FloatArray] = [np.zeros((self.n_classes, 0))] * n_columns
        for j, mine, table in zip(index, self.levels, self.columns(), strict=True):
            levels[j], parts[j] = mine, table
        return Counts(tuple(levels), np.concatenate(parts, axis=1) if parts else self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self.levels == other.levels and super().__eq__(other)

    __hash__ = None


def _in_order(level: Level) -> tuple[str, Level]:
    """Numbers before text, so that even a column that changed its kind has an order."""
    return ("" if isinstance(level, (int, float)) else type(level).__name__, level)
