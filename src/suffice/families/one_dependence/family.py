"""Base of the one-dependence families: pairs of levels are counted, and tables are shrunk toward those of lower
order."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Levels
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Level
from suffice.columns.labels import Label
from suffice.columns.level_codes import KnownLevels
from suffice.families.base import AnyFamily, ClassDensities, Family, Reads, Rule
from suffice.families.one_dependence.conditionals import Conditionals, codes_of, runs
from suffice.families.settings import number
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.numerics.threads import parallel_map
from suffice.statistics import PairCounts


@dataclass(frozen=True)
class OneDependence(Family[Levels, PairCounts]):
    """Levels of several columns, each given the class and one other column."""

    strength: float = 2.0

    reads: ClassVar[Reads] = "levels"
    joint: ClassVar[bool] = True

    def __post_init__(self) -> None:
        number(type(self).__name__, "strength", self.strength)

    def observe(self, block: Levels, y: ClassCodes, threads: int) -> PairCounts:
        return PairCounts.count(block, y, threads)

    def is_mergeable_with(self, other: AnyFamily) -> bool:
        return isinstance(other, OneDependence)

    def left_out(
        self,
        statistic: PairCounts,
        rule: Rule,
        classes: Sequence[Label],
        block: Levels,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        counted = Conditionals(statistic)
        codes = codes_of(block, statistic.levels)
        out = np.empty((block.rows, len(classes)))

        def fill(rows: slice) -> None:
            out[rows] = self.without(counted, codes[rows], y.codes[rows], y.weights[rows], self.strength_under(rule))

        parallel_map(fill, runs(block.rows, codes.shape[1] ** 2 * len(classes)), threads)
        return out

    @abstractmethod
    def without(
        self, counted: Conditionals, codes: IntArray, y: CodeArray, weight: FloatArray, strength: float
    ) -> FloatArray:
        """log p(row's cells | class) of counted rows, leave-one-out."""

    def strength_under(self, rule: Rule) -> float:
        """Pseudo-rows of the lower-order table: none under maximum likelihood."""
        return 0.0 if rule == "mle" else float(self.strength)


class OneDependenceDensity(ClassDensities[Levels]):
    """``log_given`` (levels given and none, levels and none, classes): see ``conditionals``."""

    def __init__(self, log_given: FloatArray, levels: tuple[tuple[Level, ...], ...]) -> None:
        self.log_given = log_given
        self.levels = levels
        self.n_classes = log_given.shape[2]

    @cached_property
    def known_levels(self) -> KnownLevels:
        return KnownLevels(self.levels)

    def add_to(self, out: FloatArray, block: Levels, threads: int) -> None:
        codes = codes_of(block, self.levels)

        def fill(rows: slice) -> None:
            out[rows] += self.scored(codes[rows])

        parallel_map(fill, runs(block.rows, self.cells_per_row * self.n_classes), threads)

    @property
    @abstractmethod
    def cells_per_row(self) -> int:
        """Number of table cells read per row."""

    @abstractmethod
    def scored(self, codes: IntArray) -> FloatArray:
        """log p(row's cells | class)."""

    def levels_of(self, codes: IntArray) -> list[AnyArray]:
        """The levels of codes, by column; None for code −1."""
        names = np.array([*(v for column in self.levels for v in column), None], dtype=object)
        return [names[column] for column in codes.T]

    def given(self, parents: IntArray, children: IntArray) -> FloatArray:
        """Cells of the table, for codes that broadcast."""
        size = len(self.log_given)
        return self.log_given.reshape(-1, self.n_classes).take(parents % size * size + children % size, axis=0)
