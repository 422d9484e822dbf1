"""Labelled rows."""

from dataclasses import dataclass

from suffice.columns.labels import Labels
from suffice.columns.table import Table
from suffice.numerics.arrays import FloatArray


@dataclass(frozen=True)
class Labelled:
    """A table, the label of each row, and the weights of the rows, if any."""

    table: Table
    labels: Labels
    weight: FloatArray | None
