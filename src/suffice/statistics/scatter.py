"""Weight, mean vector and centred second-moment matrix of the complete rows of each class."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.numerics.arrays import BoolArray, FloatArray, IntArray
from suffice.numerics.double_double import Double, double
from suffice.statistics.base import Statistic, check_taken, taken


@dataclass(frozen=True, eq=False)
class Scatter(Statistic):
    """``weight`` (classes), ``mean`` (classes, columns) and ``m2`` = Σ w (x − mean)(x − mean)ᵀ (classes, columns, columns).

    A row with a missing cell counts for nothing here. As in ``Moments``, mean and m2 carry a second double each.
    """

    weight: FloatArray
    mean: FloatArray
    m2: FloatArray
    mean_low: FloatArray
    m2_low: FloatArray

    grows: ClassVar[tuple[str, ...]] = ("weight", "m2", "m2_low")

    @classmethod
    def of(cls, weight: FloatArray, mean: FloatArray, m2: FloatArray) -> "Scatter":
        """A scatter that was just counted."""
        return cls(weight, mean, m2, np.zeros_like(mean), np.zeros_like(m2))

    @property
    def _mean(self) -> Double:
        return Double(self.mean, self.mean_low)

    @property
    def _m2(self) -> Double:
        return Double(self.m2, self.m2_low)

    def __add__(self, other: "Scatter") -> "Scatter":
        weight = self.weight + other.weight
        both = (self.weight > 0) & (other.weight > 0)
        step, spread = _between(self, other, np.where(both, weight, 1.0), both)
        mean = self._mean.plus(step).where((self.weight > 0)[:, None], other._mean)
        m2 = self._m2.plus(other._m2).plus(spread)
        return Scatter(weight, mean.high, m2.high, mean.low, m2.low)

    def __sub__(self, other: "Scatter") -> "Scatter":
        weight = taken(self.weight, other.weight, "complete rows")
        some = weight > 0
        step, spread = _between(self, other, np.where(some, weight, 1.0), some & (other.weight > 0))
        mean = self._mean.minus(step)
        m2 = self._m2.minus(other._m2).minus(spread)
        had, left = (np.diagonal(m, axis1=1, axis2=2) for m in (self.m2, m2.high))
        slack = self.weight[:, None] * (1e-13 * np.abs(self.mean)) ** 2
        check_taken(np.where(some[:, None], left, 0.0), had, had - left, "of squared deviation", slack)
        nothing, empty = double(np.zeros_like(mean.high)), double(np.zeros_like(m2.high))
        mean, m2 = mean.where(some[:, None], nothing), m2.where(some[:, None, None], empty)
        return Scatter(weight, mean.high, m2.high, mean.low, m2.low)

    def spread_columns(self, index: IntArray, n_columns: int) -> "Scatter":
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
    """δ n_b / divisor and δ δᵀ n_a n_b / divisor with δ = mean_b − mean_a, zero unless both sides are there."""
    nothing = double(np.zeros_like(a.mean))
    delta = b._mean.minus(a._mean).where(both[:, None], nothing)
    step = delta.times(double(np.broadcast_to(b.weight[:, None], a.mean.shape))).over(divisor[:, None])
    rows = Double(delta.high[:, :, None], delta.low[:, :, None])
    columns = Double(step.high[:, None, :], step.low[:, None, :])
    return step, rows.times(columns).times(double(np.broadcast_to(a.weight[:, None, None], a.m2.shape)))
