"""A correction of the log-odds by words: X V. X has the words of each document in several views (1 + log count, times the
root of the word's information), with rows of unit length over all views."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from suffice.columns.bags import Bags
from suffice.columns.vocabulary import Vocabulary
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, SparseRows
from suffice.numerics.ridge_correction import fit_correction

_RIDGE = 2.0
_MAX_DESIGN_CELLS = 1 << 26  # of V; beyond, only the most frequent words are corrected


@dataclass(frozen=True, eq=False)
class ViewCorrection:
    """V (words, classes) of one view over a vocabulary of its own, with the information of each word."""

    view: int
    vocabulary: Vocabulary
    information: FloatArray
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class Correction:
    """The corrections of some views of a text."""

    views: tuple[ViewCorrection, ...]

    def tempered(self, factor: float) -> "Correction":
        return Correction(tuple(replace(view, weights=factor * view.weights) for view in self.views))

    def scores(self, bags: Sequence[Bags], threads: int) -> FloatArray:
        """X V, (documents, classes), of documents in all views."""
        x = self._features(bags, threads)
        return np.asarray(sum(each @ view.weights for each, view in zip(x, self.views, strict=True)))

    def add_evidence(self, parts: Sequence[FloatArray], bags: Sequence[Bags], words: Sequence[AnyArray]) -> None:
        """The correction of each word, added to one (documents, words, classes) table a view; ``words`` are places in the
        vocabularies of the bags."""
        for each, view in zip(self._features(bags, 1), self.views, strict=True):
            x, mine = each.tocoo(), words[view.view]
            place = np.full(len(view.vocabulary), -1)
            known = view.vocabulary.find(bags[view.view].vocabulary.take(mine))
            place[known[known >= 0]] = np.flatnonzero(known >= 0)
            parts[view.view][x.row, place[x.col]] += x.data[:, None] * view.weights[x.col]

    def _features(self, bags: Sequence[Bags], threads: int) -> list[SparseRows]:
        return features([(bags[v.view].within(v.vocabulary, threads), v.information) for v in self.views])


def features(views: Sequence[tuple[Bags, FloatArray]]) -> list[SparseRows]:
    """(1 + log count) · √information of each view, rows of unit length over all of them."""
    values = [(1 + np.log(bags.counts)) * np.sqrt(information[bags.ids]) for bags, information in views]
    rows = [np.repeat(np.arange(bags.rows), np.diff(bags.indptr)) for bags, _ in views]
    square = sum(np.bincount(row, each**2, bags.rows) for row, each, (bags, _) in zip(rows, values, views, strict=True))
    length = np.maximum(np.sqrt(square), 1e-12)
    return [
        sp.csr_array((each / length[row], bags.ids, bags.indptr), shape=(bags.rows, len(bags.vocabulary)))
        for each, row, (bags, _) in zip(values, rows, views, strict=True)
    ]


def fit(
    x: SparseRows, y: CodeArray, weight: FloatArray | None, left_out: FloatArray, threads: int
) -> tuple[FloatArray, FloatArray]:
    """V and b."""
    ridge = _RIDGE / np.sqrt(max(1.0, x.nnz / max(1, x.shape[0])))
    return fit_correction(x, y, weight, left_out, ridge, threads)


def informative(documents: FloatArray, least: float, most: int) -> AnyArray:
    """The words to correct: those in at least ``least`` documents, at most ``most``, the most frequent."""
    some = np.flatnonzero(documents >= least)
    if len(some) > most:
        some = np.sort(some[np.argsort(-documents[some], kind="stable")[:most]])
    return some


def room(classes: int) -> int:
    """Maximum number of corrected words."""
    return max(1, _MAX_DESIGN_CELLS // max(1, classes))
