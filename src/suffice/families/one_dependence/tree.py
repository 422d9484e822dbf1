"""The maximum spanning tree of columns by conditional mutual information.

An edge adds the conditional mutual information of its two columns given the class, times the rows that have both, to the
log likelihood, so the maximum-likelihood tree is a maximum spanning tree. Its root is the column of largest mutual
information with the class.
"""

import numpy as np
from scipy import special

from suffice.families.one_dependence.conditionals import Conditionals
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray

_GAIN_DECIMALS = 9  # gains equal up to rounding are a tie; the first column wins


def tree(counted: Conditionals) -> IntArray:
    """The parent of each column, −1 for the root."""
    return np.asarray(_spanning_trees(_gains(counted)[None], _class_information(counted)[None])[0])


def trees_left_out(counted: Conditionals, codes: IntArray, y: CodeArray, weight: FloatArray) -> IntArray:
    """The parents for each of some counted rows, leave-one-out, (rows, columns)."""
    every, klass, w = np.arange(codes.shape[1]), y[:, None], weight[:, None]
    seen = codes >= 0

    def change(counts: FloatArray, less: FloatArray) -> FloatArray:
        return _x_log_x(np.maximum(counts - less, 0.0)) - _x_log_x(counts)

    single = counted.single
    pooled, total = single.sum(axis=1), counted.total[every, every]
    about = change(single[codes, klass], w) - change(total[every, klass], w)
    about += change(total.sum(axis=1)[None], w) - change(pooled[codes], w)
    class_information = _class_information(counted) + np.where(seen, about, 0.0)

    klass, w = klass[:, None], w[:, None]
    one_way = change(counted.beside[codes[:, :, None], every, klass], w)
    more = change(counted.pair[codes[:, :, None], codes[:, None, :], klass], w)
    more += change(counted.total[every[:, None], every, klass], w) - one_way - one_way.transpose(0, 2, 1)
    gains = _gains(counted) + np.where(seen[:, :, None] & seen[:, None, :], more, 0.0)
    return _spanning_trees(gains, class_information)


def _x_log_x(x: FloatArray) -> FloatArray:
    return np.asarray(special.xlogy(x, x))


def _gains(counted: Conditionals) -> FloatArray:
    """Gain in log likelihood of an edge between two columns, (columns, columns)."""
    one_way = counted.by_column(_x_log_x(counted.beside).sum(axis=2))
    together = counted.by_column(counted.by_column(_x_log_x(counted.pair).sum(axis=2)).T)
    return np.asarray(together - one_way - one_way.T + _x_log_x(counted.total).sum(axis=2))


def _class_information(counted: Conditionals) -> FloatArray:
    """Mutual information of each column and the class, times its rows."""
    every = np.arange(len(counted.levels))
    total = counted.total[every, every]
    by_level = _x_log_x(counted.single).sum(axis=1) - _x_log_x(counted.single.sum(axis=1))
    return np.asarray(counted.by_column(by_level) - _x_log_x(total).sum(axis=1) + _x_log_x(total.sum(axis=1)))


def _spanning_trees(gains: FloatArray, class_information: FloatArray) -> IntArray:
    """Prim's algorithm, for many tables of gains (rows, columns, columns) at once."""
    gains, rows = np.round(gains, _GAIN_DECIMALS), np.arange(len(gains))
    added = np.round(class_information, _GAIN_DECIMALS).argmax(axis=1)
    parent = np.full(class_information.shape, -1, dtype=np.int64)
    inside = np.zeros(class_information.shape, dtype=bool)
    best = np.full(class_information.shape, -np.inf)
    for _ in range(class_information.shape[1]):
        inside[rows, added] = True
        better = (gains[rows, added] > best) & ~inside
        best = np.where(better, gains[rows, added], best)
        parent = np.where(better, added[:, None], parent)
        added = np.where(inside, -np.inf, best).argmax(axis=1)
    return parent
