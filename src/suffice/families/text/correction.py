"""A correction to the log-odds of counted words: X V, X being the words of each document (1 + log count, times the root of
how much the word tells, rows of unit length)."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from suffice.columns.bags import Bags
from suffice.columns.vocabulary import Vocabulary
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, SparseRows
from suffice.numerics.ridge_correction import fit_correction

_RIDGE = 2.0
_CELLS = 1 << 26  # of V: beyond, only the words that tell most are corrected


@dataclass(frozen=True, eq=False)
class Correction:
    """V (words, classes) over a vocabulary of its own, with how much each word tells."""

    vocabulary: Vocabulary
    information: FloatArray
    weights: FloatArray

    def tempered(self, factor: float) -> "Correction":
        return replace(self, weights=factor * self.weights)

    def scores(self, bags: Bags, threads: int) -> FloatArray:
        """X V, (documents, classes)."""
        return np.asarray(features(bags.within(self.vocabulary, threads), self.information) @ self.weights)

    def add_evidence(self, part: FloatArray, bags: Bags, words: AnyArray, vocabulary: Vocabulary) -> None:
        """What V says of each word, added to a (documents, words, classes) table."""
        x = features(bags.within(self.vocabulary), self.information).tocoo()
        place = np.full(len(self.vocabulary), -1)
        known = self.vocabulary.find(vocabulary.take(words))
        place[known[known >= 0]] = np.flatnonzero(known >= 0)
        part[x.row, place[x.col]] += x.data[:, None] * self.weights[x.col]


def features(bags: Bags, information: FloatArray) -> SparseRows:
    """(1 + log count) · √information, rows of unit length."""
    values = (1 + np.log(bags.counts)) * np.sqrt(information[bags.ids])
    row = np.repeat(np.arange(bags.rows), np.diff(bags.indptr))
    length = np.sqrt(np.bincount(row, values**2, bags.rows))
    values = values / np.maximum(length, 1e-12)[row]
    return sp.csr_array((values, bags.ids, bags.indptr), shape=(bags.rows, len(bags.vocabulary)))


def fit(
    x: SparseRows, y: CodeArray, weight: FloatArray | None, left_out: FloatArray, threads: int
) -> tuple[FloatArray, FloatArray]:
    """V and b."""
    ridge = _RIDGE / np.sqrt(max(1.0, x.nnz / max(1, x.shape[0])))
    return fit_correction(x, y, weight, left_out, ridge, threads)


def informative(documents: FloatArray, classes: int) -> AnyArray:
    """The words worth correcting: those of at least two documents, the most frequent if there are too many."""
    some = np.flatnonzero(documents >= 2)
    most = max(1, _CELLS // max(1, classes))
    if len(some) > most:
        some = np.sort(some[np.argsort(-documents[some], kind="stable")[:most]])
    return some
