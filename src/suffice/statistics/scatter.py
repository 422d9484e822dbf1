"""Weight, mean vector and centred second-moment matrix of the complete rows of each class."""

from dataclasses import dataclass

import numpy as np

from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.covariances import CovarianceStack, FullCovariance
from suffice.numerics.double_double import Double, double
from suffice.statistics.base import check_difference, subtract_checked
from suffice.statistics.centred import Centred


@dataclass(frozen=True, eq=False)
class Scatter(Centred):
    """``weight`` (classes), ``mean`` (classes, columns) and ``m2`` = Σ w (x − mean)(x − mean)ᵀ (classes, columns, columns).

    Rows with a missing cell are not counted.
    """

    def matrix(self, klass: int) -> FullCovariance:
        """The matrix of one class."""
        return FullCovariance(self.m2[klass])

    @property
    def variations(self) -> FloatArray:
        """Its diagonal, (classes, columns)."""
        return np.diagonal(self.m2, axis1=1, axis2=2)

    @staticmethod
    def _products(a: Double, b: Double) -> Double:
        return Double(a.high[:, :, None], a.low[:, :, None]).times(Double(b.high[:, None, :], b.low[:, None, :]))

    def __sub__(self, other: "Scatter") -> "Scatter":
        weight = subtract_checked(self.weight, other.weight, "complete rows")
        some = weight > 0
        mean, m2, _ = self._difference(other, weight)
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


@dataclass(frozen=True, eq=False)
class Scatters:
    """A scatter without each of some rows: ``weight`` (classes, rows), ``mean`` (classes, rows, columns), and ``m2`` of each
    class, from which row i has ``gone`` gᵢ gᵢᵀ of class yᵢ."""

    weight: FloatArray
    mean: FloatArray
    m2: FloatArray
    y: CodeArray
    gone: FloatArray

    def stacks(self) -> list[CovarianceStack]:
        """The matrices, a class at a time."""
        out = []
        for c, whole in enumerate(self.m2):
            mine = np.flatnonzero(self.y == c)
            matrices = np.repeat(whole[None], len(self.y), axis=0)
            matrices[mine] -= self.gone[mine, :, None] * self.gone[mine, None, :]
            matrices[mine[self.weight[c, mine] <= 0]] = 0.0
            out.append(CovarianceStack(matrices))
        return out

    @property
    def variations(self) -> FloatArray:
        """Their diagonals, (classes, rows, columns)."""
        return np.stack([np.maximum(stack.variances, 0.0) for stack in self.stacks()])
