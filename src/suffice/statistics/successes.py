"""How many of the tries succeeded, column by column and class by class."""

from dataclasses import dataclass

from suffice.statistics.base import taken
from suffice.statistics.sums import Sums


@dataclass(frozen=True, eq=False)
class Successes(Sums):
    """``weight`` of the tries and ``total`` of the successes, both (classes, columns); never more successes than tries."""

    def __sub__(self, other: "Sums") -> "Successes":
        left = super().__sub__(other)
        taken(self.weight - self.total, other.weight - other.total, "failures")
        return Successes(left.weight, left.total)
