"""The rows that weights are fitted to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.columns.blocks import TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.columns.stored_cells import Hashes
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Rows in an order that is independent of their classes, with weights in units of one row.

    ``left_out_weight`` is the weight subtracted when a row is left out: that of one observation, or the whole weight if weights
    do not count observations (``observed``). ``keys`` are hashes of the cells. ``alike`` numbers the distinct rows from
    0 in that order; rows that differ in their class only share a number.
    """

    y: CodeArray
    weight: FloatArray
    left_out_weight: FloatArray
    alike: IntArray
    keys: Hashes
    observed: bool
    tables: Sequence[TableBlock] = ()
    """The cells of the blocks that are discretised."""

    @property
    def count(self) -> int:
        return len(self.y)

    def class_codes(self, n_classes: int) -> ClassCodes:
        return ClassCodes(self.y, n_classes, self.weight)

    def take(self, rows: AnyArray | slice) -> "KeptRows":
        return replace(
            self,
            **{name: getattr(self, name)[rows] for name in ("y", "weight", "left_out_weight", "alike", "keys")},
            tables=[block.take(rows) for block in self.tables],
        )

    def first(self, most: int) -> "KeptRows":
        return self if most >= self.count else self.take(slice(0, most))

    def folds(self, k: int) -> CodeArray:
        """The fold of each row; equal rows share a fold."""
        return (self.alike % k).astype(np.int32)
