"""The output of a tokeniser: bags of tokens, or token sequences."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.columns.documents import Rows
from suffice.columns.vocabulary import EMPTY_VOCABULARY, Vocabulary, inverse_permutation
from suffice.numerics import text
from suffice.numerics.arrays import AnyArray, CodeArray, IntArray, SparseRows


@dataclass(frozen=True, slots=True)
class Bags:
    """Counts of each token in each document, in compressed sparse rows over a vocabulary."""

    vocabulary: Vocabulary
    indptr: IntArray
    ids: CodeArray
    counts: CodeArray
    lengths: IntArray
    """Number of tokens of each document, including those outside the vocabulary."""
    ordered: bool = False
    """Whether the tokens, and the cells of each row, are sorted."""

    @classmethod
    def of(cls, found: text.TokenisedTexts) -> "Bags":
        return cls(Vocabulary(found.bytes, found.offsets), found.indptr, found.ids, found.counts, found.lengths)

    @classmethod
    def stacked(cls, batches: "Iterable[Bags]", threads: int = 1) -> "Bags":
        """Concatenate batches of documents; later batches extend the vocabulary."""
        vocabulary, parts = EMPTY_VOCABULARY, []
        for batch in batches:
            vocabulary, numbers = vocabulary.extended(batch.vocabulary, threads)
            parts.append((np.diff(batch.indptr), numbers[batch.ids], batch.counts, batch.lengths))
        if not parts:
            none = np.empty(0, np.int32)
            return cls(EMPTY_VOCABULARY, np.zeros(1, np.int64), none, none, np.empty(0, np.int64))
        sizes, ids, counts, lengths = (np.concatenate(part) for part in zip(*parts, strict=True))
        return cls(vocabulary, np.concatenate([[0], np.cumsum(sizes)]), ids, counts, lengths)

    @property
    def rows(self) -> int:
        return len(self.indptr) - 1

    @property
    def document_frequency(self) -> IntArray:
        """Number of documents with each token."""
        return np.bincount(self.ids, minlength=len(self.vocabulary))

    def matrix(self, dtype: Any = np.float64, kind: Any = None) -> SparseRows:
        """The counts as a documents × tokens matrix of a scipy ``kind``: by default, a sparse array."""
        index = np.int32 if len(self.ids) <= np.iinfo(np.int32).max else np.int64
        cells = self.counts.astype(dtype), self.ids.astype(index, copy=False), self.indptr.astype(index)
        matrix: SparseRows = (kind or sp.csr_array)(cells, shape=(self.rows, len(self.vocabulary)))
        return matrix

    def renumbered(self, vocabulary: Vocabulary, numbers: CodeArray, threads: int = 1) -> "Bags":
        """The bags over another vocabulary, in which token i is number ``numbers[i]``, or −1 if it is absent.

        Counts of tokens with the same number are summed. Each row is in the order of the numbers.
        """
        indptr, ids, counts = text.renumber(self.indptr, self.ids, self.counts, numbers, threads)
        return Bags(vocabulary, indptr, ids, counts, self.lengths)

    def sorted(self, threads: int = 1) -> "Bags":
        """The bags with sorted tokens, and the cells of each row in that order."""
        if self.ordered:
            return self
        return replace(self.renumbered(*self.vocabulary.sorted(threads), threads), ordered=True)

    def within(self, vocabulary: Vocabulary, threads: int = 1) -> "Bags":
        """The bags over another vocabulary; tokens outside it count only in ``lengths``."""
        return self.renumbered(vocabulary, vocabulary.find(self.vocabulary, threads), threads)

    def take(self, rows: Rows) -> "Bags":
        """A subset of the documents, over the tokens that occur in them."""
        if isinstance(rows, slice) and rows.indices(self.rows) == (0, self.rows, 1):
            return self
        indptr, cells = cell_positions(self.indptr, rows)
        ids = self.ids[cells]
        there = np.flatnonzero(np.bincount(ids, minlength=len(self.vocabulary)))
        found = Bags(self.vocabulary, indptr, ids, self.counts[cells], self.lengths[rows], self.ordered)
        return found if len(there) == len(self.vocabulary) else replace(found.selected(there), ordered=self.ordered)

    def selected(self, numbers: AnyArray, threads: int = 1) -> "Bags":
        """The bags with these tokens only, in this order."""
        place = np.full(len(self.vocabulary), -1, np.int32)
        place[numbers] = np.arange(len(numbers), dtype=np.int32)
        return self.renumbered(self.vocabulary.take(numbers, threads), place, threads)

    def hashed(self, width: int, threads: int = 1) -> SparseRows:
        """The counts as a documents × width matrix, each token in the column given by its hash."""
        indptr, ids, counts = text.renumber(self.indptr, self.ids, self.counts, self.vocabulary.hashed(width), threads)
        return sp.csr_array((counts, ids, indptr), shape=(self.rows, width))


def cell_positions(indptr: IntArray, rows: Rows) -> tuple[IntArray, IntArray]:
    """For a subset of CSR rows: their new ``indptr``, and the positions of their cells."""
    sizes, starts = np.diff(indptr)[rows], indptr[:-1][rows]
    starts_after = np.concatenate([[0], np.cumsum(sizes)])
    return starts_after, np.repeat(starts - starts_after[:-1], sizes) + np.arange(starts_after[-1])


@dataclass(frozen=True, slots=True)
class Sequences:
    """The tokens of each document, in order."""

    vocabulary: Vocabulary
    indptr: IntArray
    ids: CodeArray

    @classmethod
    def of(cls, found: text.TokenisedTexts) -> "Sequences":
        return cls(Vocabulary(found.bytes, found.offsets), found.indptr, found.ids)

    def bags(
        self,
        low: int,
        high: int,
        vocabulary: Vocabulary | None = None,
        numbers: CodeArray | None = None,
        threads: int = 1,
    ) -> Bags:
        """Bags of n-grams of ``low`` to ``high`` tokens, joined by spaces, sorted.

        With another vocabulary and the numbers of the tokens in it, n-grams are of its tokens; −1 skips a token.
        """
        if vocabulary is None or numbers is None:
            vocabulary, numbers = self.vocabulary, np.arange(len(self.vocabulary), dtype=np.int32)
        tokens, places = vocabulary.sorted(threads)
        found = text.ngrams(self.indptr, self.ids, np.append(places, np.int32(-1))[numbers], low, high, threads)
        order = text.sort_tokens(found.bytes, found.offsets, threads)
        joined = text.join_tokens(text.run_numbers(found), order, tokens.bytes, tokens.offsets, threads)
        bags = Bags.of(found).renumbered(Vocabulary(*joined), inverse_permutation(order), threads)
        if (tokens.bytes > ord(" ")).all():
            return replace(bags, ordered=True)  # as a space sorts before any character of a token
        return bags.renumbered(*Vocabulary.of(bags.vocabulary.strings(), threads), threads)  # spellings may coincide
