"""Fitting to a source: a plan from the first rows, the tally of all rows, and joint counts in a second pass if there
are more rows than are kept."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Name
from suffice.columns.numeric_text import NumericText
from suffice.columns.table import Table
from suffice.errors import ParameterError
from suffice.estimators.identifiers import (
    kinds_follow_from_types,
    numbers_as_text,
    split_identifiers,
    warn_left_out,
    warn_of_text,
)
from suffice.estimators.intake import no_weight, not_a_column, weight_values
from suffice.estimators.label_column import label_copies, label_dtype, labels_of, refuse_label_copies
from suffice.families.assignment import Block
from suffice.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.parts.part import AnyPart
from suffice.parts.recount import PartCounts, Recount
from suffice.sources.source import Source, summed
from suffice.statistics import Tally

T = TypeVar("T")


@dataclass(frozen=True)
class FitSpec:
    """Specification of a fit: the columns of labels and weights, the families of the other columns (``named`` are those
    with a family given by name), and the settings of the model."""

    label: str
    weight: str | None
    blocks: Callable[[Table], tuple[Block, ...]]
    named: frozenset[Name] | None
    settings: dict[str, Any]
    threads: int


@dataclass(frozen=True)
class FitResult:
    """The model, and by-products of the fit."""

    model: Model
    label_dtype: Any
    rows: int
    left_out: tuple[Name, ...]


def check_roles(label: Any, weight: Any) -> None:
    """Refuse labels and weights that are not names of columns of the source."""
    for value, what in ((label, "y"), (weight, "sample_weight")):
        if not isinstance(value, str) and (value is not None or what == "y"):
            raise ParameterError(
                f"{what} is of type {type(value).__name__}",
                "rows that are read from a source have their labels and weights in a column",
                "Give its name",
            )


def learn(source: Source, spec: FitSpec) -> FitResult:
    """Fit in one pass over the rows, and a second pass if there are more rows than are kept."""
    check_roles(spec.label, spec.weight)
    spec = replace(spec, threads=source.threads(spec.threads))
    plan = _plan_from_types(source, spec) or source.first(lambda table: _plan_from_rows(table, spec))
    warn_left_out(plan.left_out)
    warn_of_text(plan.numbers_as_text)
    counted = source.total(plan.count, _same)
    model = plan.counted_model(counted)
    model = model.with_due_weights(plan.threads, _second_pass(source, plan, model))
    model = model if plan.model.keep_rows else model.stripped()
    return FitResult(replace(model, schema=source.schema), counted.label_dtype, counted.rows, plan.left_out)


def _second_pass(source: Source, plan: "Plan", model: Model) -> Recount | None:
    """Joint counts of all rows in a second pass, if there are more than are kept and the source can be read again."""
    sample = model.tally.sample
    if sample is None or sample.is_complete or not source.can_be_read_again:
        return None
    (unit, _), bare = sample.units(len(model.classes)), replace(model, tally=replace(model.tally, sample=None))
    return lambda parts: source.total(lambda _, tables: plan.part_counts(bare, parts, unit, tables), _same)


def _same(value: T) -> T:
    return value


def _plan_from_types(source: Source, spec: FitSpec) -> "Plan | None":
    """The plan, if it follows from types alone: no strings, which could be sentences, no integers, which could be
    identifiers, and no family that inspects the first rows."""
    types = source.empty_table()
    if types is None or spec.label not in types.names:
        return None
    features = types.only([name for name in types.names if name not in (spec.label, spec.weight)])
    if not kinds_follow_from_types(features, frozenset(features.names) if spec.named is None else spec.named):
        return None
    inspects = any(block.family.inspects_first_rows for block in spec.blocks(features))
    return None if inspects else _plan_from_rows(types, spec)


def _plan_from_rows(table: ArrowTable, spec: FitSpec) -> "Plan":
    """The plan from the first rows: kinds, families and identifiers. The label is validated."""
    for name in (spec.label, spec.weight):
        if name is not None and name not in table.names:
            raise not_a_column(name, table.names)
    labels_of(table, spec.label, spec.threads)
    features = [name for name in table.names if name not in (spec.label, spec.weight)]
    names, out = split_identifiers(table, features, spec.named)
    kept = table.only(names)
    model = Model.blank(spec.blocks(kept), kept, spec.threads, **spec.settings)
    doubts = tuple(numbers_as_text(table, names, out, spec.named))
    return Plan(model, spec.label, spec.weight, tuple(out), doubts, spec.threads)


@dataclass(frozen=True)
class Plan:
    """How rows are counted and the sum becomes a model. It is sent to the workers."""

    model: Model
    label: str
    weight: str | None
    left_out: tuple[Name, ...]
    numbers_as_text: tuple[NumericText, ...]
    """Text columns of numbers except for a few tokens."""
    threads: int

    def count(self, part: int, tables: Iterator[ArrowTable]) -> "SourceCounts | None":
        """The sum over one part."""
        walk = _Pass(self)
        tally = summed(walk.counted(table) for table in tables)
        if tally is None:
            return None
        return SourceCounts(tally, walk.label_dtype, walk.rows, walk.label_copies)

    def part_counts(
        self, model: Model, parts: Sequence[AnyPart], unit: FloatArray, tables: Iterator[ArrowTable]
    ) -> PartCounts | None:
        """Counts of some rows under the plans of the model's parts."""
        return summed(
            model.part_counts(
                parts,
                model.read(table, self.threads),
                labels_of(table, self.label, self.threads),
                self.weights(table),
                unit,
                self.threads,
            )
            for table in tables
        )

    def weights(self, table: ArrowTable) -> FloatArray | None:
        if self.weight is None:
            return None
        values = table.numbers([self.weight]).dense[:, 0]
        return weight_values(np.ascontiguousarray(values), table.rows)

    def counted_model(self, counted: "SourceCounts") -> Model:
        """The model of all rows, before weights are fitted."""
        refuse_label_copies(counted.label_copies, self.label, counted.rows)
        if self.weight is not None and not counted.tally.weight.any():
            raise no_weight()
        return self.model.keeping.with_tally(counted.tally)


@dataclass(frozen=True, eq=False)
class SourceCounts:
    """Counts of some rows."""

    tally: Tally
    label_dtype: Any
    rows: int
    label_copies: frozenset[Name]
    """Columns that were equal to the label in every row."""

    @property
    def contains_rows(self) -> bool:
        return self.tally.sample is not None

    def __add__(self, other: "SourceCounts") -> "SourceCounts":
        return SourceCounts(
            self.tally + other.tally,
            np.result_type(self.label_dtype, other.label_dtype),
            self.rows + other.rows,
            self.label_copies & other.label_copies,
        )


class _Pass:
    """Observations besides the tally during a pass over one part."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.rows = 0
        self.label_dtype = np.dtype(bool)
        self.label_copies: frozenset[Name] = frozenset(plan.model.names)

    def counted(self, table: ArrowTable) -> Tally:
        plan = self._plan
        labels = labels_of(table, plan.label, plan.threads)
        dtype = label_dtype(table, plan.label)
        self.label_dtype = np.result_type(self.label_dtype, dtype) if self.rows else dtype
        if self.label_copies:
            self.label_copies = label_copies(table.cells(plan.label), table, self.label_copies)
        self.rows += table.rows
        return plan.model.keeping.count(table, labels, plan.weights(table), plan.threads)
