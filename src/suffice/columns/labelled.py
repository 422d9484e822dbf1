"""Rows whose class is known."""

from dataclasses import dataclass

from suffice.columns.labels import Labels
from suffice.columns.table import Table
from suffice.numerics.arrays import FloatArray


@dataclass(frozen=True)
class Labelled:
    """A table, the label of each of its rows, and their weights if they do not all count once."""

    table: Table
    labels: Labels
    weight: FloatArray | None
