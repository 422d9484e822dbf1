"""Weight, mean vector and centred second-moment matrix of the complete rows of each class."""

from dataclasses import dataclass

import numpy as np

from suffice.numerics.arrays import BoolArray, CodeArray, FloatArray, IntArray
from suffice.numerics.covariances import Stack, Whole
from suffice.numerics.double_double import Double, double
from suffice.statistics.base import check_difference, subtract_checked
from suffice.statistics.centred import Centred


@dataclass(frozen=True, eq=False)
class Scatter(Centred):
    """``weight`` (classes), ``mean`` (classes, columns) and ``m2`` = Σ w (x − mean)(x − mean)ᵀ (classes, columns, columns).

    Rows with a missing cell are not counted.
    """

    def matrix(self, klass: int) -> Whole:
        """The matrix of one class."""
        return Whole(self.m2[klass])

    @property
    def variations(self) -> FloatArray:
        """Its diagonal, (classes, columns)."""
        return np.diagonal(self.m2, axis1=1, axis2=2)

    def __add__(self, other: "Scatter") -> "Scatter":
        weight = self.weight + other.weight
        both = (self.weight > 0) & (other.weight > 0)
        step, spread = _between(self, other, np.where(both, weight, 1.0), both)
        mean = self.exact_mean.plus(step).where((self.weight > 0)[:, None], other.exact_mean)
        m2 = self.exact_m2.plus(other.exact_m2).plus(spread)
        return Scatter.joined(weight, mean, m2)

    def __sub__(self, other: "Scatter") -> "Scatter":
        weight = subtract_checked(self.weight, other.weight, "complete rows")
        some = weight > 0
        step, spread = _between(self, other, np.where(some, weight, 1.0), some & (other.weight > 0))
        mean = self.exact_mean.minus(step)
        m2 = self.exact_m2.minus(other.exact_m2).minus(spread)
        had, left = (np.diagonal(m, axis1=1, axis2=2) for m in (self.m2, m2.high))
        slack = self.weight[:, None] * (1e-13 * np.abs(self.mean)) ** 2
        check_difference(np.where(some[:, None], left, 0.0), had, had - left, "of squared deviation", slack)
        nothing, empty = double(np.zeros_like(mean.high)), double(np.zeros_like(m2.high))
        mean, m2 = mean.where(some[:, None], nothing), m2.where(some[:, None, None], empty)
        return Scatter.joined(weight, mean, m2)

    def without_rows(self, x: FloatArray, y: CodeArray, weight: FloatArray) -> "Scatters":
        """This statistic without each of some complete rows."""
        every = np.arange(len(y))
        had, mean = self.weight[y], self.mean[y]
        left = subtract_checked(had, weight, "complete rows")
        some = left > 0
        delta = x - mean
        step = delta * (weight / np.where(some, left, 1.0))[:, None]
        n, means = np.repeat(self.weight[:, None], len(y), axis=1), np.repeat(self.mean[:, None], len(y), axis=1)
        n[y, every], means[y, every] = left, np.where(some[:, None], mean - step, 0.0)
        gone = np.where(some[:, None], delta, 0.0) * np.sqrt(had * weight / np.where(some, left, 1.0))[:, None]
        variations = np.diagonal(self.m2[y], axis1=1, axis2=2)
        slack = had[:, None] * (1e-13 * mean) ** 2
        check_difference(variations - gone**2, variations, gone**2, "of squared deviation", slack)
        return Scatters(n, means, self.m2, y, gone)

    def reindex_columns(self, index: IntArray, n_columns: int) -> "Scatter":
        vectors, matrices = (
            np.zeros((2, self.n_classes, n_columns)),
            np.zeros((2, self.n_classes, n_columns, n_columns)),
        )
        for out, array in zip(vectors, (self.mean, self.mean_low), strict=True):
            out[:, index] = array
        for out, array in zip(matrices, (self.m2, self.m2_low), strict=True):
            out[:, index[:, None], index] = array
        return Scatter(self.weight, vectors[0], matrices[0], vectors[1], matrices[1])


def _between(a: Scatter, b: Scatter, divisor: FloatArray, both: BoolArray) -> tuple[Double, Double]:
    """δ n_b / divisor and δ δᵀ n_a n_b / divisor with δ = mean_b − mean_a, zero unless both have weight."""
    nothing = double(np.zeros_like(a.mean))
    delta = b.exact_mean.minus(a.exact_mean).where(both[:, None], nothing)
    step = delta.times(double(np.broadcast_to(b.weight[:, None], a.mean.shape))).over(divisor[:, None])
    rows = Double(delta.high[:, :, None], delta.low[:, :, None])
    columns = Double(step.high[:, None, :], step.low[:, None, :])
    return step, rows.times(columns).times(double(np.broadcast_to(a.weight[:, None, None], a.m2.shape)))


@dataclass(frozen=True, eq=False)
class Scatters:
    """A scatter without each of some rows: ``weight`` (classes, rows), ``mean`` (classes, rows, columns), and ``m2`` of each
    class, from which row i has ``gone`` gᵢ gᵢᵀ of class yᵢ."""

    weight: FloatArray
    mean: FloatArray
    m2: FloatArray
    y: CodeArray
    gone: FloatArray

    def stacks(self) -> list[Stack]:
        """The matrices, a class at a time."""
        out = []
        for c, whole in enumerate(self.m2):
            mine = np.flatnonzero(self.y == c)
            matrices = np.repeat(whole[None], len(self.y), axis=0)
            matrices[mine] -= self.gone[mine, :, None] * self.gone[mine, None, :]
            matrices[mine[self.weight[c, mine] <= 0]] = 0.0
            out.append(Stack(matrices))
        return out

    @property
    def variations(self) -> FloatArray:
        """Their diagonals, (classes, rows, columns)."""
        return np.stack([np.maximum(stack.variances, 0.0) for stack in self.stacks()])
