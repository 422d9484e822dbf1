"""A short discriminative correction to the scores of what was counted: ridge regression that starts where counting ends.

softmax(z + X V + b), z being left-out scores of the counted model, X features of each row (words, cells of pairs of columns)
and V shrunk toward zero. Because counting is already close, a few steps of L-BFGS are enough.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy import optimize

from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, SparseRows, inner
from suffice.numerics.compasses import Memory
from suffice.numerics.descent import descend

_STEPS = 7
_CURVATURE = 0.3


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
    x: SparseRows, y: CodeArray, weight: FloatArray | None, left_out: FloatArray, ridge: float
) -> tuple[FloatArray, FloatArray]:
    """V and b after a few steps from zero."""
    rows, features = x.shape
    classes = left_out.shape[1]
    w = np.ones(rows) if weight is None else weight
    each, back = np.arange(rows), sp.csr_array(x.T)
    fallback = np.zeros(classes)

    def residuals(v: FloatArray, b: FloatArray) -> tuple[float, FloatArray]:
        log_p = kernels.normalise(left_out + x @ v + b, fallback, log=True, threads=1)
        value = -float((w * log_p[each, y]).sum())
        out = np.exp(log_p)
        out[each, y] -= 1
        return value, out * w[:, None]

    # with every feature at the scale of its own curvature, a first step as long as the gradient is about Newton's
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
        v, b = at[: features * classes].reshape(features, classes), at[features * classes :]
        value, residual = residuals(v, b)
        gradient = np.concatenate([(back @ residual + ridge * v).ravel(), residual.sum(axis=0)])
        return value + 0.5 * ridge * float((v**2).sum()), gradient * scale

    def place(at: FloatArray) -> _Place:
        return _Place(at, *loss(at))

    start = place(np.zeros(len(scale)))
    found = descend(start, place, Memory(inner), tol=0.0, max_steps=_STEPS).point.x * scale
    return found[: features * classes].reshape(features, classes), found[features * classes :]


def trust(left_out: FloatArray, correction: FloatArray, y: CodeArray, weight: FloatArray | None) -> float:
    """How much of a correction to believe: β from 0 to 3 that makes softmax(left-out + β · correction) most likely.

    The correction must come from other rows than these. So few steps may stop short, so β may be more than 1; as a normal
    prior of width 1 holds it to zero, a few rows cannot make it large.
    """
    w = np.ones(len(y)) if weight is None else weight
    each, fallback = np.arange(len(y)), np.zeros(left_out.shape[1])

    def loss(beta: float) -> float:
        log_p = kernels.normalise(left_out + beta * correction, fallback, log=True, threads=1)
        return 0.5 * beta**2 - float((w * log_p[each, y]).sum())

    return float(optimize.minimize_scalar(loss, bounds=(0.0, 3.0), method="bounded", options={"xatol": 1e-3}).x)
