"""One posterior of many scores: each column alone, texts, all columns as correlated normals, and pairs of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from suffice.blend.coding import Coding
from suffice.blend.discriminant import Discriminant
from suffice.blend.joint_counts import JointCounts
from suffice.blend.normal_scores import NormalScores
from suffice.blend.pairs import Pairs, PairTables
from suffice.columns.labels import Label
from suffice.families.assignment import Assigned
from suffice.families.histogram import Bins, Histogram
from suffice.families.pooled_categorical import PooledCategorical, PooledTable
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray

if TYPE_CHECKING:
    from suffice.families.text import TextWeights

Calibrate: TypeAlias = Literal["none", "temperature", "weights"]
"""Nothing fitted; how much all columns count, in one number; or how much each does, and what they say together."""

BLENDED = (Histogram, PooledCategorical)
"""The families whose columns can be blended."""


@dataclass(frozen=True, eq=False)
class Blending:
    """Weights, and joint counts under a plan: how columns are cut and scaled, and which pairs of them are counted.

    It is a function of the tally. The plan is fixed, so rows that are learned or forgotten are added to the joint counts or
    taken away while the weights stay, until they are fitted again.
    """

    classes: tuple[Label, ...]
    seen: FloatArray
    """The weight of the rows of each class in the joint counts."""
    unit: float
    """The weight that counts as one row."""
    column_weights: FloatArray
    """Of the columns of all blocks that take part, laid end to end."""
    bias: FloatArray
    texts: "tuple[TextWeights, ...]"
    """Of each block of text that takes part."""
    scores: NormalScores
    discriminant: Discriminant | None
    discriminant_weight: float
    coding: Coding
    pairs: Pairs
    pair_weights: FloatArray
    correction: FloatArray
    """(cells of all pairs as they are grouped, classes): what is added to them; (0, classes) if nothing is."""
    learned: float = 0.0
    """The weight of rows learned since the weights were fitted."""
    forgotten: float = 0.0
    """The same of rows forgotten."""

    @property
    def is_joint(self) -> bool:
        """Whether columns say something together, beside what each says alone."""
        return self.discriminant is not None or len(self.pair_weights) > 0

    def weights_of(self, densities: Sequence[Bins | PooledTable]) -> list[FloatArray]:
        """The weights of the columns of each block."""
        ends = np.cumsum([len(d.columns) for d in densities])
        return np.split(self.column_weights, ends[:-1])

    @cached_property
    def _tables(self) -> tuple[PairTables, FloatArray, IntArray]:
        tables = self.pairs.tables(self.coding, np.ones(len(self.classes)), 1)
        rows = tables.weighted_rows(self.pair_weights)
        rows[: len(self.correction), : len(self.classes)] += self.correction
        return tables, rows, np.zeros(len(self.pair_weights), dtype=np.int64)

    def add_to(self, joint: FloatArray, read: Sequence[Any], threads: int) -> None:
        """Add the biases and what the columns say together."""
        joint += self.bias
        if self.discriminant is not None:
            joint += self._all_together(self.discriminant, read, threads)
        if len(self.pair_weights):
            tables, rows, low = self._tables
            cells = tables.cells(self.coding.codes(read, threads), threads)
            kernels.add_table_scores(cells, low, tables.start, rows, joint, threads)

    def _all_together(self, made: Discriminant, read: Sequence[Any], threads: int) -> FloatArray:
        return self.discriminant_weight * made.log_odds(self.scores.scores(read, threads), threads)

    def evidence(self, rows: int, read: Sequence[Any], blocks: Sequence[Assigned]) -> tuple[list[str], FloatArray]:
        """What ``add_to`` adds, in parts: names, and (rows, parts, classes)."""
        columns = [str(name) for block in blocks for name in block.columns]
        names, parts = ["(calibration)"], [np.tile(self.bias, (rows, 1))]
        if self.discriminant is not None:
            names.append("(all together)")
            parts.append(self._all_together(self.discriminant, read, 1))
        if len(self.pair_weights):
            tables, table_rows, _ = self._tables
            both: dict[str, FloatArray] = {}
            for k, at in enumerate(tables.cells(self.coding.codes(read), 1).T):
                i, j = self.pairs.columns[k]
                found = table_rows[np.where(at < 0, len(table_rows) - 1, tables.start[k] + at), : len(self.classes)]
                name = f"{columns[i]} × {columns[j]}"
                both[name] = both[name] + found if name in both else found
            names += both
            parts += both.values()
        return names, np.stack(parts, axis=1)

    def scaled(self, factor: float) -> "Blending":
        """With everything that was counted and summed counted ``factor`` times, and so what counts as one row."""
        return replace(self, seen=self.seen * factor, unit=self.unit * factor)

    def changed(self, read: Sequence[Any], y: CodeArray, weight: FloatArray | None, sign: int) -> "Blending":
        """With rows added to the joint counts, or taken away."""
        units = np.full(len(y), 1 / self.unit) if weight is None else weight / self.unit
        more = JointCounts.of(self.scores, self.coding, self.pairs, read, y, len(self.classes), units, 1)
        made = self.discriminant
        if made is not None and more.scatter is not None:
            made = replace(made, scatter=made.scatter + more.scatter if sign > 0 else made.scatter - more.scatter)
        counts = np.maximum(self.pairs.counts + sign * more.pairs, 0.0)
        moved = kernels.class_weights(y, len(self.classes), weight, 1)
        return replace(
            self,
            seen=self.seen + sign * moved,
            discriminant=made,
            pairs=replace(self.pairs, counts=counts),
            learned=self.learned + max(sign, 0) * float(moved.sum()),
            forgotten=self.forgotten - min(sign, 0) * float(moved.sum()),
        )
