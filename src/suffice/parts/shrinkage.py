"""Shrinkage of fitted scores toward the class shares."""

import numpy as np
from scipy import optimize

from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.posterior import log_posterior

_RIDGE = 1.0
_GUARD_ERRORS = 0.5  # standard errors that the gain must exceed


def shrinkage(log_prior: FloatArray, added: FloatArray, y: CodeArray, weight: FloatArray) -> float:
    """The w from 0 to 1 that maximises the likelihood of softmax(log prior + w · added), with a ridge toward 1.

    ``added`` must be out-of-fold. The result is 1 unless a smaller w gains more than the guard in standard errors.
    """
    every = np.arange(len(y))

    def log_p(w: float) -> FloatArray:
        return log_posterior(log_prior + w * added, log_prior)[every, y]

    def loss(w: float) -> float:
        return -float(weight @ log_p(w)) + 0.5 * _RIDGE * (w - 1) ** 2

    best = float(optimize.minimize_scalar(loss, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-3}).x)
    gain = weight * (log_p(best) - log_p(1.0))
    return best if gain.sum() > _GUARD_ERRORS * gain.std() * np.sqrt(len(gain)) else 1.0
