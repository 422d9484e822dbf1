"""What a summary is about: a fitted model and rows with their classes."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.columns.kinds import Kind, Name
from suffice.columns.table import Table
from suffice.numerics.arrays import AnyArray
from suffice.sources import open_table


@dataclass(frozen=True, eq=False)
class Subject:
    """``rows`` is an Arrow table with all columns of the model and the target; ``total`` rows were learned."""

    estimator: Any
    rows: pa.Table
    target: str
    total: int
    source: str = ""
    dropped: tuple[str, ...] = ()
    """Columns that the model was told not to look at."""

    @property
    def model(self) -> Any:
        """What was learned, without its scikit-learn face."""
        return self.estimator.model_

    @cached_property
    def names(self) -> list[str]:
        """The columns that the model looks at."""
        return [str(name) for name in self.model.names]

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
        """What each column was taken for."""
        return dict(zip(self.table.names, self.table.kinds, strict=True))

    @cached_property
    def labels(self) -> AnyArray:
        """The class of each row."""
        return np.asarray(open_table(self.rows).column(self.target))
