"""A short discriminative correction of the scores of the counted model: ridge regression with those scores as offset.

softmax(z + X V + b), with z leave-one-out scores of the counted model, X features of each row and V shrunk toward zero.
Because the counted model is close, a few steps of L-BFGS are enough. Their last point is erratic, so the last points are
averaged.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy import optimize

from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, SparseRows, inner
from suffice.numerics.contrasts import contrast_count, contrast_ridge, from_contrasts, to_contrasts
from suffice.numerics.descent import descend
from suffice.numerics.directions import LBFGS
from suffice.numerics.softmax import Targets, filled, sparse_loss_and_gradient

_STEPS, _AVERAGED = 7, 3
_CURVATURE = 0.3
_MOST_ROWS_OF_FACTOR = 4_000  # rows that suffice to fit one factor
_WEIGHED = 20_000  # for a few weights: where few rows are misclassified, a sample is too noisy
_LARGEST_WEIGHT, _NEAR = 3.0, 1e-2
_ALIKE = 10.0  # one over the variance of the weights of corrections around their mean


@dataclass(frozen=True, eq=False)
class _Place:
    """A point of the descent."""

    x: FloatArray
    value: float
    gradient: FloatArray

    @property
    def size(self) -> float:
        return float(np.abs(self.gradient).max(initial=0.0))

    def slope(self, direction: FloatArray) -> float:
        return inner(self.gradient, direction)


def fit_correction(
    x: SparseRows, y: CodeArray, weight: FloatArray | None, left_out: FloatArray, ridge: float, threads: int
) -> tuple[FloatArray, FloatArray]:
    """V and b: the mean of the last points of a few steps from zero."""
    classes = left_out.shape[1]
    spread = _CURVATURE * _spread(left_out)
    # curvature and ridge of two classes count once each
    ridge, spread = contrast_ridge(ridge, classes), contrast_ridge(spread, classes)
    offset = filled(to_contrasts(left_out))
    targets = Targets(y, weight, np.ones(classes), contrast_count(classes))
    # with every feature at the scale of its own curvature, a first step as long as the gradient is about Newton's
    w = np.ones(len(y)) if weight is None else weight
    square = np.append(
        spread * (sp.csr_array((x.data**2, x.indices, x.indptr), x.shape).T @ w) + ridge, spread * w.sum()
    )
    scale = 1 / np.sqrt(np.maximum(square, 1e-9))[:, None]

    def place(at: FloatArray) -> _Place:
        table = at.reshape(len(scale), -1) * scale
        value, gradient = sparse_loss_and_gradient(x, targets, offset, table, threads)
        gradient[:-1] += ridge * table[:-1]
        gradient *= scale
        return _Place(at, value + 0.5 * ridge * inner(table[:-1].ravel(), table[:-1].ravel()), gradient.ravel())

    start = place(np.zeros(scale.size * offset.shape[1]))
    last: deque[FloatArray] = deque(maxlen=_AVERAGED)
    direction_rule = LBFGS(inner)
    descend(start, place, direction_rule, tol=0.0, max_steps=_STEPS, report=lambda _, point: last.append(point.x))
    found = np.mean(last, axis=0).reshape(len(scale), -1) * scale
    table = from_contrasts(found[:, : contrast_count(classes)], classes)
    return table[:-1], table[-1]


def _spread(left_out: FloatArray) -> float:
    """The mean of p (1 − p)."""
    p = kernels.normalise(left_out.copy(), np.zeros(left_out.shape[1]), log=False, threads=1)
    return float((p * (1 - p)).mean())


def trust_each(
    offset: FloatArray, corrections: FloatArray, y: CodeArray, weight: FloatArray
) -> tuple[float, FloatArray]:
    """Weights of an offset and of several corrections, (corrections, rows, classes): w from 0 to 1 and β from 0 to 3 that
    maximise the likelihood of softmax(w · offset + Σ β · correction).

    Priors are normal: w around 1 and the mean of the β around 0, both of width 1, and each β around their mean.
    The corrections must come from other rows than these. They were fitted jointly and to a tempered offset, so they overlap.
    """
    some = slice(0, _WEIGHED)
    w = weight[some] * (weight.sum() / max(weight[some].sum(), 1e-300))
    scores, y = np.concatenate([offset[None, some], corrections[:, some]]), y[some]
    every, even = np.arange(len(y)), np.zeros(offset.shape[1])
    own, count = scores[:, every, y], len(corrections)
    centre, precision = np.zeros(count + 1), np.eye(count + 1)
    centre[0] = 1.0
    precision[1:, 1:] = _ALIKE * (np.eye(count) - 1 / count) + 1 / count**2

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        log_p = kernels.normalise(np.tensordot(at, scores, 1), even, log=True, threads=1)
        mean = (np.exp(log_p) * scores).sum(axis=2)
        away = precision @ (at - centre)
        return 0.5 * float(away @ (at - centre)) - float(w @ log_p[every, y]), away + (mean - own) @ w

    bounds = [(0.0, 1.0)] + [(0.0, _LARGEST_WEIGHT)] * count
    start = np.append(0.8, np.ones(count))
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return float(found.x[0]), np.asarray(found.x[1:], dtype=np.float64)


def trust(left_out: FloatArray, correction: FloatArray, y: CodeArray, weight: FloatArray | None) -> float:
    """The weight of a correction: β from 0 to 3 that maximises the likelihood of softmax(left-out + β · correction).

    The correction must come from other rows than these. So few steps may stop short, so β may be more than 1; as a normal
    prior of width 1 holds it to zero, a few rows cannot make it large.
    """
    some = slice(0, None, max(1, -(-len(y) // _MOST_ROWS_OF_FACTOR)))  # scaled to all rows
    w = np.ones(len(y)) if weight is None else weight
    w = w[some] * (w.sum() / max(w[some].sum(), 1e-300))
    left_out, correction, y = left_out[some], correction[some], y[some]
    own, even = correction[np.arange(len(y)), y], np.zeros(left_out.shape[1])
    low, high, beta = 0.0, _LARGEST_WEIGHT, 1.0
    while True:  # Newton's method, or bisection where it would leave the bracket
        p = kernels.normalise(left_out + beta * correction, even, log=False, threads=1)
        mean = (p * correction).sum(axis=1)
        slope = beta + float(w @ (mean - own))
        curvature = 1.0 + float(w @ ((p * correction**2).sum(axis=1) - mean**2))
        low, high = (low, beta) if slope > 0 else (beta, high)
        there = beta - slope / curvature
        there = there if low <= there <= high else (low + high) / 2
        if abs(there - beta) < _NEAR:
            return there
        beta = there
