"""The directions along which classes with a shared covariance differ most."""

import numpy as np

from suffice.numerics.arrays import FloatArray
from suffice.numerics.covariances import Covariance


def discriminant_axes(
    mean: FloatArray, prior: FloatArray, covariance: Covariance, tolerance: float = 1e-10
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The centre of the classes, the axes (columns, at most classes − 1) and the strength of each.

    With B the class means around their centre, weighted by √prior, and B Σ^(−½) = U s Vᵀ, the axes are Σ^(−½) V: the within
    covariance along them is the identity, the between covariance diag(s²). Axes weaker than ``tolerance`` times the first
    are dropped.
    """
    centre = prior @ mean
    between = np.sqrt(prior)[:, None] * (mean - centre)
    left, strength, _ = np.linalg.svd(covariance.whitened(between), full_matrices=False)
    some = strength > tolerance * strength.max(initial=0.0)
    axes = covariance.solved(between).T @ left[:, some] / strength[some]
    return centre, axes, strength
