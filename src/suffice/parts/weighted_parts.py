"""Biases, block weights and parts: the fitted combination of all scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from suffice.columns.blocks import TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.columns.labels import Label
from suffice.families.weights import BlockWeights
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.parts.part import CALIBRATION, AnyPart, ColumnEvidence

P = TypeVar("P", bound=AnyPart)


@dataclass(frozen=True, eq=False)
class WeightedParts:
    """Biases, block weights and parts: everything fitted beside the block densities, as a function of the tally.

    The plans of its parts are fixed: learned or forgotten rows change the counts, and the weights stay until they are
    refitted.
    """

    classes: tuple[Label, ...]
    seen: FloatArray
    """The weight of the rows of each class in the counts of the parts."""
    unit: FloatArray
    """The weight of one observation of each class."""
    bias: FloatArray
    weights: tuple[BlockWeights, ...]
    """The weights of each weighted block."""
    parts: tuple[AnyPart, ...]
    learned: float = 0.0
    """The weight of rows learned since the weights were fitted."""
    forgotten: float = 0.0
    """The weight of rows forgotten since the weights were fitted."""

    @property
    def mean_unit(self) -> float:
        """The weight of one observation, over all classes."""
        return float(self.seen.sum() / (self.seen / self.unit).sum()) if self.seen.any() else float(self.unit.mean())

    def part(self, kind: type[P]) -> P | None:
        """The part of one kind; None if it has none."""
        return next((part for part in self.parts if isinstance(part, kind)), None)

    def add_to(self, joint: FloatArray, tables: Sequence[TableBlock], threads: int) -> None:
        """Add the biases and the parts."""
        joint += self.bias
        for part in self.parts:
            part.add_to(joint, tables, threads)

    def evidence(self, rows: int, tables: Sequence[TableBlock], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """The terms of ``add_to``: names, and (rows, names, classes)."""
        found = [([CALIBRATION], np.tile(self.bias, (rows, 1))[:, None])]
        found += [part.evidence(tables, columns) for part in self.parts]
        return [name for names, _ in found for name in names], np.concatenate([each for _, each in found], axis=1)

    def by_column(self, rows: int, tables: Sequence[TableBlock], columns: Sequence[str]) -> ColumnEvidence:
        """The evidence by column."""
        seen = float((self.seen / self.unit).sum())
        out = ColumnEvidence.none(rows, len(columns), len(self.bias))
        out.base[:] = self.bias
        for part in self.parts:
            found = part.by_column(tables, columns, seen)
            out.base[:] += found.base
            out.columns[:] += found.columns
        return out

    def scaled(self, factor: float) -> "WeightedParts":
        """With all counts, and the weight of one observation, multiplied by ``factor``."""
        return replace(self, seen=self.seen * factor, unit=self.unit * factor)

    def tempered(self, factor: float) -> "WeightedParts":
        """With all scores added to the log prior multiplied by a factor; at zero, only the class shares remain."""
        return replace(
            self,
            bias=factor * self.bias,
            weights=tuple(each.tempered(factor) for each in self.weights),
            parts=tuple(part.tempered(factor) for part in self.parts),
        )

    def changed(
        self, tables: Sequence[TableBlock], y: CodeArray, weight: FloatArray | None, sign: int
    ) -> "WeightedParts":
        """With rows added to or subtracted from the counts of the parts."""
        in_units = ClassCodes(y, len(self.classes), (1.0 if weight is None else weight) / self.unit[y])
        more = (part.count(tables, in_units, 1) for part in self.parts)
        moved = kernels.class_weights(y, len(self.classes), weight, 1)
        return replace(
            self,
            seen=self.seen + sign * moved,
            parts=tuple(part.changed(counts, sign) for part, counts in zip(self.parts, more, strict=True)),
            learned=self.learned + max(sign, 0) * float(moved.sum()),
            forgotten=self.forgotten - min(sign, 0) * float(moved.sum()),
        )
