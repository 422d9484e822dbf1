"""Frames and named columns, through Arrow: one path for pandas, Polars, pyarrow, DuckDB and dicts of columns."""

from typing import Any

import numpy as np
import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.table import Table, check_names
from suffice.errors import DataError

_UNREADABLE = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError, OverflowError)


def from_columns(columns: dict[Any, Any]) -> ArrowTable:
    """Columns by name, each a sequence of cells; None and NaN are missing."""
    arrays = []
    for name, values in columns.items():
        if isinstance(values, str) or not hasattr(values, "__len__"):
            raise DataError(f"Column {name!r} is {values!r}", "a sequence of cells is needed", "Wrap it in a list")
        arrays.append(_array(name, values))
    lengths = {name: len(array) for name, array in zip(columns, arrays, strict=True)}
    if len(set(lengths.values())) > 1:
        raise DataError(
            f"The columns have different lengths: {lengths}", "every row needs a cell in each, None if missing"
        )
    return ArrowTable(pa.table(arrays, names=[str(n) for n in range(len(arrays))]), list(columns))


def arrow_columns(columns: dict[Any, Any]) -> Any:
    """As ``from_columns``, for Arrow's own table, in which names are text."""
    return from_columns(columns).table.rename_columns([str(name) for name in columns])


def _array(name: object, values: Any) -> Any:
    plain = getattr(values, "dtype", None) is not None and values.dtype != object
    if not plain and any(
        isinstance(v, np.ndarray) and v.ndim > 1 for v in values
    ):  # a sequence of vectors in every cell
        values = [v.tolist() if isinstance(v, np.ndarray) else v for v in values]
    if (
        isinstance(values, np.ndarray)
        and values.dtype.kind in "fiu"
        and (not values.dtype.isnative or values.dtype.itemsize > 8)
    ):
        values = values.astype(np.float64)
    try:
        return pa.array(values, from_pandas=True)
    except OverflowError:  # integers beyond 64 bits are numbers all the same
        return pa.array([None if v is None else float(v) for v in values])
    except _UNREADABLE as error:
        raise _mixed(name, values) from error


def _mixed(name: object, values: Any) -> DataError:
    kinds = sorted({type(v).__name__ for v in values if v is not None and not (isinstance(v, float) and v != v)})
    return DataError(
        f"Column {name!r} mixes {', '.join(kinds)}"
        if len(kinds) > 1
        else f"Column {name!r} holds values of type {kinds[0]}",
        "each argument must be a string or a number, and a column must be of one kind",
        "Convert its cells to one kind",
    )


def from_frame(frame: Any) -> Table:
    """Anything that hands out an Arrow stream. Names stay the frame's own, strings or not."""
    if isinstance(frame, (pa.Table, pa.RecordBatch)):
        return ArrowTable(pa.table(frame))
    if not hasattr(frame, "columns"):
        try:
            return ArrowTable(pa.table(frame))
        except _UNREADABLE:
            raise DataError(
                f"Expected 2D array, got a {type(frame).__name__} instead",
                "rows and columns are needed",
                "Reshape your data: a frame with one column will do",
            ) from None
    names = list(frame.columns)
    check_names(names)
    kinds = set(frame.dtypes) if _is_pandas(frame) else set()
    if len(kinds) == 1 and isinstance(kind := kinds.pop(), np.dtype) and kind.kind in "fiub":
        return MatrixTable(frame.to_numpy(), names)  # one matrix already
    try:
        return ArrowTable(to_arrow(frame), names)
    except _UNREADABLE as error:
        for name in names:
            _array(name, frame[name])  # finds the column, and says what is wrong with it
        raise DataError(f"The frame cannot be read: {error}") from error


def _is_pandas(frame: Any) -> bool:
    return type(frame).__module__.startswith("pandas")


def to_arrow(frame: Any) -> Any:
    """The frame as an Arrow table."""
    if not _is_pandas(frame):
        return pa.table(frame)
    sparse = {
        name: kind.subtype for name, kind in frame.dtypes.items() if hasattr(kind, "subtype") and "Sparse" in str(kind)
    }
    # the index is not a column
    return pa.Table.from_pandas(frame.astype(sparse) if sparse else frame, preserve_index=False)
