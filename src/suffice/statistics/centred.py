"""Base of second-moment statistics: weight, means, and centred sums of products."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from suffice.numerics.arrays import FloatArray
from suffice.numerics.double_double import Double
from suffice.statistics.base import Statistic


@dataclass(frozen=True, eq=False)
class Centred(Statistic):
    """``weight``, ``mean`` and ``m2``, a sum of squared (or multiplied) deviations from the mean.

    Mean and m2 carry a second double each (``mean_low``, ``m2_low``), so that adding and subtracting a far outlier
    is exact.
    """

    weight: FloatArray
    mean: FloatArray
    m2: FloatArray
    mean_low: FloatArray
    m2_low: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("weight", "m2", "m2_low")

    @classmethod
    def of(cls, weight: FloatArray, mean: FloatArray, m2: FloatArray) -> Self:
        """Moments that were just counted."""
        return cls(weight, mean, m2, np.zeros_like(mean), np.zeros_like(m2))

    @classmethod
    def joined(cls, weight: FloatArray, mean: Double, m2: Double) -> Self:
        """Moments that were added up."""
        return cls(weight, mean.high, m2.high, mean.low, m2.low)

    @property
    def exact_mean(self) -> Double:
        return Double(self.mean, self.mean_low)

    @property
    def exact_m2(self) -> Double:
        return Double(self.m2, self.m2_low)
