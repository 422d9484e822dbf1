"""Log joint to posterior. The only place that normalises.

A row that is impossible under every class (log joint −inf throughout) gets the class prior: the cells do not separate
the classes.
"""

import math
from typing import Any

import numpy as np

from suffice.numerics import kernels
from suffice.numerics.arrays import FloatArray, IntArray

SUM_TOLERANCE = 1e-5
"""How far from one the probabilities of a row may sum: posteriors pass through single precision and files."""


def posterior(joint: FloatArray, log_prior: FloatArray, threads: int = 1) -> FloatArray:
    """p(class | row), (rows, classes), in place of the log joint: it is written over.

    >>> posterior(np.log([[0.088, 0.084]]), np.log([0.8, 0.2])).round(4)
    array([[0.5116, 0.4884]])
    """
    return kernels.normalise(joint, np.exp(log_prior), log=False, threads=threads)


def log_posterior(joint: FloatArray, log_prior: FloatArray, threads: int = 1) -> FloatArray:
    """log p(class | row), (rows, classes), in place of the log joint."""
    return kernels.normalise(joint, log_prior, log=True, threads=threads)


def most_probable(joint: FloatArray, log_prior: FloatArray, threads: int = 1) -> IntArray:
    """The place of the most probable class of each row, the first of equals."""
    return kernels.most_probable(joint, int(log_prior.argmax()), threads)


def log_sum_exp(values: Any, threads: int = 1) -> FloatArray:
    """log Σ exp over the last axis, without underflow; −inf where every entry is.

    Parameters
    ----------
    values : array-like of shape (…, n)
        Logarithms.
    threads : int, default=1
        Number of threads.

    Returns
    -------
    ndarray of shape (…,)
        The logarithm of the sums.

    Examples
    --------
    >>> float(log_sum_exp([-120.0, -121.0]).round(6))
    -119.686738
    >>> float(log_sum_exp([-np.inf, -np.inf]))
    -inf
    """
    array = np.atleast_1d(np.asarray(values, dtype=np.float64))
    flat = np.ascontiguousarray(array.reshape(math.prod(array.shape[:-1]), array.shape[-1]))
    return kernels.log_sum_exp(flat, threads).reshape(array.shape[:-1])
