"""Counts of parts over all rows, if there are more than are kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from suffice.columns.blocks import TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.parts.part import AnyPart

_BATCH_CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class PartCounts:
    """One statistic per part. Sums require equal plans."""

    each: tuple[Any, ...]

    @classmethod
    def of(cls, parts: Sequence[AnyPart], read: Sequence[TableBlock], y: ClassCodes, threads: int) -> "PartCounts":
        """Count rows; wide rows are coded in batches."""
        step = max(1, _BATCH_CELLS // max(1, sum(len(block.names) for block in read)))
        total: PartCounts | None = None
        for start in range(0, max(1, len(y.codes)), step):
            rows = slice(start, start + step)
            some = [block.take(rows) for block in read]
            each = tuple(part.count(some, y[rows], threads) for part in parts)
            total = cls(each) if total is None else total + cls(each)
        assert total is not None
        return total

    def __add__(self, other: "PartCounts") -> "PartCounts":
        return PartCounts(tuple(a + b for a, b in zip(self.each, other.each, strict=True)))


Recount: TypeAlias = Callable[[Sequence[AnyPart]], PartCounts]
"""Counts of all rows under the plans of some parts."""
