"""A short discriminative correction to the log-odds of counted words: ridge regression that starts where counting ends.

softmax(z + X V + b), z being left-out scores of the counted model, X the words of each document (1 + log count, times the
root of how much the word tells, rows of unit length) and V shrunk toward zero. Because counting is already close, seven steps
of L-BFGS are enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy import optimize

from suffice.columns.bags import Bags
from suffice.columns.labels import Label
from suffice.columns.vocabulary import Vocabulary
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, SparseRows, inner
from suffice.numerics.compasses import Memory
from suffice.numerics.descent import descend

_STEPS = 7
_RIDGE = 2.0
_CURVATURE = 0.3
_CELLS = 1 << 26  # of V: beyond, only the words that tell most are corrected


@dataclass(frozen=True, eq=False)
class Correction:
    """V (words, classes) over a vocabulary of its own, with how much each word tells."""

    classes: tuple[Label, ...]
    vocabulary: Vocabulary
    information: FloatArray
    weights: FloatArray
    bias: FloatArray

    def scores(self, bags: Bags, classes: Sequence[Label], threads: int) -> FloatArray:
        """X V + b, (documents, classes); nothing for a class that was not there when V was fitted."""
        x = features(bags.within(self.vocabulary, threads), self.information)
        found = np.asarray(x @ self.weights) + self.bias
        return found @ self._places(classes)

    def add_evidence(
        self, part: FloatArray, bags: Bags, words: AnyArray, vocabulary: Vocabulary, classes: Sequence[Label]
    ) -> None:
        """What V says of each word, added to a (documents, words, classes) table."""
        x = features(bags.within(self.vocabulary), self.information).tocoo()
        place = np.full(len(self.vocabulary), -1)
        known = self.vocabulary.find(vocabulary.take(words))
        place[known[known >= 0]] = np.flatnonzero(known >= 0)
        part[x.row, place[x.col]] += x.data[:, None] * (self.weights[x.col] @ self._places(classes))

    def _places(self, classes: Sequence[Label]) -> FloatArray:
        place = {label: i for i, label in enumerate(classes)}
        out = np.zeros((len(self.classes), len(classes)))
        for i, label in enumerate(self.classes):
            if label in place:
                out[i, place[label]] = 1.0
        return out


def features(bags: Bags, information: FloatArray) -> SparseRows:
    """(1 + log count) · √information, rows of unit length."""
    values = (1 + np.log(bags.counts)) * np.sqrt(information[bags.ids])
    row = np.repeat(np.arange(bags.rows), np.diff(bags.indptr))
    length = np.sqrt(np.bincount(row, values**2, bags.rows))
    values = values / np.maximum(length, 1e-12)[row]
    return sp.csr_array((values, bags.ids, bags.indptr), shape=(bags.rows, len(bags.vocabulary)))


def informative(documents: FloatArray, classes: int) -> AnyArray:
    """The words worth correcting: those of at least two documents, the most frequent if there are too many."""
    some = np.flatnonzero(documents >= 2)
    most = max(1, _CELLS // max(1, classes))
    if len(some) > most:
        some = np.sort(some[np.argsort(-documents[some], kind="stable")[:most]])
    return some


@dataclass(frozen=True, eq=False)
class _Place:
    """A place on the way down."""

    x: FloatArray
    value: float
    gradient: FloatArray

    @property
    def size(self) -> float:
        return float(np.abs(self.gradient).max(initial=0.0))

    def slope(self, direction: FloatArray) -> float:
        return inner(self.gradient, direction)


def fit_correction(
    x: SparseRows, y: CodeArray, weight: FloatArray | None, left_out: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """V and b after seven steps from zero."""
    rows, words = x.shape
    classes = left_out.shape[1]
    w = np.ones(rows) if weight is None else weight
    ridge = _RIDGE / np.sqrt(max(1.0, x.nnz / max(1, rows)))
    each, back = np.arange(rows), sp.csr_array(x.T)
    fallback = np.zeros(classes)

    def residuals(v: FloatArray, b: FloatArray) -> tuple[float, FloatArray]:
        log_p = kernels.normalise(left_out + x @ v + b, fallback, log=True, threads=1)
        value = -float((w * log_p[each, y]).sum())
        out = np.exp(log_p)
        out[each, y] -= 1
        return value, out * w[:, None]

    # with every word at the scale of its own curvature, a first step as long as the gradient is about Newton's
    p = np.exp(kernels.normalise(left_out.copy(), fallback, log=True, threads=1))
    spread = _CURVATURE * float((p * (1 - p)).mean())
    square = np.asarray(x.multiply(x).T @ w).ravel()
    scale = np.concatenate(
        [
            np.repeat(1 / np.sqrt(spread * square + ridge), classes),
            np.full(classes, 1 / np.sqrt(spread * w.sum() + 1e-9)),
        ]
    )

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        at = at * scale
        v, b = at[: words * classes].reshape(words, classes), at[words * classes :]
        value, residual = residuals(v, b)
        gradient = np.concatenate([(back @ residual + ridge * v).ravel(), residual.sum(axis=0)])
        return value + 0.5 * ridge * float((v**2).sum()), gradient * scale

    def place(at: FloatArray) -> _Place:
        return _Place(at, *loss(at))

    start = place(np.zeros(len(scale)))
    found = descend(start, place, Memory(inner), tol=0.0, max_steps=_STEPS).point.x * scale
    return found[: words * classes].reshape(words, classes), found[words * classes :]


def trust(left_out: FloatArray, correction: FloatArray, y: CodeArray, weight: FloatArray | None) -> float:
    """How much of a correction to believe: β from 0 to 3 that makes softmax(left-out + β · correction) most likely.

    The correction must come from other documents than these. So few steps may stop short, so β may be more than 1.
    """
    w = np.ones(len(y)) if weight is None else weight
    each, fallback = np.arange(len(y)), np.zeros(left_out.shape[1])

    def loss(beta: float) -> float:
        log_p = kernels.normalise(left_out + beta * correction, fallback, log=True, threads=1)
        return -float((w * log_p[each, y]).sum())

    return float(optimize.minimize_scalar(loss, bounds=(0.0, 3.0), method="bounded", options={"xatol": 1e-3}).x)
