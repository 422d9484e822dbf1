"""Averaged one-dependence estimators: each column in turn is the parent of all others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.columns.blocks import starts
from suffice.columns.labels import Label
from suffice.families.base import Rule
from suffice.families.one_dependence.conditionals import Conditionals, sample_levels
from suffice.families.one_dependence.family import OneDependence, OneDependenceDensity
from suffice.numerics.arrays import AnyArray, BoolArray, CodeArray, FloatArray, IntArray
from suffice.statistics import PairCounts


@dataclass(frozen=True)
class A1DE(OneDependence):
    """log p(x | class) of columns of levels: the mean over the columns i of p(xᵢ | class) Π p(xⱼ | xᵢ, class).

    Each column in turn is the parent of all others (Webb's averaged one-dependence estimators), so dependent columns
    are not counted as independent evidence. Tables are smoothed toward those of lower order: p(v | u, class) is (n_uv +
    ``strength`` · p(v | class)) / (n_u + ``strength``), and p(v | class) likewise toward the column's share p(v) over
    all classes. Under ``mle`` tables are not smoothed, except that unseen combinations get the lower-order estimate; all other
    rules use the mean. A column with a missing cell is neither parent nor child.

    Counts of all pairs of levels are stored, so bin numbers with many values first.

    Parameters
    ----------
    strength : float, default=2.0
        Rows that the table of lower order counts for.

    Examples
    --------
    >>> from suffice import BayesClassifier
    >>> rows = [["a", "x"], ["b", "y"], ["a", "y"], ["b", "x"]] * 9
    >>> model = BayesClassifier(A1DE()).fit(rows, ["same", "same", "other", "other"] * 9)
    >>> model.predict([["b", "x"], ["b", "y"]]).tolist()
    ['other', 'same']
    """

    def estimate(self, statistic: PairCounts, rule: Rule, classes: Sequence[Label]) -> "A1DEDensity":
        return A1DEDensity(Conditionals(statistic).log_given(self.strength_under(rule)), statistic.levels)

    def without(
        self, counted: Conditionals, codes: IntArray, y: CodeArray, weight: FloatArray, strength: float
    ) -> FloatArray:
        codes, log_given = counted.left_out(codes, y, weight, strength)
        return _averaged(log_given, codes >= 0)


class A1DEDensity(OneDependenceDensity):
    """The mean over the parent columns."""

    @property
    def cells_per_row(self) -> int:
        return (len(self.levels) + 1) * len(self.levels)

    def scored(self, codes: IntArray) -> FloatArray:
        parents = np.pad(codes, ((0, 0), (0, 1)), constant_values=-1)
        return _averaged(self.given(parents[:, :, None], codes[:, None, :]), codes >= 0)

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        start = starts(self.levels)
        codes = np.full((n, len(self.levels)), -1, dtype=np.int64)
        usable = [j for j, names in enumerate(self.levels) if names]
        turn = rng.choice(usable, size=n) if usable else np.full(n, -1)
        for i in usable:
            mine = np.flatnonzero(turn == i)
            for j in sorted(usable, key=lambda j, first=i: j != first):  # type: ignore[misc]
                given = np.full(len(mine), -1) if j == i else codes[mine, i]
                log_p = self.log_given[given, start[j] : start[j + 1], klass]
                codes[mine, j] = start[j] + sample_levels(log_p, rng)
        return self.levels_of(codes)


def _averaged(log_given: FloatArray, seen: BoolArray) -> FloatArray:
    """(rows, classes), from (rows, columns given and none, columns, classes)."""
    each = log_given[:, -1] + log_given[:, :-1].sum(axis=2)
    each[~seen] = -np.inf
    total = np.logaddexp.reduce(each, axis=1)
    turns = seen.sum(axis=1)
    return np.where(turns[:, None] > 0, total - np.log(np.maximum(turns, 1))[:, None], 0.0)
