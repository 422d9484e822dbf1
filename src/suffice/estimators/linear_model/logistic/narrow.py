"""Few weights: Newton's method over the differences of the classes' weights to those of the first class."""

from dataclasses import dataclass

import numpy as np

from suffice.estimators.linear_model.logistic.problem import LogisticProblem, too_large
from suffice.numerics.arrays import FloatArray
from suffice.numerics.directions import Newton
from suffice.numerics.softmax import padded
from suffice.statistics.loss import Curvature, LossGradient

_MIN_ROWS_PER_CELL = 16  # rows per cell of the weights that the curvature is estimated on, if available
_MAX_CURVATURE_COST = 600  # largest cost of a curvature in eighths of a gradient; beyond it, L-BFGS is faster
_MAX_CURVATURE_CELLS = 2000  # cells of the weights: the curvature matrix has 32 MiB


def is_narrow(problem: LogisticProblem) -> bool:
    """Whether Newton's method is used: per row, the curvature costs as much as (cells / 8) gradients."""
    cells = (problem.features + 1) * (problem.classes - 1)
    return (
        cells <= _MAX_CURVATURE_CELLS
        and cells * min(1.0, _MIN_ROWS_PER_CELL * cells / problem.rows) <= _MAX_CURVATURE_COST
    )


@dataclass(frozen=True)
class NarrowPoint:
    """A flattened table of differences, without padding."""

    x: FloatArray
    value: float
    gradient: FloatArray
    columns: int
    bend: Curvature | None
    """Curvature computed with the gradient, from the first share of the rows."""

    @property
    def size(self) -> float:
        """The largest derivative; the first class's is minus the sum of the others'."""
        classes = self.gradient.reshape(-1, self.columns)
        return float(max(np.abs(classes).max(), np.abs(classes.sum(axis=1)).max()))

    def slope(self, direction: FloatArray) -> float:
        return float(self.gradient @ direction)


class Narrow:
    """The problem as a function of the differences u to the weights of the first class.

    Among the penalised weights w of K classes with given differences, those with sum zero minimise the penalty, which is
    |u|² − |Σu|² / K for each feature. Two classes have one vector of weights.
    """

    turn = 0.9

    def __init__(self, problem: LogisticProblem) -> None:
        self._problem = problem
        self._columns = problem.classes - 1
        shared = 0.0 if problem.classes == 2 else 1.0 / problem.classes
        self._penalty = np.eye(self._columns) - shared
        rows, cells = problem.rows, (problem.features + 1) * self._columns
        some = max(_MIN_ROWS_PER_CELL * cells, 4 * rows // cells)  # the latter costs half a gradient over all rows
        self._share = min(1.0, some / rows)

    def flat(self, table: FloatArray) -> FloatArray:
        """A (features + 1, classes − 1) table of differences as a starting point."""
        return np.ravel(table if self._problem.intercept else table[:-1])

    def table(self, x: FloatArray) -> FloatArray:
        """The inverse of ``flat``."""
        cells = x.reshape(-1, self._columns)
        return cells if self._problem.intercept else np.vstack([cells, np.zeros(self._columns)])

    def point(self, x: FloatArray) -> NarrowPoint:
        table = self.table(x)
        sums, bend = self._sums(table)
        penalty = self._problem.ridge[:, None] * (table @ self._penalty)
        value = sums.loss / self._problem.total + 0.5 * float((penalty * table).sum())
        gradient = sums.gradient[:, : self._columns] / self._problem.total + penalty
        return NarrowPoint(x, value, self.flat(gradient), self._columns, bend)

    def _sums(self, table: FloatArray) -> tuple[LossGradient, Curvature | None]:
        """Loss and gradient; if a pass over the rows is expensive, also the curvature, which the next step needs."""
        if not self._problem.is_streamed:
            return self._problem.loss(padded(table), self._columns), None
        both = self._problem.loss_and_curvature(padded(table), self._columns, self._share)
        return both.loss, both.curvature

    def direction_rule(self) -> Newton:
        return Newton(self._curvature, self._share)

    def _curvature(self, point: NarrowPoint, share: float) -> FloatArray:
        bend = point.bend if share == self._share else None
        if bend is None:
            bend = self._problem.curvature(padded(self.table(point.x)), self._columns, share)
        matrix = bend.mean
        if not np.isfinite(matrix).all():
            raise too_large()
        things = np.arange(self._problem.features + 1)
        by_thing = matrix.reshape(len(things), self._columns, len(things), self._columns)
        by_thing[things, :, things, :] += self._problem.ridge[:, None, None] * self._penalty
        return matrix[: point.x.size, : point.x.size]
