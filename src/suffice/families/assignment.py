"""Blocks: columns with the family that models them."""

from collections.abc import Sequence
from dataclasses import dataclass

from suffice.columns.kinds import Name
from suffice.families.base import Family, Reads


@dataclass(frozen=True)
class Block:
    """A block: columns, the family that models them, and how they are read."""

    columns: Sequence[Name]
    family: Family
    reads: Reads

    @property
    def textbook(self) -> "Block":
        """The block under the likelihood of its columns."""
        family = self.family.textbook
        return self if family is self.family else Block(self.columns, family, family.reads)
