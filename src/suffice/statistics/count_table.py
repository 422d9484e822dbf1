"""Number of documents with exactly k occurrences of a word, N[class, word, k]; counts are truncated at K − 1."""

from dataclasses import dataclass
from typing import ClassVar

from suffice.errors import MergeError
from suffice.numerics.arrays import FloatArray
from suffice.statistics.base import PoolableStatistic, subtract_checked


@dataclass(frozen=True, eq=False)
class CountTables(PoolableStatistic):
    """``table`` (classes, columns, K): the weight of the rows with value k in the column (for the last k, k or more)."""

    table: FloatArray

    extensive_fields: ClassVar[tuple[str, ...]] = ("table",)

    def __add__(self, other: "CountTables") -> "CountTables":
        return CountTables(self.table + other._table_of_size(self.table.shape[2]))

    def __sub__(self, other: "CountTables") -> "CountTables":
        return CountTables(subtract_checked(self.table, other._table_of_size(self.table.shape[2]), "rows with a count"))

    def pooled(self) -> "CountTables":
        """All classes pooled into one."""
        return CountTables(self.table.sum(axis=0, keepdims=True))

    def _table_of_size(self, size: int) -> FloatArray:
        if self.table.shape[2] != size:
            raise MergeError(
                f"Counts truncated at {self.table.shape[2] - 1} cannot be merged with counts truncated at {size - 1}",
                "both must be truncated alike",
                "Use one max_count for both",
            )
        return self.table
