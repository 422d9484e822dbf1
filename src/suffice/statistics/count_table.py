"""How often a word occurs exactly k times: N[class, word, k] of documents, counts above K − 1 being counted as K − 1."""

from dataclasses import dataclass
from typing import ClassVar

from suffice.errors import MergeError
from suffice.numerics.arrays import FloatArray
from suffice.statistics.base import PoolableStatistic, subtract_checked


@dataclass(frozen=True, eq=False)
class CountTables(PoolableStatistic):
    """``table`` (classes, columns, K): the weight of the rows in which the column has the value k (the last: k or more)."""

    table: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("table",)

    def __add__(self, other: "CountTables") -> "CountTables":
        return CountTables(self.table + other._of_size(self.table.shape[2]))

    def __sub__(self, other: "CountTables") -> "CountTables":
        return CountTables(subtract_checked(self.table, other._of_size(self.table.shape[2]), "rows with a count"))

    def pooled(self) -> "CountTables":
        """All classes taken together, as one class."""
        return CountTables(self.table.sum(axis=0, keepdims=True))

    def _of_size(self, size: int) -> FloatArray:
        if self.table.shape[2] != size:
            raise MergeError(
                f"Counts cut off at {self.table.shape[2] - 1} meet counts cut off at {size - 1}",
                "what was cut off cannot be told apart afterwards",
                "Use one max_count for both",
            )
        return self.table
