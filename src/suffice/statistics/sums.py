"""Weight and total of each column in each class: all that Bernoulli, Poisson, exponential and multinomial models need."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from suffice.numerics.arrays import FloatArray
from suffice.statistics.base import Statistic, check_taken, taken


@dataclass(frozen=True, eq=False)
class Sums(Statistic):
    """``weight`` of the cells that were there and ``total`` of their values, both (classes, columns)."""

    weight: FloatArray
    total: FloatArray

    grows: ClassVar[tuple[str, ...]] = ("weight", "total")

    def __add__(self, other: "Sums") -> "Sums":
        return type(self)(self.weight + other.weight, self.total + other.total)

    def __sub__(self, other: "Sums") -> "Sums":
        weight = taken(self.weight, other.weight, "rows")
        check_taken(self.total - other.total, self.total, other.total, "of the total")
        total = np.maximum(self.total - other.total, 0.0)
        gone = weight <= 0  # the last rows take all of the total with them
        check_taken(np.where(gone, -total, 0.0), self.total, other.total, "of the total")
        return Sums(weight, np.where(gone, 0.0, total))

    def pooled(self) -> Self:
        """All classes taken together, as one class."""
        return type(self)(self.weight.sum(axis=0, keepdims=True), self.total.sum(axis=0, keepdims=True))
