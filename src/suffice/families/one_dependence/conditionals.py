"""p(level | another level, class), smoothed toward p(level | class), and that toward the column's marginal.

Every table has one more level, the last, for a missing cell. Given a missing cell, a level has the probability of the
lower-order table; a missing cell scores 0. Code −1 therefore needs no special case. Classes are the
last axis.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from suffice.columns.blocks import Levels, starts
from suffice.columns.kinds import Level
from suffice.families import pseudo_counts as pseudo
from suffice.numerics.arrays import BoolArray, CodeArray, FloatArray, IntArray
from suffice.statistics import PairCounts
from suffice.statistics.base import subtract_checked


def shrunk(n: FloatArray, total: FloatArray, toward: FloatArray, strength: float) -> FloatArray:
    """(n + strength · toward) / (total + strength), or ``toward`` if the denominator is zero."""
    whole = total + strength
    return np.where(whole > 0, (n + strength * toward) / np.where(whole > 0, whole, 1.0), toward)


def codes_of(block: Levels, levels: Sequence[Sequence[Level]]) -> IntArray:
    """The index of each cell among the concatenated levels, (rows, columns); −1 if it is missing or unknown."""
    out = np.empty((block.rows, len(levels)), dtype=np.int64)
    for j, (names, start) in enumerate(zip(levels, starts(levels)[:-1], strict=True)):
        place = block.indices_in(j, names)
        out[:, j] = np.where(place >= 0, place + start, -1)
    return out


class Conditionals:
    """Conditional probabilities estimated from pair counts."""

    def __init__(self, statistic: PairCounts) -> None:
        self.levels = statistic.levels
        self.n_classes = statistic.n_classes
        size = statistic.table.shape[1]
        self.pair = np.zeros((size + 1, size + 1, self.n_classes))
        self.pair[:size, :size] = np.moveaxis(statistic.table, 0, 2)
        self.column: IntArray = np.repeat(np.arange(len(self.levels)), [len(names) for names in self.levels])
        """The column of each level."""

    @cached_property
    def single(self) -> FloatArray:
        """Counts of each level, (levels, classes)."""
        return np.ascontiguousarray(np.diagonal(self.pair, axis1=0, axis2=1).T)

    @cached_property
    def beside(self) -> FloatArray:
        """Counts of each level with a present cell of another column, (levels, columns, classes)."""
        return np.ascontiguousarray(self.by_column(self.pair).swapaxes(0, 1))

    @cached_property
    def total(self) -> FloatArray:
        """Counts of rows with present cells in two columns, (columns, columns, classes)."""
        return self.by_column(self.beside)

    def by_column(self, values: FloatArray) -> FloatArray:
        """Values of levels (the first axis) summed by column."""
        return np.stack([values[a:b].sum(axis=0) for a, b in pairwise(starts(self.levels).tolist())])

    def log_given(self, strength: float) -> FloatArray:
        """(levels given, levels, classes). Levels of one column score 0 given each other."""
        every = np.arange(len(self.levels))
        pooled = self.single[:-1].sum(axis=1)
        share = pooled / self.total[every, every].sum(axis=1)[self.column]
        alone = shrunk(self.single[:-1], self.total[every, every][self.column], share[:, None], strength)
        given = shrunk(self.pair[:-1, :-1], self.beside[:-1, self.column], alone[None], strength)
        out = np.zeros_like(self.pair)
        out[:-1, :-1] = np.where((self.column[:, None] == self.column)[:, :, None], 0.0, pseudo.log(given))
        out[-1, :-1] = pseudo.log(alone)
        return out

    def left_out(
        self, codes: IntArray, y: CodeArray, weight: FloatArray, strength: float
    ) -> tuple[IntArray, FloatArray]:
        """The same for the cells of rows that were counted, leave-one-out: (rows, columns given and none,
        columns, classes). The codes are returned too, with a level that only this row has as missing."""
        rows, every, seen = np.arange(len(codes)), np.arange(len(self.levels)), codes >= 0
        both = seen[:, :, None] & seen[:, None, :]

        def without(counts: FloatArray, has: BoolArray) -> FloatArray:
            """Counts (rows, …, classes) less the row, where it has the cells."""
            less = np.zeros_like(counts)
            less[rows, ..., y] = has * weight.reshape(-1, *(1,) * (has.ndim - 1))
            return subtract_checked(counts, less, "rows")

        pooled = subtract_checked(self.single.sum(axis=1)[codes], seen * weight[:, None], "rows")
        total = without(np.repeat(self.total[every, every][None], len(codes), axis=0), seen)
        whole = total.sum(axis=2)
        share = pooled / np.where(whole > 0, whole, 1.0)
        alone = shrunk(without(self.single[codes], seen), total, share[:, :, None], strength)
        pair = without(self.pair[codes[:, :, None], codes[:, None, :]], both)
        given = shrunk(pair, without(self.beside[codes], both), alone[:, None], strength)

        known = seen & (pooled > 0)
        out = np.empty((len(codes), len(every) + 1, len(every), self.n_classes))
        out[:, -1] = pseudo.log(alone)
        out[:, :-1] = np.where(known[:, :, None, None], pseudo.log(given), out[:, -1:])
        out[:, every, every] = 0.0
        return np.where(known, codes, -1), np.where(known[:, None, :, None], out, 0.0)


def runs(rows: int, cells: int) -> list[slice]:
    """Slices of rows with about a million cells; ``cells`` per row."""
    step = max(1, (1 << 20) // max(1, cells))
    return [slice(start, min(rows, start + step)) for start in range(0, rows, step)]


def sample_levels(log_p: FloatArray, rng: "np.random.Generator") -> IntArray:
    """Draw one level per row from log probabilities (rows, levels)."""
    edges = np.exp(log_p).cumsum(axis=1)
    return np.asarray((rng.random((len(edges), 1)) * edges[:, -1:] >= edges).sum(axis=1))
