"""Successes and trials of each column in each class."""

from dataclasses import dataclass

import numpy as np

from suffice.statistics.base import check_difference
from suffice.statistics.sums import Sums


@dataclass(frozen=True, eq=False)
class Successes(Sums):
    """``weight`` of the trials and ``total`` of the successes, both (classes, columns); total ≤ weight."""

    def __sub__(self, other: "Sums") -> "Successes":
        difference = super().__sub__(other)
        counted, subtracted = self.weight - self.total, other.weight - other.total
        check_difference(counted - subtracted, counted, subtracted, "failures", 1e-9 * self.weight)
        return Successes(difference.weight, np.minimum(difference.total, difference.weight))
