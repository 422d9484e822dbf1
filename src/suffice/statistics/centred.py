"""Base of second-moment statistics: weights, means, and centred sums of products, combined by Chan's formula."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray
from suffice.numerics.double_double import Double, double
from suffice.statistics.base import Statistic


@dataclass(frozen=True, eq=False)
class Centred(Statistic):
    """``weight``, ``mean`` and ``m2``, a sum of squares or products of deviations from the mean.

    Mean and m2 are in double-double arithmetic (``mean_low``, ``m2_low``), so that adding and subtracting a far outlier is
    exact.
    """

    weight: FloatArray
    mean: FloatArray
    m2: FloatArray
    mean_low: FloatArray
    m2_low: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("weight", "m2", "m2_low")

    @classmethod
    def of(cls, weight: FloatArray, mean: FloatArray, m2: FloatArray) -> Self:
        """Moments computed from rows."""
        return cls(weight, mean, m2, np.zeros_like(mean), np.zeros_like(m2))

    @classmethod
    def from_doubles(cls, weight: FloatArray, mean: Double, m2: Double) -> Self:
        """Moments combined from others."""
        return cls(weight, mean.high, m2.high, mean.low, m2.low)

    @property
    def exact_mean(self) -> Double:
        return Double(self.mean, self.mean_low)

    @property
    def exact_m2(self) -> Double:
        return Double(self.m2, self.m2_low)

    @staticmethod
    @abstractmethod
    def _products(a: Double, b: Double) -> Double:
        """The products of deviations that are summed in ``m2``."""

    def __add__(self, other: Self) -> Self:
        weight = self.weight + other.weight
        both = (self.weight > 0) & (other.weight > 0)
        step, spread = self._between(other, np.where(both, weight, 1.0), both)
        # a side without weight contributes nothing, not even its zero mean
        mean = self.exact_mean.plus(step).where(_aligned(self.weight > 0, self.mean), other.exact_mean)
        return type(self).from_doubles(weight, mean, self.exact_m2.plus(other.exact_m2).plus(spread))

    def _difference(self, other: Self, weight: FloatArray) -> tuple[Double, Double, Double]:
        """Mean and m2 after subtraction of ``other``, where ``weight`` remains, and the part of m2 between the means."""
        some = weight > 0
        step, spread = self._between(other, np.where(some, weight, 1.0), some & (other.weight > 0))
        return self.exact_mean.minus(step), self.exact_m2.minus(other.exact_m2).minus(spread), spread

    def _between(self, other: Self, divisor: FloatArray, both: BoolArray) -> tuple[Double, Double]:
        """With δ = mean_b − mean_a: δ n_b / divisor and the products of δ with δ n_a n_b / divisor; 0 unless ``both``."""
        nothing = double(np.zeros_like(self.mean))
        delta = other.exact_mean.minus(self.exact_mean).where(_aligned(both, self.mean), nothing)
        step = delta.times(_weights(other.weight, self.mean)).over(_aligned(divisor, self.mean))
        return step, self._products(delta, step).times(_weights(self.weight, self.m2))


def _aligned(of_classes: AnyArray, like: FloatArray) -> AnyArray:
    """The array with trailing axes of length 1, to broadcast with ``like``."""
    return of_classes.reshape(of_classes.shape + (1,) * (like.ndim - of_classes.ndim))


def _weights(weight: FloatArray, like: FloatArray) -> Double:
    return double(np.broadcast_to(_aligned(weight, like), like.shape))
