"""Tree-augmented naive Bayes: each column depends on the class and on its parent in a tree."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.columns.blocks import Levels, starts
from suffice.columns.kinds import Level
from suffice.columns.labels import Label
from suffice.families.base import Rule
from suffice.families.one_dependence.conditionals import Conditionals, codes_of, sample_levels
from suffice.families.one_dependence.family import OneDependence, OneDependenceDensity
from suffice.families.one_dependence.tree import tree, trees_left_out
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.statistics import PairCounts


@dataclass(frozen=True)
class TAN(OneDependence):
    """log p(x | class) of columns of levels: Σ log p(xⱼ | its parent's level, class) along a tree over the columns.

    The tree maximises the likelihood: it is the maximum spanning tree over the conditional mutual information of pairs of
    columns (Chow and Liu; Friedman, Geiger and Goldszmidt). Its root is the column of largest mutual information with the
    class. It is estimated from the counts, so it is updated by learning, merging and forgetting. Tables are smoothed as in
    ``A1DE``. If the parent's cell is missing, p(xⱼ | class) is used.

    Parameters
    ----------
    strength : float, default=10.0
        Rows that the table of lower order counts for.

    Examples
    --------
    >>> from suffice import BayesClassifier
    >>> rows = [["a", "x"], ["b", "y"], ["a", "y"], ["b", "x"]] * 9
    >>> model = BayesClassifier(TAN()).fit(rows, ["same", "same", "other", "other"] * 9)
    >>> model.predict([["b", "x"], ["b", "y"]]).tolist()
    ['other', 'same']
    """

    strength: float = 10.0
    """More than for ``A1DE``: a single tree has no averaging, so each table needs more smoothing."""

    def estimate(self, statistic: PairCounts, rule: Rule, classes: Sequence[Label]) -> "TANDensity":
        counted = Conditionals(statistic)
        return TANDensity(counted.log_given(self.strength_under(rule)), statistic.levels, tree(counted))

    def without(
        self, counted: Conditionals, codes: IntArray, y: CodeArray, weight: FloatArray, strength: float
    ) -> FloatArray:
        parents = trees_left_out(counted, codes, y, weight)
        _, log_given = counted.left_out(codes, y, weight, strength)
        rows, columns = np.arange(len(codes))[:, None], np.arange(codes.shape[1])
        return np.asarray(log_given[rows, parents, columns].sum(axis=1))


class TANDensity(OneDependenceDensity):
    """Each column given its parent; ``parents`` has −1 for the root."""

    def __init__(self, log_given: FloatArray, levels: tuple[tuple[Level, ...], ...], parents: IntArray) -> None:
        super().__init__(log_given, levels)
        self.parents = parents

    @property
    def cells_per_row(self) -> int:
        return len(self.levels)

    def _parts(self, codes: IntArray) -> FloatArray:
        """log p(cell | parent's cell, class), (rows, columns, classes)."""
        return self.given(np.where(self.parents >= 0, codes[:, self.parents], -1), codes)

    def scored(self, codes: IntArray) -> FloatArray:
        return np.asarray(self._parts(codes).sum(axis=1))

    def evidence(self, block: Levels) -> tuple[list[str], FloatArray]:
        return [str(name) for name in block.names], self._parts(codes_of(block, self.levels))

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        start = starts(self.levels)
        codes = np.full((n, len(self.levels)), -1, dtype=np.int64)
        for j in self._topological_order():
            if self.levels[j]:
                given = codes[:, self.parents[j]] if self.parents[j] >= 0 else np.full(n, -1)
                codes[:, j] = start[j] + sample_levels(self.log_given[given, start[j] : start[j + 1], klass], rng)
        return self.levels_of(codes)

    def _topological_order(self) -> list[int]:
        """Every column after its parent."""
        order = np.flatnonzero(self.parents < 0).tolist()
        for i in order:  # extended while iterating
            order.extend(np.flatnonzero(self.parents == i).tolist())
        return order
