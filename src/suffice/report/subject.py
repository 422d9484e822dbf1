"""The subject of a summary: a fitted model and labelled rows."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.kinds import Kind, Name
from suffice.columns.schema import Schema
from suffice.columns.table import Table
from suffice.numerics.arrays import AnyArray, IntArray
from suffice.sources import open_table


@dataclass(frozen=True, eq=False)
class Subject:
    """``rows`` is an Arrow table with all columns of the model and the target: all ``total`` rows with a class, or a sample."""

    estimator: Any
    rows: pa.Table
    target: str
    total: int
    source: str = ""
    dropped: tuple[str, ...] = ()
    """Columns excluded by ``--drop`` or ``--kind``."""
    numbers: IntArray | None = None
    """Row numbers in the source, from 1; None if ``rows`` has all rows of the source."""
    unlabelled: int = 0
    """Number of further rows of the source, without a class."""
    learned: int | None = None
    """Number of training rows; None if they are these rows."""

    @property
    def is_sample(self) -> bool:
        """Whether ``rows`` has only some of the labelled rows."""
        return bool(self.rows.num_rows < self.total)

    @property
    def has_densities(self) -> bool:
        """Whether the model has class-conditional densities; logistic regression has weights only."""
        return hasattr(self.estimator, "model_")

    @property
    def model(self) -> Any:
        """The fitted ``Model`` of the estimator."""
        return self.estimator.model_

    @property
    def schema(self) -> Schema | None:
        """The schema of the training files, if any."""
        found: Schema | None = self.model.schema if self.has_densities else getattr(self.estimator, "schema_", None)
        return found

    @cached_property
    def names(self) -> list[str]:
        """The columns of the model."""
        return [str(name) for name in (self.model.names if self.has_densities else self.estimator.feature_names_in_)]

    @cached_property
    def identifiers(self) -> list[str]:
        """Columns of distinct cells that the model does not use."""
        used = {*self.names, self.target, *self.dropped}
        return [n for n in self.rows.column_names if n not in used and _differs(self.rows.column(n))]

    def number(self, row: int) -> int:
        """The number of a row in its source, from 1."""
        return row + 1 if self.numbers is None else int(self.numbers[row])

    def take(self, places: IntArray) -> "Subject":
        """The subject restricted to the rows at some positions."""
        numbers = places + 1 if self.numbers is None else self.numbers[places]
        return replace(self, rows=self.rows.take(pa.array(places)), numbers=numbers)

    @cached_property
    def features(self) -> pa.Table:
        """The rows without the target."""
        return self.rows.select(self.names)

    @cached_property
    def table(self) -> Table:
        """The rows as a table of the library."""
        return open_table(self.features)

    @cached_property
    def kinds(self) -> dict[Name, Kind]:
        """The kind of each column."""
        return dict(zip(self.table.names, self.table.kinds, strict=True))

    @cached_property
    def labels(self) -> AnyArray:
        """The class of each row."""
        return np.asarray(open_table(self.rows).column(self.target))


def _differs(column: Any) -> bool:
    return bool(pc.count_distinct(column).as_py() == len(column))
