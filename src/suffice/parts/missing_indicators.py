"""Missing indicators: the log ratio of the probabilities that a cell is missing in a class and in all classes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from suffice.columns.blocks import TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.families.shrunk import ShrunkColumn, shrink, write_left_out
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.scored_rows import ScoredRows
from suffice.parts.part import Candidate, ColumnEvidence, TablePart, indicators

if TYPE_CHECKING:
    from suffice.parts.fitting import Fitting

_RIDGE = 30.0


@dataclass(frozen=True, eq=False)
class MissingIndicators(TablePart):
    """log p(missing | class) / p(missing) of some columns, shrunk toward 0, and likewise for present cells.

    An unseen level is a present cell; a column that a table lacks scores 0.
    """

    # counts: (classes, 2 · columns), present and missing cells of each column in turn
    columns: IntArray
    """Indices among the columns of all tables."""
    weights: FloatArray

    @staticmethod
    def most(fitting: "Fitting") -> int:
        return len(fitting.columns_with_missing)

    @classmethod
    def planned(cls, fitting: "Fitting") -> "Self | None":
        if not len(fitting.columns_with_missing):
            return None
        plan = cls(
            np.zeros((len(fitting.classes), 0)),
            fitting.columns_with_missing,
            np.zeros(len(fitting.columns_with_missing)),
        )
        kept = fitting.kept
        return plan.with_counts(plan.count(kept.tables, kept.class_codes(len(fitting.classes)), fitting.threads))

    def candidate(self, fitting: "Fitting") -> Candidate:
        def write(into: ScoredRows, first: int) -> None:
            rows = fitting.rows
            write_left_out(self._shrunk, self._cells(rows.tables), rows.left_out_weight, into, first, fitting.threads)

        return Candidate(np.full(len(self.columns), _RIDGE), shared=False, write=write)

    def weighted(self, weights: FloatArray, fitting: "Fitting", left_out: FloatArray) -> "Self | None":
        used = np.flatnonzero(weights > 0)
        if not len(used):
            return None
        counts = self.counts.reshape(len(self.counts), -1, 2)[:, used].reshape(len(self.counts), -1)
        return replace(self, columns=self.columns[used], counts=counts, weights=weights[used])

    def count(self, read: Sequence[TableBlock], y: ClassCodes, threads: int) -> FloatArray:
        cells = self._cells(read)
        out = np.zeros((y.n_classes, 2 * len(self.columns)))
        for j, at in enumerate(cells.T):
            there = at >= 0
            both = np.bincount(2 * y.codes[there] + at[there], y.weights[there], 2 * y.n_classes)
            out[:, 2 * j : 2 * j + 2] = both.reshape(y.n_classes, 2)
        return out

    def fits(self, columns: int) -> bool:
        return bool(self.columns.max(initial=0) < columns)

    def tempered(self, factor: float) -> Self:
        return replace(self, weights=factor * self.weights)

    def add_to(self, joint: FloatArray, read: Sequence[TableBlock], threads: int) -> None:
        low = np.zeros(len(self.columns), dtype=np.int64)
        kernels.add_table_scores(self._cells(read), low, self._start, self._rows, joint, threads)

    def evidence(self, read: Sequence[TableBlock], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        table = np.concatenate([self.table, np.zeros((len(self.table), 1))], axis=1)
        cells = self._cells(read)
        at = np.where(cells < 0, -1, cells + self._start[:-1])
        return [columns[j] for j in self.columns], table.T[at]

    def by_column(self, read: Sequence[TableBlock], columns: Sequence[str], seen: float) -> ColumnEvidence:
        """The evidence minus its mean over the counted rows."""
        _, parts = self.evidence(read, columns)
        mean = (self.table * self.counts.sum(axis=0)).reshape(len(self.table), -1, 2).sum(axis=2).T / seen
        out = ColumnEvidence.none(len(parts), len(columns), len(self.table))
        out.base[:] = mean.sum(axis=0)
        out.columns[:, self.columns] = parts - mean
        return out

    def linear_terms(self, columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        return [f"{columns[j]} is {state}" for j in self.columns for state in ("there", "missing")], self.table

    def linear_features(self, read: Sequence[TableBlock]) -> FloatArray:
        return indicators(self._cells(read), self._start)

    def _cells(self, read: Sequence[TableBlock]) -> CodeArray:
        """(rows, columns): 0 for a present cell, 1 for a missing one, −1 if the table lacks the column."""
        found = np.concatenate([block.missingness for block in read], axis=1)
        return np.ascontiguousarray(found[:, self.columns], dtype=np.int32)

    @property
    def _start(self) -> IntArray:
        return np.arange(len(self.columns) + 1, dtype=np.int64) * 2

    @cached_property
    def _shrunk(self) -> tuple[ShrunkColumn, ...]:
        each = (np.ascontiguousarray(self.counts[:, k : k + 2]) for k in self._start[:-1])
        return tuple(shrink(table, "tuned", binary=False) for table in each)

    @cached_property
    def _rows(self) -> FloatArray:
        """The table in the layout of the kernel."""
        return kernels.class_rows(self.table)

    @cached_property
    def table(self) -> FloatArray:
        """The weighted scores, (classes, 2 · columns)."""
        full = np.concatenate([c.tables.full for c in self._shrunk], axis=1)
        return np.asarray(full * np.repeat(self.weights, 2))
