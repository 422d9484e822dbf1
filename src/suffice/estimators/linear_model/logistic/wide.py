"""Many weights: L-BFGS over the weights of all classes, with columns centred and scaled implicitly."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from suffice.columns.matrix_table import sliced_rows
from suffice.estimators.linear_model.logistic.problem import Batch, LogisticProblem
from suffice.numerics import kernels
from suffice.numerics.arrays import FloatArray, inner
from suffice.numerics.directions import LBFGS
from suffice.numerics.softmax import stride
from suffice.statistics import Moments

_BATCH_CELLS = 1 << 18  # of sparse rows squared at a time


@dataclass(frozen=True)
class WidePoint:
    """A table of scaled weights."""

    x: FloatArray
    value: float
    gradient: FloatArray
    size: float

    def slope(self, direction: FloatArray) -> float:
        return inner(self.gradient, direction)


def typical_curvature(problem: LogisticProblem) -> float:
    """Half of p (1 − p) for equally probable classes: it falls as the classes separate."""
    return 0.5 * (1.0 - 1.0 / problem.classes) / problem.classes


class Wide:
    """The problem as a function of v: feature j has the weights v_j · scale_j, and the intercept is that of the centred
    features. In these terms the curvature is about one in every direction, so L-BFGS has little to learn."""

    turn = 0.9

    def __init__(self, problem: LogisticProblem) -> None:
        self._problem = problem
        self._columns = 1 if problem.classes == 2 else problem.classes
        mean, variance = column_moments(problem)
        self._mean = mean if problem.intercept else np.zeros_like(mean)
        curvature = typical_curvature(problem)
        bend = problem.ridge[:-1] + curvature * (variance if problem.intercept else variance + mean**2)
        scale = 1.0 / np.sqrt(np.where(bend > 0.0, bend, 1.0))
        self._scale = np.append(scale, 1.0 / np.sqrt(curvature) if problem.intercept else 0.0)[:, None]

    def flat(self, table: FloatArray) -> FloatArray:
        """A (features + 1, classes − 1) table of differences as a starting point."""
        weights = table if self._columns == 1 else np.insert(table, 0, 0.0, axis=1)
        out = np.zeros((len(table), stride(self._columns)))
        out[:, : self._columns] = weights - (weights.mean(axis=1, keepdims=True) if self._columns > 1 else 0.0)
        out[-1] += self._mean @ out[:-1]
        return np.divide(out, self._scale, out=np.zeros_like(out), where=self._scale > 0.0)

    def table(self, x: FloatArray) -> FloatArray:
        """The inverse of ``flat``."""
        weights = self._weights(x)[:, : self._columns]
        return weights if self._columns == 1 else weights[:, 1:] - weights[:, :1]

    def _weights(self, x: FloatArray) -> FloatArray:
        table = x * self._scale
        table[-1] -= np.einsum("j,jk->k", self._mean, table[:-1])
        return table

    def point(self, x: FloatArray) -> WidePoint:
        table = self._weights(x)
        sums = self._problem.loss(table, self._columns)
        gradient = sums.gradient / self._problem.total
        value = sums.loss / self._problem.total
        penalty = self._problem.ridge[:, None] * table
        value += 0.5 * inner(penalty, table)
        gradient += penalty
        size = max(float(gradient.max()), -float(gradient.min()))
        gradient[:-1] -= self._mean[:, None] * gradient[-1]
        gradient *= self._scale
        return WidePoint(x, value, gradient, size)

    def direction_rule(self) -> LBFGS:
        return LBFGS(inner)


def column_moments(problem: LogisticProblem) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of each column, over all rows."""
    factors, threads = problem.class_weight, problem.threads
    moments = problem.batches.total(lambda batch: _moments(batch, factors, threads))
    return moments.mean[0], moments.m2[0] / moments.weight[0]


def _moments(batch: Batch, factors: FloatArray, threads: int) -> Iterator[Moments]:
    x = batch.x
    if isinstance(x, np.ndarray):
        found = Moments.of(*kernels.moments(x, batch.y, len(factors), batch.weight, threads))
        yield found.scaled(factors).pooled()
        return
    run = max(1, _BATCH_CELLS * x.shape[0] // max(1, x.nnz))
    for start in range(0, x.shape[0], run):
        rows = slice(start, min(x.shape[0], start + run))
        some = sliced_rows(x, rows.start, rows.stop)
        weight = factors[batch.y[rows]] * (1.0 if batch.weight is None else batch.weight[rows])
        one = np.zeros(len(weight), np.int32)
        total = kernels.sparse_sums(some, one, 1, weight, None, threads)
        some.data = some.data.astype(np.float64) ** 2
        squares = kernels.sparse_sums(some, one, 1, weight, None, threads)
        count = np.full_like(total, weight.sum())
        mean = total / np.maximum(count, 1e-300)
        yield Moments.of(count, mean, np.maximum(squares - total * mean, 0.0))
