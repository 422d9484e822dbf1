"""Shrinkage of fitted scores toward the class shares."""

import numpy as np
from scipy import optimize

from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.posterior import log_posterior

_RIDGE = 1.0
_GUARD_ERRORS = 0.5  # standard errors that the gain must exceed


def shrinkage(log_prior: FloatArray, added: FloatArray, y: CodeArray, weight: FloatArray) -> float:
    """w from 0 to 1 under which softmax(log prior + w · added) is most likely, drawn to 1.

    What is ``added`` to the scores of each row must come from other rows. 1, unless less is better beyond a standard error.
    """
    every = np.arange(len(y))

    def log_p(w: float) -> FloatArray:
        return log_posterior(log_prior + w * added, log_prior)[every, y]

    def loss(w: float) -> float:
        return -float(weight @ log_p(w)) + 0.5 * _RIDGE * (w - 1) ** 2

    best = float(optimize.minimize_scalar(loss, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-3}).x)
    gain = weight * (log_p(best) - log_p(1.0))
    return best if gain.sum() > _GUARD_ERRORS * gain.std() * np.sqrt(len(gain)) else 1.0
