"""Weight, mean vector and centred second-moment matrix of the complete rows, by class."""

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
        """The scatter matrix of one class."""
        return FullCovariance(self.m2[klass])

    @property
    def variations(self) -> FloatArray:
        """The diagonals of the matrices, (classes, columns)."""
        return np.diagonal(self.m2, axis1=1, axis2=2)

    @staticmethod
    def _products(a: Double, b: Double) -> Double:
        return Double(a.high[:, :, None], a.low[:, :, None]).times(Double(b.high[:, None, :], b.low[:, None, :]))

    def __sub__(self, other: "Scatter") -> "Scatter":
        weight = subtract_checked(self.weight, other.weight, "complete rows")
        some = weight > 0
        mean, m2, _ = self._difference(other, weight)
        counted, difference = (np.diagonal(m, axis1=1, axis2=2) for m in (self.m2, m2.high))
        slack = self.weight[:, None] * (1e-13 * np.abs(self.mean)) ** 2
        check_difference(
            np.where(some[:, None], difference, 0.0), counted, counted - difference, "of squared deviation", slack
        )
        nothing, empty = double(np.zeros_like(mean.high)), double(np.zeros_like(m2.high))
        mean, m2 = mean.where(some[:, None], nothing), m2.where(some[:, None, None], empty)
        return Scatter.from_doubles(weight, mean, m2)

    def without_rows(self, x: FloatArray, y: CodeArray, weight: FloatArray) -> "ScattersWithoutRows":
        """This statistic without each of the given complete rows."""
        every = np.arange(len(y))
        counted, mean = self.weight[y], self.mean[y]
        left = subtract_checked(counted, weight, "complete rows")
        some = left > 0
        delta = x - mean
        step = delta * (weight / np.where(some, left, 1.0))[:, None]
        n, means = np.repeat(self.weight[:, None], len(y), axis=1), np.repeat(self.mean[:, None], len(y), axis=1)
        n[y, every], means[y, every] = left, np.where(some[:, None], mean - step, 0.0)
        removed = np.where(some[:, None], delta, 0.0) * np.sqrt(counted * weight / np.where(some, left, 1.0))[:, None]
        variations = np.diagonal(self.m2[y], axis1=1, axis2=2)
        slack = counted[:, None] * (1e-13 * mean) ** 2
        check_difference(variations - removed**2, variations, removed**2, "of squared deviation", slack)
        return ScattersWithoutRows(n, means, self.m2, y, removed)

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
class ScattersWithoutRows:
    """A scatter without each of several rows: ``weight`` (classes, rows), ``mean`` (classes, rows, columns), and ``m2`` of each
    class, from which row i subtracts rᵢ rᵢᵀ in class yᵢ, with r = ``removed``."""

    weight: FloatArray
    mean: FloatArray
    m2: FloatArray
    y: CodeArray
    removed: FloatArray

    def stacks(self) -> list[CovarianceStack]:
        """The matrices by class."""
        out = []
        for c, whole in enumerate(self.m2):
            mine = np.flatnonzero(self.y == c)
            matrices = np.repeat(whole[None], len(self.y), axis=0)
            matrices[mine] -= self.removed[mine, :, None] * self.removed[mine, None, :]
            matrices[mine[self.weight[c, mine] <= 0]] = 0.0
            out.append(CovarianceStack(matrices))
        return out

    @property
    def variations(self) -> FloatArray:
        """The diagonals of the matrices, (classes, rows, columns)."""
        return np.stack([np.maximum(stack.variances, 0.0) for stack in self.stacks()])
