"""Calibration by an affine map of log-probabilities: temperature, Platt and vector scaling."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize

from suffice.decision.intake import check_posterior, logarithm
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.threads import thread_count
from suffice.posterior import log_sum_exp, posterior

_MIN_SLOPE = 1e-6


@dataclass(frozen=True, eq=False)
class Scaling:
    """p ↦ softmax(slope · log p + bias). A probability of zero stays zero."""

    slope: FloatArray
    bias: FloatArray

    @property
    def temperature(self) -> FloatArray:
        """Above one if the classifier was overconfident."""
        return 1.0 / self.slope

    def __call__(self, posteriors: ArrayLike) -> FloatArray:
        joint = self.slope * logarithm(check_posterior(posteriors, width=len(self.bias))) + self.bias
        return posterior(joint, np.full(len(self.bias), -np.log(len(self.bias))), thread_count())


def free_parameters(method: str, classes: int) -> FloatArray:
    """The basis of the free parameters in the slopes and biases of all classes, (2 · classes, parameters)."""
    all_slopes = np.repeat([[1.0], [0.0]], classes, axis=0)
    each = np.eye(2 * classes)
    return {
        "temperature": all_slopes,
        "platt": np.hstack([all_slopes, each[:, classes:]]),
        "vector": each,
    }[method]


def fit_scaling(method: str, p: FloatArray, codes: CodeArray) -> Scaling:
    """The maximum-a-posteriori map, with a unit normal prior around the identity, which keeps the slope finite if rows are
    separable and has little influence otherwise.

    A row whose true class has probability zero is ignored, since scaling does not change it.
    """
    classes = p.shape[1]
    spread = free_parameters(method, classes)
    possible = np.flatnonzero(p[np.arange(len(p)), codes] > 0)
    log_p, codes = logarithm(p[possible]), codes[possible]
    finite = np.where(np.isneginf(log_p), 0.0, log_p)
    own = (np.arange(len(codes)), codes)
    threads, rows = thread_count(), max(1, len(codes))

    def loss(theta: FloatArray) -> tuple[float, FloatArray]:
        """Mean negative log posterior of the parameters, and its gradient."""
        slope, bias = (spread @ theta).reshape(2, classes)
        joint = (1.0 + slope) * log_p + bias
        total = float((log_sum_exp(joint, threads) - joint[own]).sum() + 0.5 * theta @ theta)
        excess = posterior(joint, np.zeros(classes), threads)
        excess[own] -= 1.0
        gradient = np.concatenate([(excess * finite).sum(axis=0), excess.sum(axis=0)])
        return total / rows, (gradient @ spread + theta) / rows

    lower = np.where(spread[:classes].any(axis=0), _MIN_SLOPE - 1.0, -np.inf)
    found = optimize.minimize(
        loss,
        np.zeros(spread.shape[1]),
        jac=True,
        method="L-BFGS-B",
        bounds=optimize.Bounds(lower, np.inf),
        options={"maxiter": 1000, "ftol": 1e-15, "gtol": 1e-10},
    )
    slope, bias = (spread @ found.x).reshape(2, classes)
    return Scaling(1.0 + slope, bias)
