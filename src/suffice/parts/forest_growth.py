"""Growing a forest on the kept rows.

A tree is grown on a bag of the rows; those outside its bag are left out of it. Bags and draws are hashes of cells and names, so
the forest is a function of the row sample, in whatever order its rows and columns came.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from suffice.columns.kept_cells import spelling_digest
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray
from suffice.numerics.forest import ForestRows, OutOfBag, Trees
from suffice.parts.byte_codes import ByteCodes, PrincipalAxes
from suffice.parts.forest import ForestPart

if TYPE_CHECKING:
    from suffice.parts.fitting import Fitting

_SHARE, _BAG = 0.632, 10_200  # of the rows in a bag, and rows at most
_OUT_OF_BAG_SHARE = 0.5  # of rows in a bag where only out-of-bag scores are needed: each row is left out of more trees
_LEAST_SHARE = 1e-12  # of a class that was never seen


class ForestGrowth:
    """A forest over some codes of the columns, so far."""

    def __init__(self, fitting: "Fitting", codes: ByteCodes, seed: int, count: int) -> None:
        kept = fitting.kept
        self._fitting, self._codes, self._seed = fitting, codes, seed
        cells = codes.codes(kept.tables, fitting.threads)
        self._rows = ForestRows(
            np.ascontiguousarray(cells.T),
            codes.is_level,
            self._drawn(cells),
            kept.keys,
            kept.y,
            kept.weight,
            kept.observed,
        )
        prior = np.maximum(np.exp(fitting.log_prior), _LEAST_SHARE)
        trees, outside = self._grown(0, count)
        self._outside = outside.shares(trees, prior, fitting.threads)
        self.forest = ForestPart(codes, trees, prior, fitting.holed)

    def up_to(self, count: int) -> "ForestGrowth":
        """With so many trees."""
        more, outside = self._grown(self.forest.trees.count, count - self.forest.trees.count)
        self.forest = replace(self.forest, trees=self.forest.trees + more)
        self._outside = outside.shares(more, self.forest.prior, self._fitting.threads, self._outside)
        return self

    def enough(self, count: int) -> int:
        """How many trees leave out a row as often as ``count`` trees on the usual bags."""
        return int(np.ceil(count * (1 - _SHARE) / (1 - self._share))) if self._fitting.every else count

    def left_out(self) -> FloatArray:
        """The out-of-bag scores of the rows that have left-out scores."""
        return self.forest.left_out(self._outside)

    def _drawn(self, cells: AnyArray) -> IntArray:
        """The columns to draw from, in the order of their names' digests, axes first. Where missing cells are to be ignored,
        those that have none: a cut would separate missing cells from the others."""
        names = [spelling_digest(name) for block in self._fitting.kept.tables for name in block.names]
        numbers = np.array(names + list(range(cells.shape[1] - len(names))), dtype=np.uint64)
        order = np.argsort(numbers, kind="stable")
        return order[(cells != 0).all(axis=0)[order]] if self._fitting.ignores_holes else order

    @property
    def _share(self) -> float:
        """Of the rows in a bag."""
        return min(_OUT_OF_BAG_SHARE if self._fitting.every else _SHARE, _BAG / self._fitting.kept.count)

    def _grown(self, first: int, count: int) -> tuple[Trees, OutOfBag]:
        fitting, columns = self._fitting, max(len(self._rows.order), 1)
        return self._rows.grow(
            len(fitting.classes), first, count, share=self._share,
            tried=round(np.sqrt(columns)), seed=self._seed, scored=fitting.scored, threads=fitting.threads,
        )  # fmt: skip


def over_columns(fitting: "Fitting", count: int) -> ForestGrowth:
    """So many trees to begin with."""
    return ForestGrowth(fitting, ByteCodes.of(fitting.tables), 0, count)


def over_axes(fitting: "Fitting", count: int) -> ForestGrowth | None:
    """Over the columns and principal axes of theirs; None if there are none."""
    scores = fitting.column_scores
    axes = PrincipalAxes.of(scores, fitting.normal_scores(scores), fitting.rows.weight, fitting.threads)
    return None if axes is None else ForestGrowth(fitting, replace(ByteCodes.of(fitting.tables), axes=axes), 1, count)
