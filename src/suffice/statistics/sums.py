"""Weight and total by class and column, sufficient for Bernoulli, Poisson, exponential and multinomial distributions."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from suffice.numerics.arrays import FloatArray
from suffice.statistics.base import PoolableStatistic, check_difference, subtract_checked


@dataclass(frozen=True, eq=False)
class Sums(PoolableStatistic):
    """``weight`` of the present cells and ``total`` of their values, both (classes, columns)."""

    weight: FloatArray
    total: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("weight", "total")

    def __add__(self, other: "Sums") -> "Sums":
        return type(self)(self.weight + other.weight, self.total + other.total)

    def __sub__(self, other: "Sums") -> "Sums":
        weight = subtract_checked(self.weight, other.weight, "rows")
        check_difference(self.total - other.total, self.total, other.total, "of the total")
        total = np.maximum(self.total - other.total, 0.0)
        emptied = weight <= 0  # without rows the total is exactly zero
        check_difference(np.where(emptied, -total, 0.0), self.total, other.total, "of the total")
        return Sums(weight, np.where(emptied, 0.0, total))

    def pooled(self) -> Self:
        """All classes pooled into one."""
        return type(self)(self.weight.sum(axis=0, keepdims=True), self.total.sum(axis=0, keepdims=True))
