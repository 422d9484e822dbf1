"""From a source to a model: a plan from the first rows, the sum of what is counted by it, a second look at some rows."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Name
from suffice.columns.table import Table
from suffice.errors import DataError, ParameterError
from suffice.estimators.intake import no_weight, not_a_column, weight_values
from suffice.estimators.sourced.identifiers import are_foreseen, identifiers, warn_left_out
from suffice.estimators.sourced.label_column import label_dtype, labels_of, refuse_twins, twins
from suffice.estimators.sourced.row_sample import RowSample
from suffice.families.assignment import Assigned
from suffice.families.base import Family
from suffice.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.sources.source import Source, summed
from suffice.statistics import Tally

SECOND_LOOK = 20_000
"""Rows that are kept for those families that look twice."""

R = TypeVar("R")


@dataclass(frozen=True)
class Wanted:
    """What is to be learned: the roles of columns, the families of the others (``asked`` are those that were named), and
    the settings of the model."""

    label: str
    weight: str | None
    blocks: Callable[[Table], tuple[Assigned, ...]]
    asked: frozenset[Name] | None
    settings: dict[str, Any]
    threads: int


@dataclass(frozen=True)
class Learned:
    """The model, and what came along with it."""

    model: Model
    label_dtype: Any
    rows: int
    left_out: tuple[Name, ...]


def asked_for(families: Any) -> frozenset[Name] | None:
    """The columns that are named there; None where all are meant."""
    if isinstance(families, Family):
        return None
    keys = families if isinstance(families, Mapping) else ()
    return frozenset(keys) | frozenset(name for key in keys if isinstance(key, tuple) for name in key)


def check_roles(label: Any, weight: Any) -> None:
    """Labels and weights of a source are columns of it."""
    for value, what in ((label, "y"), (weight, "sample_weight")):
        if not isinstance(value, str) and (value is not None or what == "y"):
            raise ParameterError(
                f"{what} is of type {type(value).__name__}",
                "rows that are read from a source have their labels and weights in a column",
                "Give its name",
            )


def learn(source: Source, wanted: Wanted) -> Learned:
    """One walk through the rows."""
    check_roles(wanted.label, wanted.weight)
    wanted = replace(wanted, threads=source.threads(wanted.threads))
    plan = _foreseen(source, wanted) or source.first(lambda table: _planned(table, wanted))
    warn_left_out(plan.left_out)
    return source.total(plan.count, plan.finish)


def _foreseen(source: Source, wanted: Wanted) -> "Plan | None":
    """The plan, where types alone say what rows would: no string may turn out to be a sentence, and no integer an
    identifier, and no family looks before it counts."""
    types = source.typed()
    if types is None or wanted.label not in types.names:
        return None
    features = types.only([name for name in types.names if name not in (wanted.label, wanted.weight)])
    if not are_foreseen(features, frozenset(features.names) if wanted.asked is None else wanted.asked):
        return None
    looks = any(block.family.looks for block in wanted.blocks(features))
    return None if looks else _planned(types, wanted)


def _planned(table: ArrowTable, wanted: Wanted) -> "Plan":
    """What the first rows tell: kinds, families, identifiers, and whether the label is one."""
    for name in (wanted.label, wanted.weight):
        if name is not None and name not in table.names:
            raise not_a_column(name, table.names)
    labels_of(table, wanted.label, wanted.threads)
    features = [name for name in table.names if name not in (wanted.label, wanted.weight)]
    asked = frozenset(features) if wanted.asked is None else wanted.asked
    out = identifiers(table, [name for name in features if name not in asked])
    kept = table.only([name for name in features if name not in out])
    if out and not kept.names:
        raise DataError(
            f"Every column of the table is an identifier: {', '.join(map(str, out))}",
            "one that tells something about the row is needed",
        )
    model = Model.blank(wanted.blocks(kept), kept, wanted.threads, **wanted.settings)
    return Plan(model, wanted.label, wanted.weight, tuple(out), wanted.threads)


@dataclass(frozen=True)
class Plan:
    """How rows are counted, and what is made of the sum. It goes to where the rows are."""

    model: Model
    label: str
    weight: str | None
    left_out: tuple[Name, ...]
    threads: int

    def count(self, part: int, tables: Iterator[ArrowTable]) -> "Counted | None":
        """The sum over one part."""
        walk = _Walk(self, part)
        tally = summed(walk.counted(table) for table in tables)
        if tally is None:
            return None
        return Counted(tally, walk.label_dtype, walk.rows, walk.twins, walk.sample)

    def weights(self, table: ArrowTable) -> FloatArray | None:
        if self.weight is None:
            return None
        values = table.numbers([self.weight]).dense[:, 0]
        return weight_values(np.ascontiguousarray(values), table.rows)

    def finish(self, counted: "Counted") -> Learned:
        """The model of all rows."""
        refuse_twins(counted.twins, self.label, counted.rows)
        if self.weight is not None and not counted.tally.weight.any():
            raise no_weight()
        model = self.model.having(counted.tally)
        if model.refines:
            table = counted.sample.table()
            labels = table.labels(self.label, self.threads)
            model = model.refined(table, labels, self.weights(table), self.threads)
        return Learned(model, counted.label_dtype, counted.rows, self.left_out)


@dataclass(frozen=True, eq=False)
class Counted:
    """What some rows came to."""

    tally: Tally
    label_dtype: Any
    rows: int
    twins: frozenset[Name]
    """Columns that were equal to the label in every row."""
    sample: RowSample

    @property
    def holds_rows(self) -> bool:
        return self.sample.most > 0

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(
            self.tally + other.tally,
            np.result_type(self.label_dtype, other.label_dtype),
            self.rows + other.rows,
            self.twins & other.twins,
            self.sample + other.sample,
        )


class _Walk:
    """What is seen on the way through one part, beside the tally."""

    def __init__(self, plan: Plan, part: int) -> None:
        self._plan, self._part = plan, part
        self._rng = np.random.default_rng([part, 7])
        self.rows = 0
        self.label_dtype = np.dtype(bool)
        self.twins: frozenset[Name] = frozenset(plan.model.names)
        self.sample = RowSample(SECOND_LOOK if plan.model.refines else 0)

    def counted(self, table: ArrowTable) -> Tally:
        plan = self._plan
        labels = labels_of(table, plan.label, plan.threads)
        dtype = label_dtype(table, plan.label)
        self.label_dtype = np.result_type(self.label_dtype, dtype) if self.rows else dtype
        if self.twins:
            self.twins = twins(table, plan.label, self.twins)
        if self.sample.most:
            self.sample = self.sample.seeing(table, self._rng.random(table.rows), self._part, self.rows)
        self.rows += table.rows
        return plan.model.count(table, labels, plan.weights(table), plan.threads)
