"""Tables of two columns: what they say together beyond each alone."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from suffice.blend.coding import FINEST, RESOLUTIONS, Coding
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.tables import Residuals, Tables, pair_cells, pair_counts, pair_slopes, pair_starts, pair_tables

CONSTANT = 2.0  # rows that a cell of a pair has in hand before it says much
RIDGE = 30.0
_COLUMNS = 48  # looked at in pairs: those that say most alone
_CELLS = 1 << 25  # counted of pairs in all: 256 MiB
_EACH, _MOST = 5, 160  # pairs kept for each column, and in all
_LOOKS = ((4, None), (2, 2), (8, 2), (FINEST, 1))  # resolutions, and at how many times those kept they look


def most(columns: int) -> int:
    """How many pairs of so many columns are kept at most."""
    return min(_EACH * columns, _MOST)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of columns of a coding, each at some resolution, and how often their codes occur together."""

    columns: IntArray
    """(pairs, 2), places in the coding."""
    resolution: IntArray
    """How many groups a column of numbers has in each."""
    counts: FloatArray
    """(classes, cells of all pairs at the finest resolution)"""

    def only(self, coding: Coding, index: IntArray) -> "Pairs":
        """Some of them."""
        start = pair_starts(coding.sizes, self.columns)
        kept = [self.counts[:, start[k] : start[k + 1]] for k in index]
        counts = np.concatenate([np.zeros((len(self.counts), 0)), *kept], axis=1)
        return Pairs(self.columns[index], self.resolution[index], counts)

    def cells(self, coding: Coding) -> int:
        """How many there are in all, as columns are grouped."""
        return int(self.sizes(coding).prod(axis=1).sum())

    def sizes(self, coding: Coding) -> IntArray:
        """How many groups the two columns of each have, (pairs, 2)."""
        return np.stack([coding.grouped(r)[1] for r in RESOLUTIONS])[self._which[:, None], self.columns]

    def groups(self, coding: Coding) -> CodeArray:
        """The group of each code of the two columns of each, (2, pairs, codes)."""
        return np.stack([coding.grouped(r)[0] for r in RESOLUTIONS])[self._which, self.columns.T]

    @property
    def _which(self) -> IntArray:
        return np.searchsorted(RESOLUTIONS, self.resolution)

    def tables(self, coding: Coding, unit: FloatArray, threads: int) -> "PairTables":
        sizes, (left, right) = self.sizes(coding), self.groups(coding)
        # where each cell at the finest resolution goes
        start = pair_starts(coding.sizes, self.columns)
        pair = np.repeat(np.arange(len(sizes)), np.diff(start))
        u, v = np.divmod(np.arange(start[-1]) - start[pair], coding.sizes[self.columns[pair, 1]])
        ends = np.concatenate([[0], np.cumsum(sizes.prod(axis=1))]).astype(np.int64)
        at = ends[pair] + left[pair, u] * sizes[pair, 1] + right[pair, v]
        counts = np.stack([np.bincount(at, of_class, ends[-1]) for of_class in self.counts]).astype(np.float64)
        return PairTables(self, coding, sizes, ends, pair_tables(counts, sizes, unit, CONSTANT, threads))


@dataclass(frozen=True, eq=False)
class PairTables:
    """The scores of all pairs, (cells of all pairs, classes)."""

    pairs: Pairs
    coding: Coding
    sizes: IntArray
    start: IntArray
    tables: Tables

    @cached_property
    def _steps(self) -> CodeArray:
        """How far each code of the two columns of each pair leads into its table, (2, pairs, 1 + codes); code −1, which is
        the first, leads nowhere: −1."""
        left, right = self.pairs.groups(self.coding)
        steps = np.stack([left * self.sizes[:, 1:], right]).astype(np.int32)
        return np.concatenate([np.full((*steps.shape[:2], 1), -1, dtype=np.int32), steps], axis=2)

    def cells(self, codes: CodeArray, threads: int) -> CodeArray:
        """The cell of each row in each pair, (rows, pairs), −1 where one of the two says nothing."""
        return pair_cells(codes, self.pairs.columns, self._steps, threads)

    def weighted_rows(self, weights: FloatArray) -> FloatArray:
        """The full tables, each times its weight, as the kernel walks them."""
        return kernels.class_rows(self.tables.full.T * np.repeat(weights, np.diff(self.start)))


def choose(
    coding: Coding,
    loss: FloatArray,
    codes: CodeArray,
    y: CodeArray,
    weight: FloatArray | None,
    sampled: CodeArray,
    left: Residuals,
    unit: FloatArray,
    threads: int,
) -> Pairs:
    """The pairs that would explain most of what is left to be explained of ``sampled`` rows.

    One step of Newton along each pair, its ridge included, says how much; ``loss`` is that of each column alone.
    """
    n_classes = left.p.shape[1]
    pairs_counted = _CELLS // (n_classes * FINEST**2)
    columns = min(_COLUMNS, int((1 + np.sqrt(1 + 8 * pairs_counted)) / 2))
    best = np.sort(np.argsort(loss, kind="stable")[:columns])
    best = best[coding.sizes[best] > 1]
    i, j = np.triu_indices(len(best), 1)
    pairs = np.stack([best[j], best[i]], axis=1).astype(np.int64)
    if not len(pairs):
        return Pairs(pairs.reshape(0, 2), np.zeros(0, dtype=np.int64), np.zeros((n_classes, 0)))
    counts = pair_counts(codes, coding.sizes, pairs, y, n_classes, weight, threads)
    gains = np.zeros((len(RESOLUTIONS), len(pairs)))

    def look(resolution: int, some: IntArray) -> None:
        slope, curvature = pair_slopes(
            counts,
            coding.sizes,
            pairs[some],
            start[some],
            *coding.grouped(resolution),
            unit,
            CONSTANT,
            sampled,
            left,
            threads,
        )
        gain = np.where(slope > 0, slope**2 / (2 * (curvature + RIDGE)), 0.0)
        gains[RESOLUTIONS.index(resolution), some] = gain

    start = pair_starts(coding.sizes, pairs)
    keep = most(len(coding.sizes))
    numbers = np.array(coding.is_number)[pairs].any(axis=1)
    look(FINEST, np.flatnonzero(~numbers))  # categories have one resolution only
    some = np.flatnonzero(numbers)

    def promising(count: int) -> IntArray:
        return np.sort(some[np.argsort(-gains[:, some].max(axis=0), kind="stable")[:count]])

    # the finer, the dearer: each resolution for fewer of them
    for resolution, screened in _LOOKS:
        look(resolution, promising(len(some) if screened is None else screened * keep))
    # equals are taken in their order, whatever rounding makes of them
    order = np.argsort(-gains.ravel().astype(np.float32), kind="stable")[:keep]
    order = order[gains.ravel()[order] > 0]
    which, at = order // len(pairs), order % len(pairs)
    everything = Pairs(pairs, np.zeros(len(pairs), dtype=np.int64), counts).only(coding, at)
    return replace(everything, resolution=np.array(RESOLUTIONS, dtype=np.int64)[which])
