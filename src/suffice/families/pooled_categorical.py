"""Categories, each class shrunk toward all classes together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Levels, starts
from suffice.columns.labels import Label
from suffice.columns.level_places import LevelPlaces
from suffice.families.base import Family, Reads, Rule
from suffice.families.forms import LevelTable
from suffice.families.shrunk import KnowsItsRows, ShrunkColumn, Strength, check_strength, laid_end_to_end, shrink
from suffice.families.weights import ColumnWeights
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.statistics import Counts


@dataclass(frozen=True)
class PooledCategorical(Family):
    """x is one of K levels; what a class has few rows of is taken from all classes together.

    p(v | class) = (n_v + α m_v) / (n + α), m_v the share of level v over all classes: unlike a uniform prior that says
    nothing about levels that are rare everywhere. ``strength`` α counts as so many rows; ``"tuned"`` takes the power of two
    under which rows left out tell their class best. A level not seen in training is treated as missing.

    >>> PooledCategorical()
    PooledCategorical(strength='tuned')
    """

    strength: Strength = "tuned"

    reads: ClassVar[Reads] = "levels"
    has_rule: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_strength("PooledCategorical", self.strength)

    def observe(self, block: Levels, y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int) -> Counts:
        return Counts.counted(block, y, n_classes, weight, threads)

    def estimate(self, statistic: Counts, rule: Rule, classes: Sequence[Label]) -> "PooledTable":
        columns = tuple(shrink(table, self.strength, binary=False) for table in statistic.columns())
        return PooledTable(
            laid_end_to_end(columns, len(classes)), statistic.levels, columns, statistic.table.sum(axis=0)
        )

    def left_out(
        self,
        statistic: Counts,
        rule: Rule,
        classes: Sequence[Label],
        block: Levels,
        y: CodeArray,
        weight: FloatArray | None,
        threads: int,
    ) -> FloatArray:
        """With strengths as they are with the row."""
        if weight is not None and (weight != 1).any():
            return super().left_out(statistic, rule, classes, block, y, weight, threads)
        return self.estimate(statistic, rule, classes).left_out(block, y)


@dataclass(frozen=True, eq=False)
class PooledTable(KnowsItsRows, LevelTable):
    """log p(level | class) / p(level)."""

    columns: tuple[ShrunkColumn, ...]
    mass: FloatArray
    """How many rows have each level."""

    def add_to(self, out: FloatArray, block: Levels, threads: int) -> None:
        self._with_mass.add_to(out, block, threads)

    def add_odds_to(self, out: FloatArray, block: Levels, threads: int) -> None:
        super().add_to(out, block, threads)

    def places(self, block: Levels, threads: int = 1) -> CodeArray:
        return self._places.of(block)

    @cached_property
    def _places(self) -> LevelPlaces:
        return LevelPlaces(self.levels)

    @cached_property
    def _with_mass(self) -> LevelTable:
        return LevelTable(self.table + self.log_mass, self.levels)

    @cached_property
    def start(self) -> IntArray:
        return starts(self.levels)

    def column(self, j: int) -> "PooledTable":
        here = slice(self.start[j], self.start[j + 1])
        return PooledTable(self.table[:, here], (self.levels[j],), (self.columns[j],), self.mass[here])

    def weighed(self, weights: ColumnWeights) -> "PooledTable":
        return replace(self, table=self.table * np.repeat(weights.values, np.diff(self.start)))

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        with np.errstate(divide="ignore"):
            probable = self.table[klass] + np.log(self.mass)
        return LevelTable(probable[None], self.levels).sample(0, n, rng)
