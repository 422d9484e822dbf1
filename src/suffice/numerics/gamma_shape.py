"""The shape of a gamma distribution from its mean and its mean logarithm."""

import numpy as np
from scipy import special

from suffice.numerics.arrays import FloatArray

_MAX_SHAPE = 1e8  # of a nearly constant column, so that shape and log-likelihood stay finite


def gamma_shape(log_gap: FloatArray) -> FloatArray:
    """Solve log k − ψ(k) = log_gap for k, where log_gap = log(mean x) − mean(log x) ≥ 0.

    Newton's method on 1/k (Minka 2002) from the closed-form start; it converges to machine precision in a few steps.

    >>> float(gamma_shape(np.array([np.log(3.0) - special.digamma(3.0)])).round(12)[0])
    3.0
    """
    gap = np.maximum(log_gap, 1 / (2 * _MAX_SHAPE))
    shape = (3 - gap + np.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    for _ in range(12):
        slope = 1 / shape - special.polygamma(1, shape)
        inverse = 1 / shape + (np.log(shape) - special.digamma(shape) - gap) / (shape**2 * slope)
        shape = np.where(inverse > 0, 1 / np.where(inverse > 0, inverse, 1.0), shape / 2)
    return np.asarray(np.clip(shape, 1e-12, _MAX_SHAPE))
