"""Losses of rows from class codes and scores, (rows, classes)."""

import numpy as np

from suffice.numerics.arrays import AnyArray, FloatArray


def hits(codes: AnyArray, scores: FloatArray) -> FloatArray:
    """1 if the true class has the highest score, the first one of ties; otherwise 0."""
    return np.asarray(scores.argmax(axis=1) == codes, dtype=np.float64)


def log_losses(codes: AnyArray, log_posterior: FloatArray) -> FloatArray:
    """−log p(true class)."""
    return np.asarray(-log_posterior[np.arange(len(codes)), codes])


def brier_losses(codes: AnyArray, posterior: FloatArray) -> FloatArray:
    """The squared distance between the posterior and the truth."""
    own = posterior[np.arange(len(codes)), codes]
    return np.asarray((posterior**2).sum(axis=1) - own**2 + (1 - own) ** 2)
