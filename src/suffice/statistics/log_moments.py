"""Weight, mean and mean logarithm by class and column, sufficient for a gamma distribution."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.numerics.arrays import FloatArray
from suffice.statistics.base import PoolableStatistic, check_difference, subtract_checked


@dataclass(frozen=True, eq=False)
class LogMoments(PoolableStatistic):
    """``weight``, ``mean`` of x and ``log_mean`` of log x, all (classes, columns)."""

    weight: FloatArray
    mean: FloatArray
    log_mean: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("weight",)

    def __add__(self, other: "LogMoments") -> "LogMoments":
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        return LogMoments(
            weight,
            self.mean + share * (other.mean - self.mean),
            self.log_mean + share * (other.log_mean - self.log_mean),
        )

    def __sub__(self, other: "LogMoments") -> "LogMoments":
        weight = subtract_checked(self.weight, other.weight, "rows")
        some = weight > 0
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=some)
        mean = np.where(some, self.mean - share * (other.mean - self.mean), 0.0)
        log_mean = np.where(some, self.log_mean - share * (other.log_mean - self.log_mean), 0.0)
        # means of positive numbers are positive and, by Jensen's inequality, at least exp of the mean logarithm
        floor = np.where(some, mean - np.exp(np.minimum(log_mean, 700.0)), 0.0)
        check_difference(floor, self.mean, other.mean, "as the mean", 1e-9 * np.abs(mean))
        last = np.where(some, 0.0, -np.abs(self.mean - other.mean))
        check_difference(last, self.mean, other.mean, "as the mean")
        return LogMoments(weight, mean, log_mean)

    def pooled(self) -> "LogMoments":
        """All classes pooled into one."""
        weight = self.weight.sum(axis=0, keepdims=True)
        share = np.divide(self.weight, weight, out=np.zeros_like(self.weight), where=weight > 0)
        return LogMoments(
            weight, (share * self.mean).sum(axis=0, keepdims=True), (share * self.log_mean).sum(axis=0, keepdims=True)
        )
