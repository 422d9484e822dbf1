"""A discriminative correction of generative scores: multinomial ridge regression with the scores as offset.

softmax(z + X V + b), with z leave-one-out scores of the generative model, X features of each row and a ridge on V.
Because the offset is close to the optimum, a few steps of L-BFGS are enough. The last points fluctuate, so they are
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
from suffice.numerics.softmax import Targets, padded, sparse_loss_and_gradient

_STEPS, _AVERAGED = 7, 3
_CURVATURE_FACTOR = 0.3
_MAX_ROWS_OF_FACTOR = 4_000  # for one weight
_MAX_ROWS_OF_WEIGHTS = 20_000  # for several: with few misclassified rows, a smaller sample is too noisy
_MAX_WEIGHT, _TOLERANCE = 3.0, 1e-2
_SHARED_PRECISION = 10.0  # prior precision of the weights of corrections around their mean


@dataclass(frozen=True, eq=False)
class _Point:
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
    spread = _CURVATURE_FACTOR * _mean_curvature(left_out)
    # for two classes, curvature and ridge are those of one contrast
    ridge, spread = contrast_ridge(ridge, classes), contrast_ridge(spread, classes)
    offset = padded(to_contrasts(left_out))
    targets = Targets(y, weight, np.ones(classes), contrast_count(classes))
    # features are scaled by their curvature, so that a first step along the gradient is nearly a Newton step
    w = np.ones(len(y)) if weight is None else weight
    square = np.append(
        spread * (sp.csr_array((x.data**2, x.indices, x.indptr), x.shape).T @ w) + ridge, spread * w.sum()
    )
    scale = 1 / np.sqrt(np.maximum(square, 1e-9))[:, None]

    def evaluate(at: FloatArray) -> _Point:
        table = at.reshape(len(scale), -1) * scale
        value, gradient = sparse_loss_and_gradient(x, targets, offset, table, threads)
        gradient[:-1] += ridge * table[:-1]
        gradient *= scale
        return _Point(at, value + 0.5 * ridge * inner(table[:-1].ravel(), table[:-1].ravel()), gradient.ravel())

    start = evaluate(np.zeros(scale.size * offset.shape[1]))
    last: deque[FloatArray] = deque(maxlen=_AVERAGED)
    direction_rule = LBFGS(inner)
    descend(start, evaluate, direction_rule, tol=0.0, max_steps=_STEPS, report=lambda _, point: last.append(point.x))
    found = np.mean(last, axis=0).reshape(len(scale), -1) * scale
    table = from_contrasts(found[:, : contrast_count(classes)], classes)
    return table[:-1], table[-1]


def _mean_curvature(left_out: FloatArray) -> float:
    """The mean of p (1 − p)."""
    p = kernels.normalise(left_out.copy(), np.zeros(left_out.shape[1]), log=False, threads=1)
    return float((p * (1 - p)).mean())


def correction_weights(
    offset: FloatArray, corrections: FloatArray, y: CodeArray, weight: FloatArray
) -> tuple[float, FloatArray]:
    """Weights of an offset and of corrections (corrections, rows, classes): 0 ≤ w ≤ 1 and 0 ≤ β ≤ 3 that maximise the
    posterior of softmax(w · offset + Σ β · correction).

    Priors are normal: w ~ N(1, 1), the mean of the β ~ N(0, 1), and each β around that mean. Corrections must be out of
    sample. They overlap, since they were fitted jointly to a tempered offset.
    """
    some = slice(0, _MAX_ROWS_OF_WEIGHTS)
    w = weight[some] * (weight.sum() / max(weight[some].sum(), 1e-300))
    scores, y = np.concatenate([offset[None, some], corrections[:, some]]), y[some]
    every, even = np.arange(len(y)), np.zeros(offset.shape[1])
    own, count = scores[:, every, y], len(corrections)
    centre, precision = np.zeros(count + 1), np.eye(count + 1)
    centre[0] = 1.0
    precision[1:, 1:] = _SHARED_PRECISION * (np.eye(count) - 1 / count) + 1 / count**2

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        log_p = kernels.normalise(np.tensordot(at, scores, 1), even, log=True, threads=1)
        mean = (np.exp(log_p) * scores).sum(axis=2)
        away = precision @ (at - centre)
        return 0.5 * float(away @ (at - centre)) - float(w @ log_p[every, y]), away + (mean - own) @ w

    bounds = [(0.0, 1.0)] + [(0.0, _MAX_WEIGHT)] * count
    start = np.append(0.8, np.ones(count))
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return float(found.x[0]), np.asarray(found.x[1:], dtype=np.float64)


def correction_weight(left_out: FloatArray, correction: FloatArray, y: CodeArray, weight: FloatArray | None) -> float:
    """The weight of a correction: 0 ≤ β ≤ 3 that maximises the posterior of softmax(left-out + β · correction), β ~ N(0, 1).

    The correction must be out of sample. β may exceed 1, since the few steps of the fit may stop short of the optimum.
    """
    some = slice(0, None, max(1, -(-len(y) // _MAX_ROWS_OF_FACTOR)))  # scaled to all rows
    w = np.ones(len(y)) if weight is None else weight
    w = w[some] * (w.sum() / max(w[some].sum(), 1e-300))
    left_out, correction, y = left_out[some], correction[some], y[some]
    own, even = correction[np.arange(len(y)), y], np.zeros(left_out.shape[1])
    low, high, beta = 0.0, _MAX_WEIGHT, 1.0
    while True:  # Newton's method, with bisection if it leaves the bracket
        p = kernels.normalise(left_out + beta * correction, even, log=False, threads=1)
        mean = (p * correction).sum(axis=1)
        slope = beta + float(w @ (mean - own))
        curvature = 1.0 + float(w @ ((p * correction**2).sum(axis=1) - mean**2))
        low, high = (low, beta) if slope > 0 else (beta, high)
        there = beta - slope / curvature
        there = there if low <= there <= high else (low + high) / 2
        if abs(there - beta) < _TOLERANCE:
            return there
        beta = there
