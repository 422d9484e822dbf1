"""Categorical columns, with the Dirichlet prior."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Levels, starts
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Level, Name
from suffice.columns.labels import Label
from suffice.columns.spelling import level_indices
from suffice.errors import DataError, ParameterError, quoted
from suffice.families import pseudo_counts as pseudo
from suffice.families.base import Family, Reads, Rule
from suffice.families.forms import LevelTable
from suffice.families.given_parameters import ROWS, GivenParameters, by_class, check_within
from suffice.families.left_out_levels import left_out_levels
from suffice.numerics.arrays import BoolArray, FloatArray
from suffice.statistics import Counts


@dataclass(frozen=True)
class Categorical(Family[Levels, Counts]):
    """x is one of K levels with probabilities θ, column by column.

    The levels are those that occur, or those declared in ``levels``. The prior is Dirichlet(``alpha``): one number for all
    levels, or a mapping from levels to numbers (1 where it names none). With n_v rows of level v among n: ``mle``
    n_v / n, ``mean`` (n_v + α_v) / (n + Σα), ``map`` (n_v + α_v − 1) / (n + Σα − K); ``predictive`` is ``mean``, exactly.
    A level not seen in training is treated as missing.

    Parameters
    ----------
    alpha : float, sequence or mapping, default=1.0
        Pseudo-count of each level; a mapping gives one for each level, 1 where it names none.
    levels : sequence or None, default=None
        Levels that exist even without rows; ``None`` takes those that occur.

    Examples
    --------
    >>> Categorical(levels=("low", "high"), alpha={"low": 2.0})
    Categorical(alpha=(('low', 2.0),), levels=('low', 'high'))
    """

    alpha: pseudo.PerLevel = 1.0
    levels: Sequence[Level] | None = None

    reads: ClassVar[Reads] = "levels"

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", pseudo.as_level_alpha(self.alpha))
        if self.levels is not None:
            if isinstance(self.levels, str) or not isinstance(self.levels, Iterable):
                raise ParameterError(f"Categorical's levels are {self.levels!r}", "they must be a sequence of names")
            levels = tuple(self.levels)
            if len(set(levels)) < len(levels):
                raise ParameterError(f"Categorical's levels are {quoted(levels, most=10)}", "each must be named once")
            object.__setattr__(self, "levels", levels)

    @property
    def is_by_column(self) -> bool:
        return isinstance(self.alpha, tuple) and bool(self.alpha) and not isinstance(self.alpha[0], tuple)

    def check(self, statistic: Counts, columns: Sequence[Name], classes: Sequence[Label]) -> None:
        self._alphas(statistic.levels)
        if self.levels is None:
            return
        for name, found in zip(columns, statistic.levels, strict=True):
            undeclared = [v for v, at in zip(found, level_indices(found, self.levels), strict=True) if at < 0]
            if undeclared:
                raise DataError(
                    f"Column {name!r} has level {quoted(undeclared)}",
                    f"the levels declared for it are {quoted(tuple(self.levels), most=10)}",
                    "Declare it, or correct those cells",
                )

    @classmethod
    def given(cls, p: Mapping[Label, Mapping[Level, float]]) -> GivenParameters[Levels, Counts]:
        """A column of levels: for each class the probability of each level.

        >>> from suffice import BayesClassifier
        >>> blood = Categorical.given({"healthy": {"50": 0.11, "other": 0.89}, "ill": {"50": 0.42, "other": 0.58}})
        >>> model = BayesClassifier.from_densities({"blood": blood}, prior={"healthy": 0.8, "ill": 0.2})
        >>> model.predict_proba({"blood": ["50"]}).round(4).tolist()
        [[0.5116, 0.4884]]
        """
        levels = tuple(dict.fromkeys(level for each in p.values() for level in each))
        classes, (table,) = by_class("Categorical", p={c: [each.get(v, 0.0) for v in levels] for c, each in p.items()})
        check_within("Categorical", "p", table, 0, 1)
        if not np.allclose(table.sum(axis=1), 1, atol=1e-9):
            raise DataError(
                f"Categorical.given has p with sums {table.sum(axis=1).tolist()}", "they must add up to 1 in each class"
            )
        return GivenParameters(cls(), classes, Counts.of([levels], ROWS * table))

    def observe(self, block: Levels, y: ClassCodes, threads: int) -> Counts:
        return Counts.count(block, y, threads)

    def estimate(self, statistic: Counts, rule: Rule, classes: Sequence[Label]) -> LevelTable:
        levels = self.all_levels(statistic)
        table = statistic.over(levels)
        start = starts(levels)
        alphas = self._alphas(levels)
        out = np.empty_like(table)
        for j in range(len(levels)):
            here = slice(int(start[j]), int(start[j + 1]))
            counts = table[:, here]
            out[:, here] = pseudo.estimated(counts, counts.sum(axis=0, keepdims=True), alphas[here], rule)
        return LevelTable(pseudo.log(out), levels)

    def left_out(
        self,
        statistic: Counts,
        rule: Rule,
        classes: Sequence[Label],
        block: Levels,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        levels = self.all_levels(statistic)
        start, table, alphas, persistent = (
            starts(levels),
            statistic.over(levels),
            self._alphas(levels),
            self.persistent_levels(levels),
        )
        out = np.zeros((block.rows, len(classes)))
        for j, names in enumerate(levels):
            here = slice(int(start[j]), int(start[j + 1]))
            level = block.indices_in(j, names)
            out += left_out_levels(table[:, here], alphas[here], persistent[here], rule, level, y.codes, y.weight)
        return out

    def log_evidence(self, statistic: Counts) -> FloatArray:
        levels = self.all_levels(statistic)
        table, start, alphas = statistic.over(levels), starts(levels), self._alphas(levels)
        return np.array([pseudo.log_evidence(table[:, a:b], alphas[a:b]).sum() for a, b in pairwise(start.tolist())])

    def persistent_levels(self, levels: Sequence[Sequence[Level]]) -> BoolArray:
        """Which levels, concatenated over columns, exist without any row."""
        return np.full(int(starts(levels)[-1]), self.levels is not None)

    def all_levels(self, statistic: Counts) -> tuple[Sequence[Level], ...]:
        """The levels that share the probability: those declared, or those that occurred."""
        return statistic.levels if self.levels is None else (tuple(self.levels),) * len(statistic.levels)

    def _alphas(self, levels: Sequence[Sequence[Level]]) -> FloatArray:
        if isinstance(self.alpha, tuple) and self.alpha and isinstance(self.alpha[0], tuple):
            names, values = zip(*self.alpha, strict=True)
            given = np.array([*values, 1.0])  # the last entry is for other levels
            return given[[at for column in levels for at in level_indices(column, names)]]
        each = pseudo.per_column(self.alpha, len(levels))
        return np.repeat(each, [len(column) for column in levels])
