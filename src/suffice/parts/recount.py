"""Counts of parts over all rows, where more rows came than are kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.parts.part import Part


@dataclass(frozen=True, eq=False)
class PartCounts:
    """One statistic a part. It adds where the plans are the same."""

    each: tuple[Any, ...]

    @classmethod
    def of(
        cls, parts: Sequence[Part], read: Sequence[Any], y: CodeArray, n_classes: int, weight: FloatArray, threads: int
    ) -> "PartCounts":
        return cls(tuple(part.count(read, y, n_classes, weight, threads) for part in parts))

    def __add__(self, other: "PartCounts") -> "PartCounts":
        return PartCounts(tuple(a + b for a, b in zip(self.each, other.each, strict=True)))


Recount: TypeAlias = Callable[[Sequence[Part]], PartCounts]
"""Counts of all rows under the plans of some parts."""
