"""Solution of a problem: choice of variables, starting point, and convergence."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from suffice.errors import DataError
from suffice.estimators.linear_model.logistic.narrow import Narrow, is_narrow
from suffice.estimators.linear_model.logistic.problem import InMemory, LogisticProblem
from suffice.estimators.linear_model.logistic.row_space import RowSpace, in_fewer_cells
from suffice.estimators.linear_model.logistic.start import gaussian_table, null_table, null_value
from suffice.estimators.linear_model.logistic.wide import Wide
from suffice.numerics.arrays import FloatArray
from suffice.numerics.blas import one_blas_thread
from suffice.numerics.descent import DirectionRule, Point, descend
from suffice.numerics.softmax import padded


class Space(Protocol):
    """A parametrisation of the problem. Tables have the differences of the weights of each class to those of the first."""

    turn: float

    def flat(self, table: FloatArray) -> FloatArray:
        """A table as a point."""

    def table(self, x: FloatArray) -> FloatArray:
        """A point as a table."""

    def point(self, x: FloatArray) -> Any: ...
    def direction_rule(self) -> DirectionRule: ...


@dataclass(frozen=True)
class Solution:
    """The weights, their penalised loss and the size of its gradient, and the number of steps."""

    table: FloatArray
    value: float
    size: float
    steps: int
    converged: bool


class NotFiniteError(DataError):
    """The initial loss is not finite: a value of X is not finite, or is too large."""


def solve(
    problem: LogisticProblem,
    warm: FloatArray | None,
    *,
    tol: float,
    max_steps: int,
    report: Callable[[int, Point], None],
) -> Solution:
    """Minimise from the weights ``warm``, or else from the best available start."""
    with one_blas_thread():
        space = _space(problem, warm)
        start = _start(problem, space, warm, max_steps)
        if not np.isfinite(start.value) or not np.isfinite(start.size):
            raise NotFiniteError(
                "The initial loss is not finite",
                "the values of X must be numbers of less than about 1e150",
                "Scale the columns",
            )
        end = descend(
            start,
            space.point,
            space.direction_rule(),
            tol=tol,
            max_steps=max_steps,
            slope_ratio=space.turn,
            report=report,
        )
    return Solution(space.table(end.point.x), end.point.value, end.point.size, end.steps, end.converged)


def _space(problem: LogisticProblem, warm: FloatArray | None) -> Space:
    if is_narrow(problem):
        return Narrow(problem)
    batches = problem.batches
    # initial weights need not be a sum of rows
    if warm is None and isinstance(batches, InMemory) and problem.ridge[-1] == 0.0:
        x = batches.batch.x
        if not isinstance(x, np.ndarray) and in_fewer_cells(problem, x):
            return RowSpace(problem, batches.batch)
    return Wide(problem)


def _start(problem: LogisticProblem, space: Space, warm: FloatArray | None, max_steps: int) -> Any:
    if warm is not None:
        return space.point(space.flat(warm))
    if max_steps == 0:  # the initial model
        return space.point(space.flat(np.zeros((problem.features + 1, problem.classes - 1))))
    if isinstance(space, Narrow):
        table = gaussian_table(problem)
        if table is not None:
            gaussian = space.point(space.flat(table))
            if gaussian.value < null_value(problem):  # not so under a strong penalty
                return gaussian
    return space.point(space.flat(null_table(problem)))


def is_separated(problem: LogisticProblem, table: FloatArray) -> bool:
    """Whether the weights separate the classes, so that the unpenalised loss has no finite minimum."""
    return problem.loss(padded(1e6 * table), problem.classes - 1).loss < 1e-10 * problem.total
