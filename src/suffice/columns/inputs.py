"""Type aliases of user input, which is validated at run time: type checkers accept any value."""

from typing import Any, TypeAlias

TableLike: TypeAlias = Any
"""Rows: an array, a sparse matrix, a frame, a table or stream of Arrow, columns by name, records, or a source of rows."""

LabelsLike: TypeAlias = Any
"""One label per row (an array, a list, a column of a frame) or, with a named table, the name of its label column."""

WeightsLike: TypeAlias = Any
"""One weight per row, or None."""
