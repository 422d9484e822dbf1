"""Losses of rows from class codes and scores, (rows, classes)."""

import numpy as np

from suffice.numerics.arrays import AnyArray, FloatArray


def hits(codes: AnyArray, scores: FloatArray) -> FloatArray:
    """1 where a row's own class has the largest score, the first of equals counting; else 0."""
    return np.asarray(scores.argmax(axis=1) == codes, dtype=np.float64)


def log_losses(codes: AnyArray, log_posterior: FloatArray) -> FloatArray:
    """−log p(own class)."""
    return np.asarray(-log_posterior[np.arange(len(codes)), codes])


def brier_losses(codes: AnyArray, posterior: FloatArray) -> FloatArray:
    """The squared distance between the posterior and the truth."""
    own = posterior[np.arange(len(codes)), codes]
    return np.asarray((posterior**2).sum(axis=1) - own**2 + (1 - own) ** 2)
