"""Weight, mean and sum of squared deviations of each column in each class. Never a sum of squares."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.numerics.arrays import FloatArray
from suffice.statistics.base import Statistic, taken


@dataclass(frozen=True, eq=False)
class Moments(Statistic):
    """``weight``, ``mean`` and ``m2`` = Σ w (x − mean)², all (classes, columns); combined by Chan's formula."""

    weight: FloatArray
    mean: FloatArray
    m2: FloatArray

    grows: ClassVar[tuple[str, ...]] = ("weight", "m2")

    def __add__(self, other: "Moments") -> "Moments":
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        delta = np.where(self.weight > 0, other.mean - self.mean, 0.0)
        # a side without weight lends nothing, not even its zero mean
        delta = np.where(other.weight > 0, delta, 0.0)
        mean = np.where(self.weight > 0, self.mean + share * delta, other.mean)
        return Moments(weight, mean, self.m2 + other.m2 + self.weight * share * delta**2)

    def __sub__(self, other: "Moments") -> "Moments":
        weight = taken(self.weight, other.weight, "rows")
        some = weight > 0
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=some)
        delta = np.where(other.weight > 0, other.mean - self.mean, 0.0)
        mean = np.where(some, self.mean - share * delta, 0.0)
        explained = other.m2 + np.where(some, self.weight * share * delta**2, 0.0)
        # the rounding of a mean far from zero can leave this much behind
        slack = self.weight * (1e-13 * np.abs(self.mean)) ** 2
        m2 = taken(self.m2, np.where(some, explained, np.minimum(explained, self.m2)), "of squared deviation", slack)
        return Moments(weight, mean, np.where(some, np.maximum(m2, 0.0), 0.0))

    def pooled(self) -> "Moments":
        """All classes taken together, as one class."""
        total = Moments(self.weight[:1], self.mean[:1], self.m2[:1])
        for c in range(1, self.n_classes):
            total = total + Moments(self.weight[c : c + 1], self.mean[c : c + 1], self.m2[c : c + 1])
        return total
