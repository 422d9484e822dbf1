"""Pair tables: interaction scores of two columns, with a ridge correction of their cells."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from suffice.columns.blocks import TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.scored_rows import ScoredRows
from suffice.numerics.tables import LeaveOneOutTables, pair_cells, pair_counts, pair_slopes, pair_starts, pair_tables
from suffice.numerics.threads import thread_count
from suffice.parts.cell_correction import correct_cells
from suffice.parts.coding import FINEST, RESOLUTIONS, Coding
from suffice.parts.pair_shares import PairShares
from suffice.parts.part import Candidate, ColumnEvidence, TablePart, indicators

if TYPE_CHECKING:
    from suffice.parts.fitting import Fitting

CONSTANT = 2.0  # pseudo-rows that shrink the cell of a pair
RIDGE = 30.0
_MAX_PAIRED_COLUMNS = 48  # the most informative columns
_MAX_PAIR_CELLS = 1 << 25  # of the counts of all pairs: 256 MiB
_PAIRS_A_COLUMN, _MAX_PAIRS = 5, 160  # selected pairs per column, and in total
_SCREENS = (
    (4, None),
    (2, 2),
    (8, 2),
    (FINEST, 1),
)  # resolution, and how many times the selected pairs are screened at it


def _most(columns: int) -> int:
    return min(_PAIRS_A_COLUMN * columns, _MAX_PAIRS)


@dataclass(frozen=True, eq=False)
class Pairs(TablePart):
    """Pairs of columns of a coding, each at some resolution, and the joint counts of their codes."""

    # counts: (classes, cells of all pairs at the finest resolution)
    coding: Coding
    columns: IntArray
    """(pairs, 2): indices of columns in the coding."""
    resolution: IntArray
    """The resolution of each pair: the number of groups of a column of numbers."""
    weights: FloatArray
    correction: FloatArray
    """(grouped cells of all pairs, classes): the correction of their scores; (0, classes) without a correction."""

    @staticmethod
    def most(fitting: "Fitting") -> int:
        return _most(fitting.columns)

    @classmethod
    def planned(cls, fitting: "Fitting") -> "Self | None":
        coding = Coding.of(fitting.tables, fitting.columns_with_missing_codes)
        loss = np.array([c.loss for d in fitting.tables for c in d.columns])
        return cls._chosen(coding, loss, fitting)

    @classmethod
    def _chosen(cls, coding: Coding, loss: FloatArray, fitting: "Fitting") -> "Self | None":
        """The pairs with the largest gain on the residuals of some rows; None if there are none.

        Pairs are ranked by the gain of one ridge Newton step; ``loss`` is that of each column alone.
        """
        n_classes, kept, threads = len(fitting.classes), fitting.kept, fitting.threads
        pairs_counted = _MAX_PAIR_CELLS // (n_classes * FINEST**2)
        columns = min(_MAX_PAIRED_COLUMNS, int((1 + np.sqrt(1 + 8 * pairs_counted)) / 2))
        best = np.sort(np.argsort(loss, kind="stable")[:columns])
        best = best[coding.sizes[best] > 1]
        i, j = np.triu_indices(len(best), 1)
        pairs = np.stack([best[j], best[i]], axis=1).astype(np.int64)
        nothing = np.zeros((0, n_classes))
        if not len(pairs):
            return None
        codes, unit = fitting.codes(coding), np.ones(n_classes)
        counts = pair_counts(codes, coding.sizes, pairs, kept.y, n_classes, kept.weight, threads)
        some_rows, left = fitting.residuals()
        sampled = codes[some_rows]
        gains = np.zeros((len(RESOLUTIONS), len(pairs)))

        def screen(resolution: int, some: IntArray) -> None:
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
        keep = _most(len(coding.sizes))
        numbers = np.array(coding.is_number)[pairs].any(axis=1)
        screen(FINEST, np.flatnonzero(~numbers))  # categories have one resolution only
        some = np.flatnonzero(numbers)

        def promising(count: int) -> IntArray:
            return np.sort(some[np.argsort(-gains[:, some].max(axis=0), kind="stable")[:count]])

        # finer resolutions cost more, so each is tried for fewer pairs
        for resolution, screened in _SCREENS:
            screen(resolution, promising(len(some) if screened is None else screened * keep))
        # ties are broken by order, regardless of rounding
        order = np.argsort(-gains.ravel().astype(np.float32), kind="stable")[:keep]
        order = order[gains.ravel()[order] > 0]
        which, at = order // len(pairs), order % len(pairs)
        if not len(order):
            return None
        found = cls(counts, coding, pairs, np.zeros(len(pairs), np.int64), np.zeros(len(pairs)), nothing).only(at)
        return replace(found, resolution=np.array(RESOLUTIONS, dtype=np.int64)[which])

    def candidate(self, fitting: "Fitting") -> Candidate:
        def write(into: ScoredRows, first: int) -> None:
            cells, start, left_out_weight = self.cells(fitting), self.tables.start, fitting.rows.left_out_weight
            into.set_leave_one_out_by_weight(first, cells, start, left_out_weight, self._without, fitting.threads)

        return Candidate(np.full(len(self.columns), RIDGE), shared=False, write=write)

    def cells(self, fitting: "Fitting") -> CodeArray:
        """The cells of the rows that weights are fitted on."""
        return self.tables.cells(fitting.codes(self.coding)[fitting.span], fitting.threads)

    def weighted(self, weights: FloatArray, fitting: "Fitting", left_out: FloatArray) -> "Self | None":
        few, rows = fitting.few, fitting.rows
        start, cells = self.tables.start, self.cells(fitting)[few]
        rest = (cells, start, rows.y[few], rows.weight[few], left_out[few])
        correction, added = correct_cells(*rest, fitting.log_prior, fitting.threads)
        left_out[few] += added
        if correction is not None:
            self._correct_others(correction, fitting, left_out)
            return replace(self, weights=weights, correction=correction)
        used = np.flatnonzero(weights > 0)  # pairs without weight need no lookup
        return replace(self.only(used), weights=weights[used]) if len(used) else None

    def _correct_others(self, correction: FloatArray, fitting: "Fitting", left_out: FloatArray) -> None:
        """Add a correction to the left-out log joint of the rows that it was not fitted to."""
        others = slice(len(fitting.rows.y[fitting.few]), len(left_out))
        if others.start < others.stop:
            cells = self.tables.cells(fitting.codes(self.coding)[others], fitting.threads)
            rows, low = kernels.class_rows(correction.T), np.zeros(len(self.columns), dtype=np.int64)
            kernels.add_table_scores(cells, low, self.tables.start, rows, left_out[others], fitting.threads)

    def only(self, index: IntArray) -> "Self":
        """Some of the pairs, without correction."""
        start = pair_starts(self.coding.sizes, self.columns)
        kept = [self.counts[:, start[k] : start[k + 1]] for k in index]
        counts = np.concatenate([np.zeros((len(self.counts), 0)), *kept], axis=1)
        return replace(
            self,
            columns=self.columns[index],
            resolution=self.resolution[index],
            counts=counts,
            weights=self.weights[index],
            correction=np.zeros((0, len(counts))),
        )

    def count(self, read: Sequence[TableBlock], y: ClassCodes, threads: int) -> FloatArray:
        codes = self.coding.codes(read, threads)
        return pair_counts(codes, self.coding.sizes, self.columns, y.codes, y.n_classes, y.weight, threads)

    def fits(self, columns: int) -> bool:
        return len(self.coding.sizes) == columns

    def tempered(self, factor: float) -> Self:
        return replace(self, weights=factor * self.weights, correction=factor * self.correction)

    def add_to(self, joint: FloatArray, read: Sequence[TableBlock], threads: int) -> None:
        tables, rows, low = self.scored
        cells = tables.cells(self.coding.codes(read, threads), threads)
        kernels.add_table_scores(cells, low, tables.start, rows, joint, threads)

    def evidence(self, read: Sequence[TableBlock], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """By pair of columns."""
        tables, rows, _ = self.scored
        both: dict[str, FloatArray] = {}
        for k, at in enumerate(tables.cells(self.coding.codes(read), 1).T):
            i, j = self.columns[k]
            found = rows[np.where(at < 0, len(rows) - 1, tables.start[k] + at), : len(self.counts)]
            name = f"{columns[i]} × {columns[j]}"
            both[name] = both[name] + found if name in both else found
        return list(both), np.stack(list(both.values()), axis=1)

    def by_column(self, read: Sequence[TableBlock], columns: Sequence[str], seen: float) -> ColumnEvidence:
        shares = self._shares(seen)
        return ColumnEvidence(shares.base, shares.by_column(self.coding.codes(read)))

    def _shares(self, seen: float) -> PairShares:
        if seen not in self._made_shares:
            scores = self.scored[1][:-1, : len(self.counts)]
            counts = self._grouped.sum(axis=0)
            self._made_shares[seen] = PairShares.of(self.columns, self.groups, self.sizes, counts, scores, seen)
        return self._made_shares[seen]

    def linear_terms(self, columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """Indicators of cells, named by the bounds of groups of numbers and by levels."""
        tables, rows, _ = self.scored
        names = []
        for (i, j), (left, right) in zip(self.columns.tolist(), self.groups.transpose(1, 0, 2), strict=True):
            ours, theirs = self.coding.spelled(i, left), self.coding.spelled(j, right)
            names += [f"{columns[i]} {a} × {columns[j]} {b}" for a in ours for b in theirs]
        return names, rows[: int(tables.start[-1]), : len(self.counts)].T

    def linear_features(self, read: Sequence[TableBlock]) -> FloatArray:
        tables, _, _ = self.scored
        return indicators(tables.cells(self.coding.codes(read), 1), tables.start)

    @cached_property
    def _made_shares(self) -> dict[float, PairShares]:
        return {}

    @cached_property
    def scored(self) -> "tuple[PairTables, FloatArray, IntArray]":
        """The tables, their weighted and corrected scores in the layout of the kernel, and the lowest codes."""
        tables = self.tables
        rows = tables.weighted_rows(self.weights)
        rows[: len(self.correction), : len(self.counts)] += self.correction
        return tables, rows, np.zeros(len(self.weights), dtype=np.int64)

    @property
    def cell_count(self) -> int:
        """Number of grouped cells of all pairs."""
        return int(self.sizes.prod(axis=1).sum())

    @cached_property
    def sizes(self) -> IntArray:
        """Number of groups of the two columns of each pair, (pairs, 2)."""
        return np.stack([self.coding.grouped(r)[1] for r in RESOLUTIONS])[self._which[:, None], self.columns]

    @cached_property
    def groups(self) -> CodeArray:
        """The group of each code of the two columns of each pair, (2, pairs, codes)."""
        return np.stack([self.coding.grouped(r)[0] for r in RESOLUTIONS])[self._which, self.columns.T]

    @property
    def _which(self) -> IntArray:
        return np.searchsorted(RESOLUTIONS, self.resolution)

    def _without(self, weight: float) -> LeaveOneOutTables:
        """The tables without a row of some weight, by the cell and class of that row."""
        return self.tables.tables if weight == 1.0 else self._estimated(weight).tables

    @cached_property
    def tables(self) -> "PairTables":
        return self._estimated(1.0)

    def _estimated(self, weight: float) -> "PairTables":
        sizes, (left, right) = self.sizes, self.groups
        counts, unit = self._grouped, np.full(len(self.counts), weight)
        steps = np.stack([left * sizes[:, 1:], right]).astype(np.int32)
        return PairTables(self.columns, steps, self._ends, pair_tables(counts, sizes, unit, CONSTANT, thread_count()))

    @property
    def _ends(self) -> IntArray:
        """Offsets of the grouped cells of each pair, with the total at the end."""
        return np.concatenate([[0], np.cumsum(self.sizes.prod(axis=1))]).astype(np.int64)

    @cached_property
    def _grouped(self) -> FloatArray:
        """The counts of grouped cells, (classes, cells)."""
        sizes, (left, right), ends = self.sizes, self.groups, self._ends
        # the grouped cell of each cell at the finest resolution
        start = pair_starts(self.coding.sizes, self.columns)
        pair = np.repeat(np.arange(len(sizes)), np.diff(start))
        u, v = np.divmod(np.arange(start[-1]) - start[pair], self.coding.sizes[self.columns[pair, 1]])
        at = ends[pair] + left[pair, u] * sizes[pair, 1] + right[pair, v]
        return np.stack([np.bincount(at, of_class, ends[-1]) for of_class in self.counts]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class PairTables:
    """The scores of all pairs, (cells of all pairs, classes)."""

    columns: IntArray
    steps: CodeArray
    """Offsets into the table of each pair by code of its two columns, (2, pairs, codes)."""
    start: IntArray
    tables: LeaveOneOutTables

    @cached_property
    def _steps(self) -> CodeArray:
        """The same offsets with a first entry for code −1, which has no cell: −1."""
        nowhere = np.full((*self.steps.shape[:2], 1), -1, dtype=np.int32)
        return np.concatenate([nowhere, self.steps], axis=2)

    def cells(self, codes: CodeArray, threads: int) -> CodeArray:
        """The cell of each row in each pair, (rows, pairs), −1 where one of its two columns has no code."""
        return pair_cells(codes, self.columns, self._steps, threads)

    def weighted_rows(self, weights: FloatArray) -> FloatArray:
        """The full tables, each times its weight, in the layout of the kernel."""
        return kernels.class_rows(self.tables.full.T * np.repeat(weights, np.diff(self.start)))
