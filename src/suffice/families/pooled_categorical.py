"""Categories, with class probabilities shrunk toward the pooled ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Levels, starts
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Level, Name
from suffice.columns.labels import Label
from suffice.columns.level_codes import KnownLevels
from suffice.columns.level_indexer import LevelIndexer
from suffice.columns.spelling import level_indices
from suffice.families.base import Family, Reads, Rule
from suffice.families.forms import LevelTable
from suffice.families.prefixes import PrefixScores, shrink_by_prefix
from suffice.families.shrunk import LeaveOneOutDensity, ShrunkColumn, Strength, check_strength, concatenated_tables
from suffice.families.weights import BlockWeights, ColumnWeights
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.statistics import Counts


@dataclass(frozen=True)
class PooledCategorical(Family[Levels, Counts]):
    """x is one of K levels; class probabilities are shrunk toward the pooled ones.

    p(v | class) = (n_v + α m_v) / (n + α), m_v the share of level v over all classes: unlike a uniform prior it adds
    no evidence for levels that are rare in every class. α is ``strength``; ``"tuned"`` is the power of two of least
    leave-one-out log-loss.

    For levels with common prefixes (zip codes, products), p(v | class) = p(prefix | class) · p(v | prefix, class),
    each factor shrunk likewise, with one or two prefix lengths, if that lowers the leave-one-out log-loss
    significantly. An unseen level scores like its longest known prefix; without one it is treated as missing.

    Parameters
    ----------
    strength : float or "tuned", default="tuned"
        Rows that the pooled shares count for; ``"tuned"`` minimises the leave-one-out log-loss.

    Examples
    --------
    >>> PooledCategorical()
    PooledCategorical(strength='tuned')
    """

    strength: Strength = "tuned"

    reads: ClassVar[Reads] = "levels"
    has_rule: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_strength("PooledCategorical", self.strength)

    def observe(self, block: Levels, y: ClassCodes, threads: int) -> Counts:
        return Counts.count(block, y, threads)

    def estimate(self, statistic: Counts, rule: Rule, classes: Sequence[Label]) -> "PooledTable":
        found = [
            shrink_by_prefix(table, levels, self.strength)
            for table, levels in zip(statistic.columns(), statistic.levels, strict=True)
        ]
        columns, prefixes = tuple(column for column, _ in found), tuple(some for _, some in found)
        table = concatenated_tables(columns, len(classes))
        return PooledTable(table, statistic.levels, columns, statistic.table.sum(axis=0), prefixes)

    def left_out(
        self,
        statistic: Counts,
        rule: Rule,
        classes: Sequence[Label],
        block: Levels,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        """Strengths and prefixes are re-estimated without the row, for each class and level, one column at a time."""
        out = np.zeros((block.rows, len(classes)))
        for j in range(len(block.levels)):
            own = statistic.select_columns(np.array([j]))
            out += super().left_out(own, rule, classes, block.column(j), y, threads)
        return out


@dataclass(frozen=True, eq=False)
class PooledTable(LeaveOneOutDensity[Levels], LevelTable):
    """log p(level | class) / p(level)."""

    columns: tuple[ShrunkColumn, ...]
    mass: FloatArray
    """Number of rows with each level."""
    prefixes: tuple[tuple[PrefixScores, ...], ...]
    """For each column, scores of unseen levels by prefix, from the shortest to the longest."""

    def add_to(self, out: FloatArray, block: Levels, threads: int) -> None:
        self._with_mass.add_odds_to(out, block, threads)

    def add_odds_to(self, out: FloatArray, block: Levels, threads: int) -> None:
        super().add_to(out, block, threads)

    def places(self, block: Levels, threads: int = 1) -> CodeArray:
        return self._places.indices(block)

    @cached_property
    def _places(self) -> LevelIndexer:
        return LevelIndexer(self.levels)

    def evidence(self, block: Levels) -> tuple[list[str], FloatArray]:
        names, parts = super().evidence(block)
        for j in (j for j, prefixes in enumerate(self.prefixes) if prefixes):
            unseen = np.flatnonzero(self.places(block)[:, j] < 0)
            scores = np.concatenate([self.unseen(j, block.levels[j]), np.zeros((1, self.n_classes))])
            parts[unseen, j] = scores[block.indices_in(j, block.levels[j])[unseen]]
        return names, parts

    def unseen(self, j: int, levels: Sequence[Level]) -> FloatArray:
        out = np.zeros((len(levels), self.n_classes))
        for i, level in enumerate(levels):
            found = self._prefix_of(j, level)
            if found is not None:
                out[i] = self.prefixes[j][found[0]].table[:, found[1]]
        return out

    def _prefix_of(self, j: int, level: Level) -> tuple[int, int] | None:
        """The longest known prefix of a level: its length index and place."""
        each = ((k, self.prefixes[j][k].place(level)) for k in reversed(range(len(self.prefixes[j]))))
        return next(((k, at) for k, at in each if at is not None), None)

    @cached_property
    def known_levels(self) -> KnownLevels:
        return KnownLevels(self.levels, keeps_unknown=any(self.prefixes))

    @cached_property
    def _with_mass(self) -> "PooledTable":
        return replace(self, table=self.table + self.log_mass)

    @cached_property
    def start(self) -> IntArray:
        return starts(self.levels)

    def column(self, j: int) -> "PooledTable":
        here = slice(self.start[j], self.start[j + 1])
        return PooledTable(
            self.table[:, here], (self.levels[j],), (self.columns[j],), self.mass[here], (self.prefixes[j],)
        )

    def weighted(self, weights: BlockWeights) -> "PooledTable":
        assert isinstance(weights, ColumnWeights)
        prefixes = tuple(
            tuple(replace(some, table=weight * some.table) for some in each)
            for weight, each in zip(weights.values, self.prefixes, strict=True)
        )
        return replace(self, table=self.table * np.repeat(weights.values, np.diff(self.start)), prefixes=prefixes)

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        terms, table = super().linear_terms(names)
        terms += [f"{n}={v}…" for n, each in zip(names, self.prefixes, strict=True) for p in each for v in p.spelled]
        return terms, np.concatenate([table, *(p.table for each in self.prefixes for p in each)], axis=1)

    def linear_features(self, block: Levels) -> FloatArray:
        each = [super().linear_features(block)]
        for j, prefixes in enumerate(self.prefixes):
            start = np.cumsum([0, *(len(p.spelled) for p in prefixes)])
            terms = [
                -1 if seen >= 0 or (found := self._prefix_of(j, level)) is None else int(start[found[0]]) + found[1]
                for level, seen in zip(block.levels[j], level_indices(block.levels[j], self.levels[j]), strict=True)
            ]
            each.append(np.eye(int(start[-1]) + 1)[block.remapped(j, terms), :-1])
        return np.concatenate(each, axis=1)

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        with np.errstate(divide="ignore"):
            probable = self.table[klass] + np.log(self.mass)
        return LevelTable(probable[None], self.levels).sample(0, n, rng)
