"""Rows of correlated columns left out of the scatter: one small matrix for each row and class, many at once."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from suffice.families.multivariate_normal.normals import log_density
from suffice.numerics.arrays import BoolArray, CodeArray, FloatArray
from suffice.numerics.covariances import CovarianceStack
from suffice.statistics import Scatter

_BATCH_CELLS = 1 << 18  # of stacked matrices

Parameters: TypeAlias = Callable[
    [FloatArray, FloatArray, Sequence[CovarianceStack], FloatArray],
    tuple[FloatArray, list[CovarianceStack], FloatArray | None],
]
"""Means, covariances and degrees of freedom from weights, means, scatter matrices and their diagonals."""


def left_out_rows(
    parameters: Parameters,
    statistic: Scatter,
    x: FloatArray,
    y: CodeArray,
    weight: FloatArray,
    *,
    has_prior: bool,
    by_column: bool,
) -> tuple[FloatArray, BoolArray]:
    """log p of complete rows, (rows, classes), leave-one-out; and a mask of the rows for which it is reliable:
    no matrix is nearly singular, and no class without a prior is empty."""
    classes, columns = statistic.mean.shape
    out, good = np.empty((len(x), classes)), np.empty(len(x), dtype=bool)
    step = max(1, _BATCH_CELLS // (classes * columns**2))
    for start in range(0, len(x), step):
        rows = slice(start, start + step)
        less = statistic.without_rows(x[rows], y[rows], weight[rows])
        mean, made, dof = parameters(less.weight, less.mean, less.stacks(), less.variations)
        good[rows] = np.all([m.is_well_conditioned for m in made], axis=0) & (has_prior | (less.weight > 0).all(axis=0))
        with np.errstate(all="ignore"):  # for unreliable rows
            for c in range(classes):
                sigma = made[c if len(made) > 1 else 0]
                v = None if dof is None else dof[c]
                away = x[rows] - mean[c]
                if by_column:
                    t = None if v is None else v[:, None]
                    each = log_density(away**2 / sigma.variances, 1, np.log(sigma.variances), t)
                    out[rows, c] = each.sum(axis=1)
                else:
                    out[rows, c] = log_density(sigma.distances(away), columns, sigma.log_det, v)
    return out, good
