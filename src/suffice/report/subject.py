"""What a summary is about: a fitted model and rows with their classes."""

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
    """Columns that the model was told not to look at."""
    numbers: IntArray | None = None
    """Of the rows in their source, from 1; None where they are all of it."""
    unlabelled: int = 0
    """More rows of the source, without a class."""
    learned: int | None = None
    """How many rows the model was trained on; None if it is these."""

    @property
    def is_sample(self) -> bool:
        return bool(self.rows.num_rows < self.total)

    @property
    def has_densities(self) -> bool:
        """Whether there are sums by class: logistic regression has weights alone."""
        return hasattr(self.estimator, "model_")

    @property
    def model(self) -> Any:
        """What was learned, without its scikit-learn face."""
        return self.estimator.model_

    @property
    def schema(self) -> Schema | None:
        """How the files were spelled that were learned from."""
        found: Schema | None = self.model.schema if self.has_densities else getattr(self.estimator, "schema_", None)
        return found

    @cached_property
    def names(self) -> list[str]:
        """The columns that the model looks at."""
        return [str(name) for name in (self.model.names if self.has_densities else self.estimator.feature_names_in_)]

    @cached_property
    def identifiers(self) -> list[str]:
        """Columns that the model does not look at and in which every row has another cell."""
        used = {*self.names, self.target, *self.dropped}
        return [n for n in self.rows.column_names if n not in used and _differs(self.rows.column(n))]

    def number(self, row: int) -> int:
        """Of a row in its source, from 1."""
        return row + 1 if self.numbers is None else int(self.numbers[row])

    def some(self, places: IntArray) -> "Subject":
        """Some of the rows."""
        numbers = places + 1 if self.numbers is None else self.numbers[places]
        return replace(self, rows=self.rows.take(pa.array(places)), numbers=numbers)

    @cached_property
    def features(self) -> pa.Table:
        """The rows without the target."""
        return self.rows.select(self.names)

    @cached_property
    def table(self) -> Table:
        """The rows as the model reads them."""
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
