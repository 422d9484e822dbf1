"""Leave-one-out probabilities of the levels of one column.

Only the level of the row against the rest matters: counts and pseudo-counts of the rest are summed as one level, so the
cost does not depend on the number of levels. Rows of one class and level share a result.
"""

import numpy as np

from suffice.families import pseudo_counts as pseudo
from suffice.families.base import Rule
from suffice.numerics.arrays import BoolArray, CodeArray, FloatArray, IntArray
from suffice.statistics.base import subtract_checked


def left_out_levels(
    counts: FloatArray,
    alpha: FloatArray,
    persistent: BoolArray,
    rule: Rule,
    level: IntArray,
    y: CodeArray,
    weight: FloatArray | None,
) -> FloatArray:
    """log θ of the level of each row, (rows, classes), 0 where the code is −1 (missing).

    ``counts`` is (classes, levels); a level that is not ``persistent`` is unknown without its only row, and scores 0.
    """
    out = np.zeros((len(level), len(counts)))
    rows = np.flatnonzero(level >= 0)
    w = None if weight is None else weight[rows]
    v, klass, w, which = _kinds(level[rows].astype(np.int64), y[rows].astype(np.int64), w, counts.shape)
    elsewhere = subtract_checked(counts.sum(axis=0)[v], w, "rows")
    log_theta = pseudo.log(_theta(counts, alpha, rule, v, klass, w, elsewhere))
    known = persistent[v] | (elsewhere > 0)
    out[rows] = np.where(known[:, None], log_theta, 0.0)[which]
    return out


def _kinds(
    level: IntArray, klass: IntArray, weight: FloatArray | None, shape: tuple[int, ...]
) -> tuple[IntArray, IntArray, FloatArray, IntArray | slice]:
    """The distinct combinations of level, class and weight, and the index of each row among them."""
    if weight is not None:
        return level, klass, weight, slice(None)
    classes, levels = shape
    key = level * classes + klass
    if classes * levels <= max(1 << 16, len(key)):
        there = np.bincount(key, minlength=classes * levels) > 0
        kinds, which = np.flatnonzero(there), (np.cumsum(there) - 1)[key]
    else:
        kinds, which = np.unique(key, return_inverse=True)
    return kinds // classes, kinds % classes, np.ones(len(kinds)), which


def _theta(
    counts: FloatArray,
    alpha: FloatArray,
    rule: Rule,
    v: IntArray,
    klass: IntArray,
    weight: FloatArray,
    elsewhere: FloatArray,
) -> FloatArray:
    """θ (kinds, classes) of the level of each kind of row."""
    every = np.arange(len(v))
    pooled = counts.sum(axis=0)
    theta = pseudo.estimated(counts, pooled[None], alpha, rule)[:, v].T
    all_others = np.stack([elsewhere, subtract_checked(np.full(len(v), pooled.sum()), pooled[v], "rows")], axis=1)
    empty = np.flatnonzero(counts.sum(axis=1) <= 0)
    if rule == "mle" and len(empty):  # an empty class has the pooled estimate
        share = np.where(all_others.sum(axis=1) > 0, pseudo.mean(all_others, 0.0)[:, 0], 1 / counts.shape[1])
        theta[:, empty] = share[:, None]
    mine = subtract_checked(counts[klass, v], weight, "rows")
    # the mode cuts each level off at zero, so there the strengths of the rest add up instead of its counts
    amounts = pseudo.strengths(counts, alpha, rule) if rule == "map" else counts
    rest = subtract_checked(amounts.sum(axis=1)[klass], amounts[klass, v], "rows")
    alphas = np.stack([alpha[v], np.ones(len(v)) if rule == "map" else alpha.sum() - alpha[v]], axis=1)
    two = np.stack([mine, rest], axis=1)
    theta[every, klass] = pseudo.estimated(two, all_others, alphas, rule)[:, 0]
    for k in np.flatnonzero(pseudo.strengths(two, alphas, rule).sum(axis=1) <= 0):  # the class is empty
        whole, together = counts[klass[k]].copy(), pooled.copy()
        whole[v[k]], together[v[k]] = mine[k], elsewhere[k]
        theta[k, klass[k]] = pseudo.estimated(whole, together, alpha, rule)[v[k]]
    return theta
