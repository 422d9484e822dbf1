"""Successes and trials of each column in each class."""

from dataclasses import dataclass

import numpy as np

from suffice.statistics.base import check_difference
from suffice.statistics.sums import Sums


@dataclass(frozen=True, eq=False)
class Successes(Sums):
    """``weight`` of the trials and ``total`` of the successes, both (classes, columns); successes never exceed
    trials."""

    def __sub__(self, other: "Sums") -> "Successes":
        left = super().__sub__(other)
        had, less = self.weight - self.total, other.weight - other.total
        check_difference(had - less, had, less, "failures", 1e-9 * self.weight)
        return Successes(left.weight, np.minimum(left.total, left.weight))
