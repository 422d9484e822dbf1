"""Names for what users hand in, which is read and checked at run time: type checkers let anything pass."""

from typing import Any, TypeAlias

TableLike: TypeAlias = Any
"""Rows: an array, a sparse matrix, a frame, a table or stream of Arrow, columns by name, records, or a source of rows."""

LabelsLike: TypeAlias = Any
"""One label a row (an array, a list, a column of a frame) or, beside a table with names, the name of its label column."""

WeightsLike: TypeAlias = Any
"""One weight a row, or None."""
