"""Weights of the scores of a block."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Self

from suffice.numerics.arrays import FloatArray


class BlockWeights(ABC):
    """Weights that a density takes in ``weighted``."""

    @abstractmethod
    def tempered(self, factor: float) -> Self:
        """Times a factor."""

    @property
    def is_coherent(self) -> bool:
        """Whether its fields are consistent."""
        return True


@dataclass(frozen=True, eq=False)
class ColumnWeights(BlockWeights):
    """One weight for each column of a block, or one for a block that is scored as a whole."""

    values: FloatArray

    def tempered(self, factor: float) -> Self:
        return replace(self, values=factor * self.values)
