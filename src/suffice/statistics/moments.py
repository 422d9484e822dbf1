"""Weight, mean and sum of squared deviations of each column in each class. Never a sum of squares."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.numerics.arrays import BoolArray, FloatArray, IntArray
from suffice.numerics.double_double import Double, double
from suffice.statistics.base import NeverLearnedError, Statistic, check_taken, taken


@dataclass(frozen=True, eq=False)
class Moments(Statistic):
    """``weight``, ``mean`` and ``m2`` = Σ w (x − mean)², all (classes, columns); combined by Chan's formula.

    Mean and m2 carry a second double each (``mean_low``, ``m2_low``), so that adding a far outlier and taking it away again
    leaves what was there before.
    """

    weight: FloatArray
    mean: FloatArray
    m2: FloatArray
    mean_low: FloatArray
    m2_low: FloatArray

    grows: ClassVar[tuple[str, ...]] = ("weight", "m2", "m2_low")

    @classmethod
    def of(cls, weight: FloatArray, mean: FloatArray, m2: FloatArray) -> "Moments":
        """Moments that were just counted."""
        return cls(weight, mean, m2, np.zeros_like(mean), np.zeros_like(m2))

    @property
    def _mean(self) -> Double:
        return Double(self.mean, self.mean_low)

    @property
    def _m2(self) -> Double:
        return Double(self.m2, self.m2_low)

    def __add__(self, other: "Moments") -> "Moments":
        weight = self.weight + other.weight
        both = (self.weight > 0) & (other.weight > 0)
        step, spread = _between(self, other, np.where(both, weight, 1.0), both)
        # a side without weight lends nothing, not even its zero mean
        mean = self._mean.plus(step).where(self.weight > 0, other._mean)
        m2 = self._m2.plus(other._m2).plus(spread)
        return Moments(weight, mean.high, m2.high, mean.low, m2.low)

    def __sub__(self, other: "Moments") -> "Moments":
        weight = taken(self.weight, other.weight, "rows")
        some = weight > 0
        step, spread = _between(self, other, np.where(some, weight, 1.0), some & (other.weight > 0))
        mean = self._mean.minus(step)
        m2 = self._m2.minus(other._m2).minus(spread)
        # the rounding of a mean far from zero can leave this much behind
        slack = self.weight * (1e-13 * np.abs(self.mean)) ** 2
        check_taken(np.where(some, m2.high, 0.0), self.m2, other.m2 + spread.high, "of squared deviation", slack)
        self._check_nothing_left(other, ~some & (self.weight > 0), slack)
        nothing = double(np.zeros_like(weight))
        mean, m2 = mean.where(some, nothing), m2.where(some & (m2.high > 0), nothing)
        return Moments(weight, mean.high, m2.high, mean.low, m2.low)

    def _check_nothing_left(self, other: "Moments", gone: BoolArray, slack: FloatArray) -> None:
        """Where the last row goes, it must be one that was there."""
        deviation = np.sqrt(self.m2 / np.where(gone, self.weight, 1.0))
        off = np.abs(self.mean - other.mean) > 1e-6 * deviation + 1e-9 * np.abs(self.mean)
        off = off | (np.abs(self.m2 - other.m2) > 1e-6 * self.m2 + slack)
        wrong = np.argwhere(off & gone)
        if len(wrong):
            where = tuple(int(i) for i in wrong[0])
            raise NeverLearnedError("as the mean", float(self.mean[where]), float(other.mean[where]), where)

    def pooled(self) -> "Moments":
        """All classes taken together, as one class: pairs of classes, then pairs of pairs."""
        total = self
        while total.n_classes > 1:
            half: IntArray = np.arange(total.n_classes // 2)
            paired = total.keep(half) + total.keep(half + len(half))
            rest = total.keep(np.array([total.n_classes - 1]))
            total = (
                paired
                if total.n_classes % 2 == 0
                else paired.spread(half, len(half) + 1) + rest.spread(np.array([len(half)]), len(half) + 1)
            )
        return total


def _between(a: Moments, b: Moments, divisor: FloatArray, both: BoolArray) -> tuple[Double, Double]:
    """(mean_b − mean_a) n_b / divisor and (mean_b − mean_a)² n_a n_b / divisor, zero unless both sides are there."""
    nothing = double(np.zeros_like(divisor))
    delta = b._mean.minus(a._mean).where(both, nothing)
    step = delta.times(double(b.weight)).over(divisor)
    return step, delta.times(step).times(double(a.weight))
