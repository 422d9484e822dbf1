"""Blocks: columns with the family that models them."""

from collections.abc import Sequence
from dataclasses import dataclass

from suffice.columns.blocks import BlockData
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.families.base import AnyDensities, AnyFamily, Reads, Rule
from suffice.numerics.arrays import FloatArray
from suffice.statistics import Statistic


@dataclass(frozen=True)
class Block:
    """A block: columns, the family that models them, and how they are read.

    A model has blocks of several types, with a statistic each. The type parameters of families (cells and statistic)
    are erased here, and only here. They always match, since a block reads and counts its own cells.
    """

    columns: Sequence[Name]
    family: AnyFamily
    reads: Reads

    @property
    def textbook(self) -> "Block":
        """The block with the textbook family of its columns."""
        family = self.family.textbook
        return self if family is self.family else Block(self.columns, family, family.reads)

    def observe(self, cells: BlockData, y: ClassCodes, threads: int) -> Statistic:
        """Count some rows."""
        counted: Statistic = self.family.observe(cells, y, threads)
        return counted

    def estimate(self, statistic: Statistic, rule: Rule, classes: Sequence[Label]) -> AnyDensities:
        """The densities of all classes."""
        return self.family.estimate(statistic, rule, classes)

    def left_out(
        self,
        statistic: Statistic,
        rule: Rule,
        classes: Sequence[Label],
        cells: BlockData,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        """log p(row's cells | class), (rows, classes), for rows that were learned, leave-one-out."""
        return self.family.left_out(statistic, rule, classes, cells, y, threads)

    def check(self, statistic: Statistic, classes: Sequence[Label]) -> None:
        """Raise if no density can be estimated from this statistic of all learned rows."""
        self.family.check(statistic, self.columns, classes)

    def is_compatible(self, statistic: Statistic, *, exactly: bool) -> bool:
        """Whether a statistic suffices for the settings of the family; if ``exactly``, whether it is the one they produce."""
        return self.family.is_compatible(statistic, exactly=exactly)

    def log_evidence(self, statistic: Statistic) -> FloatArray:
        """log p(all cells that were counted | their classes), the parameters integrated out."""
        return self.family.log_evidence(statistic)
