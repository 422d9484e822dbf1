"""Starting points of the descent: the previous weights, the shared-covariance Gaussian model, or the class shares.

Tables here have a row for each feature and one for the intercept, and the differences to the first class as columns.
"""

from collections.abc import Iterator

import numpy as np

from suffice.estimators.linear_model.logistic.problem import Batch, LogisticProblem
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.directions import solve_positive
from suffice.statistics import Scatter

_SAMPLED_ROWS_PER_FEATURE = 512  # from which the Gaussian model is estimated
_MAX_SCATTER_CELLS = 1 << 16  # of the scatter of a sample that is computed with each batch
_MIN_WITHIN_SHARE = 1e-4  # minimum share of a column's variance within the classes, which bounds the weights


def null_table(problem: LogisticProblem) -> FloatArray:
    """Zero weights, and intercepts at the log class shares."""
    table = np.zeros((problem.features + 1, problem.classes - 1))
    if problem.intercept:
        prior = _log_prior(problem)
        table[-1] = prior[1:] - prior[0]
    return table


def null_value(problem: LogisticProblem) -> float:
    """The penalised loss of ``null_table``: the entropy of the class shares."""
    if not problem.intercept:
        return float(np.log(problem.classes))
    prior = np.exp(_log_prior(problem))
    return float(-(problem.class_totals / problem.total) @ np.log(prior))


def gaussian_table(problem: LogisticProblem) -> FloatArray | None:
    """The weights of classes that are Gaussian with one covariance: Σ⁻¹ μ_c, and −½ μ_c Σ⁻¹ μ_c + log prior.

    A sample of the rows is enough for a start; None if the weights cannot be computed.
    """
    scatter = (problem.scatter or _scatter(problem)).scaled(problem.class_weight)
    weight, mean, total = scatter.weight, scatter.mean, scatter.weight.sum()
    if not np.isfinite(scatter.m2).all() or total == 0 or problem.rows <= problem.features + problem.classes:
        return None
    centre = weight @ mean / total
    away = np.where(weight[:, None] > 0, mean - centre, 0.0)
    within = scatter.m2.sum(axis=0) / total
    least = _MIN_WITHIN_SHARE * (np.diagonal(within) + weight @ away**2 / total)
    slope = solve_positive(within + np.diag(least + problem.ridge[:-1]), away.T)
    table = np.vstack([slope, np.zeros(problem.classes)])
    if problem.intercept:
        table[-1] = _log_prior(problem) - 0.5 * (away * slope.T).sum(axis=1) - centre @ slope
    return table[:, 1:] - table[:, :1]


def _scatter(problem: LogisticProblem) -> Scatter:
    step = _sampling(problem.rows, problem.features)
    classes, threads = problem.classes, problem.threads

    def parts(batch: Batch) -> Iterator[Scatter]:
        for x, y, weight in batch.every(step):
            yield Scatter.of(*kernels.scatter(x, y, classes, weight, threads))

    return problem.batches.total(parts)


def sample_scatter(batch: Batch, classes: int, threads: int) -> Scatter | None:
    """The scatter of a sample of a dense batch; None if it would be too large."""
    rows, features = batch.x.shape
    if classes * features**2 > _MAX_SCATTER_CELLS:
        return None
    ((x, y, weight),) = batch.every(_sampling(rows, features))
    return Scatter.of(*kernels.scatter(x, y, classes, weight, threads))


def _sampling(rows: int, features: int) -> int:
    """The step between sampled rows."""
    return max(1, rows // (_SAMPLED_ROWS_PER_FEATURE * features + 1))


def warm_table(coef: AnyArray, intercept: AnyArray) -> FloatArray:
    """The table of public coefficients: one row for two classes, else one per class."""
    table = np.vstack([np.asarray(coef, dtype=np.float64).T, np.asarray(intercept, dtype=np.float64)])
    return table if table.shape[1] == 1 else table[:, 1:] - table[:, :1]


def _log_prior(problem: LogisticProblem) -> FloatArray:
    """The log prior of the classes; a class of weight zero gets a small one."""
    totals = np.maximum(problem.class_totals, 1e-3 * problem.total / problem.classes)
    return np.asarray(np.log(totals / totals.sum()))
