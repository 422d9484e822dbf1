"""Evidence: log p(row | class) as a sum over features, by term of densities and parts, or by column."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from suffice.columns.blocks import BlockData, TableBlock
from suffice.families.assignment import Block
from suffice.families.base import AnyDensities
from suffice.families.shrunk import LeaveOneOutDensity
from suffice.numerics.arrays import FloatArray
from suffice.parts.part import CALIBRATION
from suffice.parts.weighted_parts import WeightedParts

FeatureEvidence: TypeAlias = tuple[list[str], FloatArray]
"""Names, and (rows, names, classes)."""


@dataclass(frozen=True, eq=False)
class ReadRows:
    """Rows in the blocks of a model, with the densities of the blocks."""

    blocks: Sequence[Block]
    densities: Sequence[AnyDensities]
    cells: Sequence[BlockData]

    def evidence(self) -> FeatureEvidence:
        """The evidence of the densities, by column or word."""
        names, parts = zip(*self._each(), strict=True)
        return [name for own in names for name in own], np.concatenate(parts, axis=1)

    def with_parts(
        self, weighted_parts: WeightedParts, tables: Sequence[TableBlock], columns: Sequence[str]
    ) -> FeatureEvidence:
        """The evidence of the densities, of the bias and of each part."""
        names, parts = self.evidence()
        more, together = weighted_parts.evidence(len(parts), tables, columns)
        return _by_name([*names, *more], np.concatenate([parts, together], axis=1))

    def by_column(
        self, weighted_parts: WeightedParts, tables: Sequence[TableBlock], columns: Sequence[str], seen: float
    ) -> FeatureEvidence:
        """Evidence by column, and by word of texts.

        Scores of columns, alone and in parts, are centred at their means over the ``seen`` learned rows; the means are
        added to the bias. Words, and families without such means, are not centred.
        """
        rows = self.cells[0].rows
        split, found = weighted_parts.by_column(rows, tables, columns), list(self._each())
        own = [name for names, _ in found for name in names]
        place = {name: i for i, name in enumerate(dict.fromkeys([*own, *columns, CALIBRATION]))}
        out = np.zeros((len(place), rows, len(split.base)))
        out[place[CALIBRATION]] = split.base
        for density, (names, parts) in zip(self.densities, found, strict=True):
            means = (
                density.evidence_total / seen if isinstance(density, LeaveOneOutDensity) else np.zeros((len(names), 1))
            )
            for name, part, mean in zip(names, parts.transpose(1, 0, 2), means, strict=True):
                out[place[name]] += part - mean
            out[place[CALIBRATION]] += means.sum(axis=0)
        for column, part in zip(columns, split.columns.transpose(1, 0, 2), strict=True):
            out[place[column]] += part
        return list(place), out.transpose(1, 0, 2)

    def _each(self) -> Iterator[FeatureEvidence]:
        for block, density, cells in zip(self.blocks, self.densities, self.cells, strict=True):
            names, parts = density.evidence(cells)
            if block.reads == "documents" and len(self.blocks) > 1:  # two texts may share their words
                names = [f"{block.columns[0]}: {name}" for name in names]
            yield names, parts


def _by_name(names: list[str], parts: FloatArray) -> FeatureEvidence:
    """Evidence summed by name: that of a missing cell belongs to its column."""
    place = {name: i for i, name in enumerate(dict.fromkeys(names))}
    if len(place) == len(names):
        return names, parts
    out = np.zeros((len(parts), len(place), parts.shape[2]))
    for j, name in enumerate(names):
        out[:, place[name]] += parts[:, j]
    return list(place), out
