"""Frames and named columns, through Arrow: one path for pandas, Polars, pyarrow, DuckDB and dicts of columns."""

from typing import Any

import numpy as np
import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.errors import DataError

_UNREADABLE = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError)


def from_columns(columns: dict[Any, Any]) -> ArrowTable:
    """Columns by name, each a sequence of cells; None and NaN are missing."""
    arrays = []
    for name, values in columns.items():
        try:
            arrays.append(_array(values))
        except _UNREADABLE as error:
            raise _mixed(name, values) from error
    return ArrowTable(pa.table(arrays, names=[str(n) for n in range(len(arrays))]), list(columns))


def _array(values: Any) -> Any:
    if any(isinstance(v, np.ndarray) and v.ndim > 1 for v in values):  # a sequence of vectors in every cell
        values = [v.tolist() if isinstance(v, np.ndarray) else v for v in values]
    return pa.array(values, from_pandas=True)


def _mixed(name: object, values: Any) -> DataError:
    kinds = sorted({type(v).__name__ for v in values if v is not None and not (isinstance(v, float) and v != v)})
    return DataError(
        f"Column {name!r} mixes {', '.join(kinds)}"
        if len(kinds) > 1
        else f"Column {name!r} holds values of type {kinds[0]}",
        "each argument must be a string or a number, and a column must be of one kind",
        "Convert its cells to one kind",
    )


def from_frame(frame: Any) -> ArrowTable:
    """Anything that hands out an Arrow stream. Names stay the frame's own, strings or not."""
    names = list(frame.columns) if hasattr(frame, "columns") and not isinstance(frame, pa.Table) else None
    if names is not None:
        check_names(names)
    try:
        table = pa.table(frame)
    except _UNREADABLE as error:
        for name in names or []:
            from_columns({name: frame[name]})  # finds the column, and says what is wrong with it
        raise DataError(f"The frame cannot be read: {error}") from error
    if names is not None and len(names) != table.num_columns:
        names = None  # an index that came along as a column
    return ArrowTable(table, names)
