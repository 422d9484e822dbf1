"""Growing a forest on the kept rows.

A tree is grown on a bag of the rows; the other rows are out-of-bag. Bags and draws are hashes of cells and names, so
the forest is a function of the row sample and does not depend on the order of rows or columns.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from suffice.columns.stored_cells import spelling_digest
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray
from suffice.numerics.forest import ForestRows, OutOfBag, Trees
from suffice.parts.byte_codes import ByteCodes, PrincipalAxes
from suffice.parts.forest import ForestPart

if TYPE_CHECKING:
    from suffice.parts.fitting import Fitting

_BAG_SHARE, _MAX_BAG_ROWS = 0.632, 10_200  # share of the rows in a bag, and their maximum number
_SMALL_BAG_SHARE = 0.5  # share of rows in a bag if only out-of-bag scores are needed
_MIN_CLASS_SHARE = 1e-12  # prior of an unseen class in forests


class ForestGrowth:
    """A forest over some codes of the columns, which can be grown further."""

    def __init__(self, fitting: "Fitting", codes: ByteCodes, seed: int, count: int) -> None:
        kept = fitting.kept
        self._fitting, self._codes, self._seed = fitting, codes, seed
        cells = codes.codes(kept.tables, fitting.threads)
        self._rows = ForestRows(
            np.ascontiguousarray(cells.T),
            codes.is_level,
            self._column_order(cells),
            kept.keys,
            kept.y,
            kept.weight,
            kept.observed,
        )
        prior = np.maximum(np.exp(fitting.log_prior), _MIN_CLASS_SHARE)
        trees, outside = self._grown(0, count)
        self._outside = outside.shares(trees, prior, fitting.threads)
        self.forest = ForestPart(codes, trees, prior, fitting.columns_with_missing)

    def up_to(self, count: int) -> "ForestGrowth":
        """Grow to ``count`` trees."""
        more, outside = self._grown(self.forest.trees.count, count - self.forest.trees.count)
        self.forest = replace(self.forest, trees=self.forest.trees + more)
        self._outside = outside.shares(more, self.forest.prior, self._fitting.threads, self._outside)
        return self

    def equivalent_count(self, count: int) -> int:
        """Number of trees on the smaller bags whose out-of-bag count of a row is that of ``count`` trees on usual
        bags."""
        return int(np.ceil(count * (1 - _BAG_SHARE) / (1 - self._share))) if self._fitting.every else count

    def left_out(self) -> FloatArray:
        """The out-of-bag scores of the rows that have left-out scores."""
        return self.forest.left_out(self._outside)

    def _column_order(self, cells: AnyArray) -> IntArray:
        """The columns to draw from: axes first, then columns in the order of the digests of their names. If missing
        cells are to be ignored, only columns without missing cells, since a split would separate missing
        from present cells."""
        names = [spelling_digest(name) for block in self._fitting.kept.tables for name in block.names]
        numbers = np.array(names + list(range(cells.shape[1] - len(names))), dtype=np.uint64)
        order = np.argsort(numbers, kind="stable")
        return order[(cells != 0).all(axis=0)[order]] if self._fitting.ignores_missing else order

    @property
    def _share(self) -> float:
        """Share of the rows in a bag."""
        return min(_SMALL_BAG_SHARE if self._fitting.every else _BAG_SHARE, _MAX_BAG_ROWS / self._fitting.kept.count)

    def _grown(self, first: int, count: int) -> tuple[Trees, OutOfBag]:
        fitting, columns = self._fitting, max(len(self._rows.order), 1)
        return self._rows.grow(
            len(fitting.classes), first, count, share=self._share,
            tried=round(np.sqrt(columns)), seed=self._seed, scored=fitting.scored, threads=fitting.threads,
        )  # fmt: skip


def over_columns(fitting: "Fitting", count: int) -> ForestGrowth:
    """A forest over the columns, initially of ``count`` trees."""
    return ForestGrowth(fitting, ByteCodes.of(fitting.tables), 0, count)


def over_axes(fitting: "Fitting", count: int) -> ForestGrowth | None:
    """A forest over the columns and their principal axes; None if there are no axes."""
    scores = fitting.column_scores
    axes = PrincipalAxes.of(scores, fitting.normal_scores(scores), fitting.rows.weight, fitting.threads)
    return None if axes is None else ForestGrowth(fitting, replace(ByteCodes.of(fitting.tables), axes=axes), 1, count)
