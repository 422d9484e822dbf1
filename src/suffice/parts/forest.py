"""A forest: the mean share of each class in the leaves of trees, as one score."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from suffice.columns.blocks import TableBlock
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.numerics.forest import FlatTrees, OutOfBagShares, Trees
from suffice.parts.byte_codes import ByteCodes
from suffice.parts.gain import Gain
from suffice.parts.part import CALIBRATION, ColumnEvidence, SampledPart

_OUT_OF_BAG_SHARE = 0.37  # of the trees for which a row is out of bag
_SHARE_ROUNDING = 1e-9  # absolute difference of equal shares


@dataclass(frozen=True, eq=False)
class ForestPart(SampledPart):
    """log of the mean class share, shrunk toward the ``prior`` and divided by it, times a weight."""

    codes: ByteCodes
    trees: Trees
    prior: FloatArray
    holes: IntArray
    """The columns with missing cells in training, whose missing cells may be evidence."""
    weight: float = 1.0
    gain: Gain | None = None
    """The gain of all forests of the model together."""

    def weighted(self, weight: float, gain: Gain) -> Self:
        return replace(self, weight=weight, gain=gain)

    @property
    def n_classes(self) -> int:
        return len(self.prior)

    def fits(self, columns: int) -> bool:
        return self.codes.columns == columns

    # — scores —

    def tempered(self, factor: float) -> Self:
        return replace(self, weight=factor * self.weight)

    def add_to(self, joint: FloatArray, read: Sequence[TableBlock], threads: int) -> None:
        joint += self.weight * self._scores(self._flat.mean_shares(self.codes.codes(read, threads), threads))

    def evidence(self, read: Sequence[TableBlock], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        found = self.by_column(read, columns, 0.0)
        base = np.broadcast_to(found.base, (len(found.columns), 1, len(found.base)))
        return [CALIBRATION, *columns], np.concatenate([base, found.columns], axis=1)

    def by_column(self, read: Sequence[TableBlock], columns: Sequence[str], seen: float) -> ColumnEvidence:
        """Evidence in proportion to the change of the mean share at the nodes of each column; that of an axis is
        divided by squared loadings."""
        steps, roots = self._flat_with_steps.mean_steps(self.codes.codes(read), 1), self._roots
        own = self.codes.columns
        by_column = steps[:, :own]
        if self.codes.axes is not None:
            by_column = by_column + np.einsum("rac,ja->rjc", steps[:, own:], self.codes.axes.loadings)
        at_roots, moved = self._scores(roots), by_column.sum(axis=1)
        # slope of the secant from the mean share at the roots to that of the row
        slope = np.broadcast_to(self.tree_weight / (self.tree_weight * roots + self.prior), moved.shape).copy()
        far = np.abs(moved) > _SHARE_ROUNDING
        slope[far] = (self._scores(roots + moved) - at_roots)[far] / moved[far]
        return ColumnEvidence(self.weight * at_roots, by_column * (self.weight * slope[:, None]))

    def left_out(self, outside: OutOfBagShares) -> FloatArray:
        """Out-of-bag scores, without weight."""
        shares, there = outside.mean()
        return np.where(there[:, None], self._scores(shares), 0.0)

    def _scores(self, shares: FloatArray) -> FloatArray:
        return np.log((self.tree_weight * shares + self.prior) / (self.tree_weight + 1)) - np.log(self.prior)

    @property
    def tree_weight(self) -> float:
        """Weight of the mean share, in trees, relative to one tree with the prior."""
        return _OUT_OF_BAG_SHARE * self.trees.count

    @cached_property
    def _flat(self) -> FlatTrees:
        return self.trees.flat(self.prior)

    @cached_property
    def _flat_with_steps(self) -> FlatTrees:
        return self.trees.flat(self.prior, inner=True)

    @cached_property
    def _roots(self) -> FloatArray:
        """The mean class share at the roots."""
        return self._flat_with_steps.root_shares
