"""Exact binomial inference for a proportion, for every n."""

import bisect

import numpy as np
from scipy import special

from suffice.numerics.arrays import FloatArray, IntArray


def at_most(k: IntArray, n: IntArray, proportion: float) -> FloatArray:
    """P(at most k of n | proportion): the p-value of the hypothesis that the true proportion is at least ``proportion``.

    >>> at_most(np.array([0]), np.array([299]), 0.01).round(4)
    array([0.0495])
    """
    return np.where(k >= n, 1.0, special.betaincc(k + 1.0, np.maximum(n - k, 1.0), proportion))


def interval(k: FloatArray, n: FloatArray, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Clopper and Pearson's interval for a proportion, given k of n.

    >>> [float(end[0].round(4)) for end in interval(np.array([0.0]), np.array([10.0]))]
    [0.0, 0.3085]
    """
    tail = (1.0 - level) / 2.0
    low = np.where(k > 0, special.betaincinv(np.maximum(k, 1.0), n - k + 1.0, tail), 0.0)
    high = np.where(k < n, special.betaincinv(k + 1.0, np.maximum(n - k, 1.0), 1.0 - tail), 1.0)
    return low, high


def tolerance_rank(n: int, share: float, delta: float) -> int:
    """The smallest rank r (from 0) such that the r-th smallest of n i.i.d. values is exceeded by at most ``share`` of future
    values, with probability 1 − ``delta`` over the draw; n if there is none.

    >>> tolerance_rank(59, 0.05, 0.05)  # the largest of 59 suffices
    58
    """
    enough = 1.0 - delta
    return bisect.bisect_left(range(n), enough, key=lambda r: float(special.bdtr(r, n, 1.0 - share)))
