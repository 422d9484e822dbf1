"""Class-wise sums over the words of documents, with a vocabulary that can be extended."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from suffice.columns.vocabulary import Vocabulary
from suffice.errors import ForgetError, quoted
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray, SparseRows
from suffice.statistics.base import RELATIVE_ROUNDING, Statistic, subtract_checked


@dataclass(frozen=True, eq=False)
class WordCounts(Statistic):
    """``documents`` (classes) and, over the words of a vocabulary, sparse ``tables`` (words, classes) of sums over documents.

    The family determines the sums: documents with the word, occurrences, or documents with at least k occurrences. Only
    non-zero cells are stored, so memory does not grow with the number of classes. Words are matched by spelling, and
    dropped if their sums are zero.
    """

    documents: FloatArray
    vocabulary: Vocabulary
    tables: tuple[SparseRows, ...]
    """In scipy's compressed sparse rows."""

    extensive_fields: ClassVar[tuple[str, ...]] = ("documents",)

    @classmethod
    def _array_names(cls) -> list[str]:
        return ["documents"]

    def __add__(self, other: "WordCounts") -> "WordCounts":
        vocabulary, numbers = self.vocabulary.extended(other.vocabulary)
        tables = tuple(
            _resized(a, len(vocabulary)) + _reindexed(b, numbers, len(vocabulary))
            for a, b in zip(self.tables, other.tables, strict=True)
        )
        return WordCounts(self.documents + other.documents, vocabulary, tables)

    def __sub__(self, other: "WordCounts") -> "WordCounts":
        documents = subtract_checked(self.documents, other.documents, "documents")
        numbers = self.vocabulary.find(other.vocabulary)
        if (numbers < 0).any():
            unknown = other.vocabulary.take(np.flatnonzero(numbers < 0)[:6]).strings()
            raise ForgetError(f"The word {quoted(unknown)} was never learned", "only what was learned can be forgotten")
        left = []
        for a, b in zip(self.tables, other.tables, strict=True):
            subtracted = _reindexed(b, numbers, len(self.vocabulary))
            table = a - subtracted
            largest = a.max() if a.nnz else 0.0
            negative = np.flatnonzero(table.data < -RELATIVE_ROUNDING * max(largest, 1.0))
            if len(negative):
                word = int(np.searchsorted(table.indptr, negative[0], side="right")) - 1
                raise ForgetError(
                    f"Asked to forget the word {self.vocabulary.take(np.array([word])).strings()[0]!r} more often than it was "
                    f"learned in one of the classes",
                    "only what was learned can be forgotten",
                )
            table.data[np.abs(table.data) <= 1e-12 * max(largest, 1.0)] = 0.0
            table.eliminate_zeros()
            left.append(table)
        return WordCounts(documents, self.vocabulary, tuple(left)).compact()

    def compact(self) -> "WordCounts":
        """The statistic without words whose sums are zero."""
        there = np.flatnonzero(sum(np.diff(t.indptr) for t in self.tables))
        if len(there) == len(self.vocabulary):
            return self
        return replace(self, vocabulary=self.vocabulary.take(there), tables=tuple(t[there] for t in self.tables))

    def scaled(self, factor: float | FloatArray) -> "WordCounts":
        by = np.broadcast_to(np.asarray(factor, dtype=np.float64), self.documents.shape)
        tables = tuple(_with_data(t, t.data * by[t.indices]) for t in self.tables)
        return replace(self, documents=self.documents * by, tables=tables)

    def reindex_classes(self, index: IntArray, n_classes: int) -> "WordCounts":
        documents = np.zeros(n_classes)
        documents[index] = self.documents
        tables = tuple(_sorted(t.data, index[t.indices], t.indptr, (t.shape[0], n_classes)) for t in self.tables)
        return replace(self, documents=documents, tables=tables)

    def select_classes(self, index: IntArray | CodeArray) -> "WordCounts":
        tables = tuple(t[:, index] for t in self.tables)
        return replace(self, documents=self.documents[index], tables=tables).compact()

    def reindex_columns(self, index: IntArray, n_columns: int) -> "WordCounts":
        return self  # a text column is a separate block

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, WordCounts)
            and super().__eq__(other)
            and self.vocabulary == other.vocabulary
            and all(not bool(abs(a - b).sum()) for a, b in zip(self.tables, other.tables, strict=True))
        )

    __hash__ = None


def _resized(table: SparseRows, words: int) -> SparseRows:
    if table.shape[0] == words:
        return table
    indptr = np.concatenate([table.indptr, np.full(words - table.shape[0], table.indptr[-1])])
    return sp.csr_array((table.data, table.indices, indptr), shape=(words, table.shape[1]))


def _reindexed(table: SparseRows, numbers: AnyArray, words: int) -> SparseRows:
    """The table with row i moved to index ``numbers[i]``."""
    sizes = np.zeros(words, dtype=np.int64)
    sizes[numbers] = np.diff(table.indptr)
    if not len(numbers) or (np.diff(numbers) > 0).all():  # sorted: cells keep their order
        return sp.csr_array(
            (table.data, table.indices, np.concatenate([[0], np.cumsum(sizes)])), (words, table.shape[1])
        )
    back = np.full(words, -1)
    back[numbers] = np.arange(len(numbers))
    inner = table[back[back >= 0]]
    return sp.csr_array((inner.data, inner.indices, np.concatenate([[0], np.cumsum(sizes)])), (words, table.shape[1]))


def _with_data(table: SparseRows, data: AnyArray) -> SparseRows:
    return sp.csr_array((data, table.indices, table.indptr), shape=table.shape)


def _sorted(data: AnyArray, indices: AnyArray, indptr: AnyArray, shape: tuple[int, int]) -> SparseRows:
    table = sp.csr_array((data, indices, indptr), shape=shape)
    table.sort_indices()
    return table
