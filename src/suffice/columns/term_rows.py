"""Rows of a document-term matrix, with one column per word."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from suffice.columns.bags import Bags, cell_positions
from suffice.columns.documents import Rows
from suffice.columns.kinds import Name
from suffice.columns.vocabulary import Vocabulary
from suffice.numerics import text
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray, SparseRows

_MAX_COUNT = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class TermRows:
    """Word counts of documents in compressed sparse rows.

    Bags of words are available as from ``Documents``, without an analyser.
    """

    names: Sequence[Name]
    indptr: IntArray
    columns: CodeArray
    counts: CodeArray
    _bags: list[Bags] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, names: Sequence[Name], values: "AnyArray | SparseRows") -> "TermRows":
        """Rows from the cells above zero; missing cells are zero. Fractions are counted in units of the smallest of their row.

        >>> rows = TermRows.of(["tea", "milk"], np.array([[2.0, 3.0], [0.5, 0.0], [0.2, 0.8]]))
        >>> rows.counts.tolist()
        [2, 3, 1, 1, 4]
        """
        cells = sp.csr_array(values)
        there = cells.data > 0
        indptr, columns, amounts = cells.indptr.astype(np.int64), cells.indices, cells.data
        if not there.all():
            indptr = np.concatenate([[0], np.cumsum(there)])[indptr]
            columns, amounts = columns[there], amounts[there]
        return cls(names, indptr, columns.astype(np.int32), _counts(indptr, amounts.astype(np.float64)))

    @property
    def rows(self) -> int:
        return len(self.indptr) - 1

    @property
    def views(self) -> text.DocumentViews:
        """No row is missing, and none has text."""
        none = np.zeros(self.rows, np.int64)
        return text.DocumentViews(none.astype(np.uint64), none, np.full(self.rows, text.Form.UTF_8, np.uint8), None)

    def bags(self, analyser: None = None, threads: int = 1) -> Bags:
        """The bags over the words that occur, computed once."""
        if not self._bags:
            there = np.flatnonzero(np.bincount(self.columns, minlength=len(self.names)))
            place = np.full(len(self.names), -1, np.int32)
            vocabulary, place[there] = Vocabulary.of([str(self.names[j]) for j in there.tolist()], threads)
            rows = text.renumber(self.indptr, self.columns, self.counts, place, threads)
            total = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
            self._bags.append(Bags(vocabulary, *rows, np.diff(total[self.indptr])))
        return self._bags[0]

    def take(self, rows: Rows) -> "TermRows":
        indptr, cells = cell_positions(self.indptr, rows)
        return TermRows(self.names, indptr, self.columns[cells], self.counts[cells])


def _counts(indptr: IntArray, amounts: FloatArray) -> CodeArray:
    """Counts of a row unchanged if all are whole; otherwise divided by the smallest of the row and rounded."""
    sizes = np.diff(indptr)
    first = indptr[:-1][sizes > 0]
    if not len(first):
        return np.zeros(0, np.int32)
    least = np.minimum.reduceat(amounts, first)
    is_whole = np.logical_and.reduceat(amounts == np.rint(amounts), first)
    unit = np.repeat(np.where(is_whole, 1.0, least), sizes[sizes > 0])
    return np.asarray(np.minimum(np.rint(amounts / unit), _MAX_COUNT), dtype=np.int32)
