"""Weight, mean and sum of squared deviations by class and column; never a sum of squares."""

from dataclasses import dataclass

import numpy as np

from suffice.numerics.arrays import BoolArray, CodeArray, FloatArray, IntArray
from suffice.numerics.double_double import Double, double
from suffice.statistics.base import NeverLearnedError, PoolableStatistic, check_difference, subtract_checked
from suffice.statistics.centred import Centred

_SQUARES_ROUNDING = 4e-15  # relative error of a sum of squares


@dataclass(frozen=True, eq=False)
class Moments(Centred, PoolableStatistic):
    """``weight``, ``mean`` and ``m2`` = Σ w (x − mean)², all (classes, columns); combined by Chan's formula."""

    @staticmethod
    def _products(a: Double, b: Double) -> Double:
        return a.times(b)

    def __sub__(self, other: "Moments") -> "Moments":
        weight = subtract_checked(self.weight, other.weight, "rows")
        some = weight > 0
        mean, m2, spread = self._difference(other, weight)
        # squared rounding error of a mean far from zero
        slack = self.weight * (1e-13 * np.abs(self.mean)) ** 2
        check_difference(np.where(some, m2.high, 0.0), self.m2, other.m2 + spread.high, "of squared deviation", slack)
        self._check_emptied(other, ~some & (self.weight > 0), slack)
        nothing = double(np.zeros_like(weight))
        mean, m2 = mean.where(some, nothing), m2.where(some & (m2.high > 0), nothing)
        return Moments.from_doubles(weight, mean, m2)

    def without_each(self, index: IntArray | CodeArray, rows: "Moments") -> "Moments":
        # m2 already has the rounding error of squares, so double precision is enough
        counted, mean, m2 = self.weight[index], self.mean[index], self.m2[index]
        weight = subtract_checked(counted, rows.weight, "rows")
        some = weight > 0
        delta = np.where(rows.weight > 0, rows.mean - mean, 0.0)
        step = delta * (rows.weight / np.where(some, weight, 1.0))
        difference = np.where(some, m2 - delta * step * counted, 0.0)
        excess = np.where(
            some, 0.0, np.abs(delta) - 1e-6 * np.sqrt(m2) - 1e-9 * np.abs(mean)
        )  # the last row is the mean
        slack = counted * (1e-13 * mean) ** 2
        check_difference(
            np.minimum(difference, -(np.maximum(excess, 0.0) ** 2)), m2, m2 - difference, "of squared deviation", slack
        )
        difference[difference <= _SQUARES_ROUNDING * m2 + slack] = 0.0
        return Moments.of(weight, np.where(some, mean - step, 0.0), difference)

    def _check_emptied(self, other: "Moments", emptied: BoolArray, slack: FloatArray) -> None:
        """Raise if the last subtracted row is not the mean."""
        deviation = np.sqrt(self.m2 / np.where(emptied, self.weight, 1.0))
        off = np.abs(self.mean - other.mean) > 1e-6 * deviation + 1e-9 * np.abs(self.mean)
        off = off | (np.abs(self.m2 - other.m2) > 1e-6 * self.m2 + slack)
        wrong = np.argwhere(off & emptied)
        if len(wrong):
            where = tuple(int(i) for i in wrong[0])
            raise NeverLearnedError("as the mean", float(self.mean[where]), float(other.mean[where]), where)

    def pooled(self) -> "Moments":
        """All classes pooled into one, by pairwise summation."""
        total = self
        while total.n_classes > 1:
            half: IntArray = np.arange(total.n_classes // 2)
            paired = total.select_classes(half) + total.select_classes(half + len(half))
            rest = total.select_classes(np.array([total.n_classes - 1]))
            total = (
                paired
                if total.n_classes % 2 == 0
                else paired.reindex_classes(half, len(half) + 1)
                + rest.reindex_classes(np.array([len(half)]), len(half) + 1)
            )
        return total
