"""Blocks, settings and the tally of learned rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias, TypeVar

import numpy as np

from suffice.columns.blocks import BlockData, Levels, Numbers, TableBlock
from suffice.columns.calendar_table import CalendarTable, derived_columns
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label, Labels
from suffice.columns.padded_table import PaddedTable
from suffice.columns.schema import Schema
from suffice.columns.table import Table
from suffice.errors import DataError, quoted
from suffice.families.assignment import Block
from suffice.families.base import AnyDensities, Rule
from suffice.families.class_prior import ClassPrior
from suffice.families.reading import observed, read_block, with_inspected_rows
from suffice.families.settings import number
from suffice.families.support import refuse_infinite
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.parts.discretised import is_discretised, is_weighable
from suffice.parts.weighted_parts import WeightedParts
from suffice.statistics import Statistic, Tally

T = TypeVar("T")

KEPT_ROWS = 100_000
"""Rows kept by default, for fitting weights."""

Weighing: TypeAlias = Literal["naive", "weighted", "additive", "full"]
"""The sum of log densities (textbook); with a weight per block; also with missing indicators, pairs and correlated
normals; or also with forests and Fourier features."""
Missing: TypeAlias = Literal["evidence", "ignore"]


@dataclass(frozen=True, eq=False)
class CountedModel:
    """Blocks, settings and tally of a model, without fitted weights."""

    blocks: tuple[Block, ...]
    names: Sequence[Name]
    prior: ClassPrior
    rule: Rule
    tally: Tally
    declared: tuple[Label, ...] = ()
    """Classes of the model that exist even without learned rows."""
    class_weight: Mapping[Label, float] | Literal["balanced"] | None = None
    weighing: Weighing = "naive"
    missing: Missing = "ignore"
    """Whether a missing cell is evidence."""
    keep_rows: int = 0
    """Maximum number of rows in the row sample, which weights are fitted to."""
    marginalise: bool = False
    """Whether a column absent from a table counts as missing; otherwise it is an error."""
    schema: Schema | None = None
    """The schema of the training files, if the model was trained on files."""

    @classmethod
    def blank(cls, blocks: tuple[Block, ...], table: Table, threads: int, **settings: Any) -> Self:
        """A model without learned rows, for tables like this one."""
        made = tuple(with_inspected_rows(block, table, threads) for block in blocks)
        return cls(blocks=made, names=table.names, tally=Tally((), np.zeros(0), (), ()), **settings)

    @property
    def keeping(self) -> Self:
        """A copy that keeps rows while weights are fitted."""
        return replace(self, keep_rows=self.keep_rows or KEPT_ROWS)

    @property
    def classes(self) -> tuple[Label, ...]:
        return self.tally.classes

    # — which blocks are weighted —

    @cached_property
    def is_weighted(self) -> tuple[bool, ...]:
        """Whether each block is weighted."""
        if self.weighing == "naive":
            return tuple(block.family.is_weighted for block in self.blocks)
        return tuple(is_weighable(block) for block in self.blocks)

    @property
    def has_parts(self) -> bool:
        """Whether the model has parts, which score several columns together."""
        return self.weighing in ("additive", "full")

    @property
    def fits_weights(self) -> bool:
        """Whether weights are fitted."""
        return any(self.is_weighted)

    def weighted(self, each: Iterable[T]) -> list[T]:
        """The items of the weighted blocks, from one item per block."""
        return [one for one, yes in zip(each, self.is_weighted, strict=True) if yes]

    def tables(self, each: Iterable[T]) -> list[T]:
        """The items of the discretised blocks, which parts read, from one item per block."""
        if not self.has_parts:
            return []
        return [
            one for one, block in zip(each, self.blocks, strict=True) if is_weighable(block) and is_discretised(block)
        ]

    def table_blocks(self, read: Iterable[BlockData | None]) -> list[TableBlock]:
        """The cells of the discretised blocks."""
        return [cells for cells in self.tables(read) if isinstance(cells, (Numbers, Levels))]

    # — reading and counting rows —

    def read(self, table: Table, threads: int) -> list[BlockData]:
        """The cells of a table as each block reads them."""
        table = self.with_columns(table)
        return [read_block(table, block, None, threads) for block in self.blocks]

    def count(self, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> Tally:
        """The tally of some rows."""
        if not table.rows:
            raise DataError("There are no rows", "at least one is needed")
        if self.keep_rows and self.fits_weights:
            return self.count_read(self.read(table, threads), labels, weight, threads)
        table = self.with_columns(table)
        return self._tally(labels, weight, [observed(b, table, labels, weight, threads) for b in self.blocks], threads)

    def count_read(self, read: Sequence[BlockData], labels: Labels, weight: FloatArray | None, threads: int) -> Tally:
        """The tally of rows in blocks."""
        if not len(labels.codes):
            raise DataError("There are no rows", "at least one is needed")
        y = labels.class_codes(weight)
        statistics = [block.observe(cells, y, threads) for block, cells in zip(self.blocks, read, strict=True)]
        tally = self._tally(labels, weight, statistics, threads)
        if not self.keep_rows or not self.fits_weights:
            return tally
        from suffice.statistics.row_sample import RowSample

        cells = [c if weighted else None for c, weighted in zip(read, self.is_weighted, strict=True)]
        return replace(tally, sample=RowSample.of(self.keep_rows, tally.columns, cells, labels.codes, weight))

    def with_kept_weights(self, weight: FloatArray, threads: int) -> Self:
        """The tally of the kept rows with other weights, without rows of weight zero; families keep their settings."""
        sample = self.tally.sample
        assert sample is not None
        some = np.flatnonzero(weight > 0)
        others = replace(sample.take(some), weight=weight[some])
        y = ClassCodes(others.y, len(self.classes), others.weight)
        statistics = tuple(
            statistic if cells is None else block.observe(cells, y, threads)
            for block, cells, statistic in zip(
                self.blocks, others.blocks(self.tally.columns), self.tally.statistics, strict=True
            )
        )
        seen = np.bincount(others.y, others.weight, len(self.classes)).astype(np.float64)
        return replace(self, tally=replace(self.tally, weight=seen, statistics=statistics, sample=others))

    def _tally(self, labels: Labels, weight: FloatArray | None, statistics: Sequence[Statistic], threads: int) -> Tally:
        seen = labels.weights(weight, threads)
        return Tally(labels.classes, seen, tuple(b.columns for b in self.blocks), tuple(statistics))

    @cached_property
    def calendar(self) -> dict[Name, tuple[Name, str]]:
        """The columns derived from dates: for each the date column and the part."""
        if sum(len(block.columns) for block in self.blocks) == len(self.names):
            return {}
        have = set(self.names)
        return derived_columns([c for b in self.blocks for c in b.columns if c not in have], self.names)

    def with_columns(self, table: Table) -> Table:
        """The table with columns derived from dates; refused if it lacks a column, unless missing columns are
        marginalised."""
        table = self._with_names(table)
        return CalendarTable(table, self.calendar) if self.calendar else table

    def _with_names(self, table: Table) -> Table:
        known = table.names
        if known is self.names or (isinstance(known, range) and known == self.names):
            return table
        have = set(known)
        absent = [n for n in self.names if n not in have]
        if not absent:
            return table
        if not self.marginalise:
            raise DataError(
                f"Column {quoted(absent)} is missing",
                f"the model was fitted with {quoted(list(self.names), most=10)}; the table has {quoted(list(known), most=10)}",
                "Add it, or set missing_columns='marginalise' to go without",
            )
        return PaddedTable(table, absent)

    def places(self, labels: Labels) -> CodeArray:
        """The class code of each row in the model."""
        place = np.array([self.classes.index(c) for c in labels.classes], dtype=np.int32)
        return place[labels.codes]

    # — class weights —

    @cached_property
    def by_class_weight(self) -> Tally:
        """The tally with the rows of each class scaled by the class weights."""
        if self.class_weight is None:
            return self.tally
        return self.tally.scaled(self.class_factors(self.tally.weight))

    def class_factors(self, weight: FloatArray) -> FloatArray:
        """The factor of each class by the class weights, given the weight of its rows."""
        if self.class_weight is None:
            return np.ones(len(weight))
        if self.class_weight == "balanced":
            return np.where(weight > 0, weight.sum() / (len(weight) * np.where(weight > 0, weight, 1.0)), 0.0)
        for label, value in self.class_weight.items():
            number("class_weight", f"weight of {label!r}", value)
        return np.array([float(self.class_weight.get(c, 1.0)) for c in self.classes])

    # — estimates —

    def estimates(self) -> list[AnyDensities]:
        """The class densities of each block."""
        with np.errstate(over="ignore"):
            return [
                block.estimate(statistic, self.rule, self.classes)
                for block, statistic in zip(self.blocks, self.tally.statistics, strict=True)
            ]

    def fill(
        self, joint: FloatArray, log_prior: FloatArray, densities: Sequence[AnyDensities],
        weighted_parts: WeightedParts | None, read: Iterable[BlockData], threads: int, *, odds: bool = False,
    ) -> None:  # fmt: skip
        """Write log p(class, row) of rows in blocks into ``joint``."""
        kernels.fill_rows(log_prior, joint, threads)
        seen = []
        with np.errstate(over="ignore"):  # a finite cell in the far tail: its density is zero
            for cells, density in zip(read, densities, strict=True):
                (density.add_odds_to if odds else density.add_to)(joint, cells, threads)
                seen.append(cells)
            if weighted_parts is not None:
                weighted_parts.add_to(joint, self.table_blocks(seen), threads)
        if not np.isfinite(joint[:, 0]).all():  # a probability is zero, or a cell is infinite
            for cells, block in zip(seen, self.blocks, strict=True):
                if isinstance(cells, Numbers):
                    refuse_infinite(cells, type(block.family).__name__)

    def with_weights(
        self, densities: Sequence[AnyDensities], weighted_parts: WeightedParts
    ) -> tuple[AnyDensities, ...]:
        """The densities of blocks, weighted where the block has weights."""
        weights = iter(weighted_parts.weights)
        return tuple(
            density.weighted(next(weights)) if weighted else density
            for density, weighted in zip(densities, self.is_weighted, strict=True)
        )

    def in_units(self, unit: FloatArray) -> Self:
        """With the weights of each class in units of one row, and without kept rows."""
        tally = replace(self.tally, sample=None)
        return replace(self, tally=tally if (unit == 1.0).all() else tally.scaled(1 / unit))
