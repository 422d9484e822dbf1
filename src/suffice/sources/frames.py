"""Conversion of pandas, Polars, pyarrow and DuckDB frames and of dicts of columns to Arrow."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.spelling import level_text
from suffice.columns.table import Table, check_names
from suffice.errors import DataError
from suffice.numerics.kernel_arrays import kernel_array

_ARROW_ERRORS = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError, OverflowError)


def from_columns(columns: dict[Any, Any]) -> ArrowTable:
    """A table from a mapping of column names to sequences of cells; None and NaN are missing."""
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
    """``from_columns`` as an Arrow table, with names converted to strings."""
    return from_columns(columns).table.rename_columns([str(name) for name in columns])


def _array(name: object, values: Any) -> Any:
    plain = getattr(values, "dtype", None) is not None and values.dtype != object
    if not plain and any(
        isinstance(v, np.ndarray) and v.ndim > 1 for v in values
    ):  # a sequence of vectors in every cell
        values = [v.tolist() if isinstance(v, np.ndarray) else v for v in values]
    conversion = _conversion(getattr(values, "dtype", None))
    try:
        return pa.array(values if conversion is None else conversion(values), from_pandas=True)
    except OverflowError:  # integers beyond 64 bits become floats
        return pa.array([None if v is None else float(v) for v in values])
    except _ARROW_ERRORS as error:
        raise _mixed_types(name, values) from error


def _mixed_types(name: object, values: Any) -> DataError:
    kinds = sorted({type(v).__name__ for v in values if v is not None and not (isinstance(v, float) and v != v)})
    return DataError(
        f"Column {name!r} mixes {', '.join(kinds)}"
        if len(kinds) > 1
        else f"Column {name!r} contains values of type {kinds[0]}",
        "each argument must be a string or a number, and a column must be of one type",
        "Convert its cells to one type",
    )


def from_frame(frame: Any) -> Table:
    """A table from any object that exports an Arrow stream. Column names need not be strings."""
    if isinstance(frame, (pa.Table, pa.RecordBatch)):
        return ArrowTable(pa.table(frame))
    if not hasattr(frame, "columns"):
        try:
            return ArrowTable(pa.table(frame))
        except _ARROW_ERRORS:
            raise DataError(
                f"Expected 2D array, got a {type(frame).__name__} instead",
                "rows and columns are needed",
                "Reshape your data: a frame with one column will do",
            ) from None
    names = list(frame.columns)
    check_names(names)
    kinds = set(frame.dtypes) if _is_pandas(frame) else set()
    if len(kinds) == 1 and isinstance(kind := kinds.pop(), np.dtype) and kind.kind in "fiub":
        return MatrixTable(kernel_array(frame.to_numpy()), names)  # stored as one matrix
    try:
        return ArrowTable(to_arrow(frame), names)
    except _ARROW_ERRORS as error:
        for name in names:
            _array(name, frame[name])  # raises an error that names the column
            try:
                to_arrow(frame[[name]])
            except _ARROW_ERRORS:
                raise DataError(
                    f"Column {name!r} has cells of type {frame[name].dtype}", "Arrow has no such type", "Convert it"
                ) from error
        raise DataError(f"The frame cannot be read: {error}") from error


def _is_pandas(frame: Any) -> bool:
    return type(frame).__module__.startswith("pandas")


def to_arrow(frame: Any) -> Any:
    """The frame as an Arrow table."""
    if not _is_pandas(frame):
        return pa.table(frame)
    foreign = {name: found for name, kind in frame.dtypes.items() if (found := _conversion(kind)) is not None}
    if foreign:
        frame = frame.copy(deep=False)
        for name, conversion in foreign.items():
            frame[name] = conversion(frame[name])
    return pa.Table.from_pandas(frame, preserve_index=False)  # the index is not a column


_ARROW_UNITS = ("s", "ms", "us", "ns")  # units that Arrow has


def _conversion(kind: Any) -> Callable[[Any], Any] | None:
    """The conversion of a pandas or NumPy column to a type of Arrow; None if none is needed.

    Intervals (``pandas.cut``) become categories named by their text; periods become the dates of their starts.
    """
    name = type(kind).__name__
    if name == "CategoricalDtype":
        return _with_texts if type(kind.categories.dtype).__name__ in ("IntervalDtype", "PeriodDtype") else None
    if name == "IntervalDtype":
        return lambda column: _with_texts(column.astype("category"))
    if name == "PeriodDtype":
        return lambda column: getattr(column, "dt", column).to_timestamp()
    if name == "SparseDtype":
        return lambda column: column.astype(kind.subtype)
    if not isinstance(kind, np.dtype):
        return None
    if kind.kind in "fiu" and (not kind.isnative or kind.itemsize > 8):
        return lambda column: column.astype(np.float64)
    if kind.kind in "mM" and np.datetime_data(kind)[0] not in (*_ARROW_UNITS, *("D" if kind.kind == "M" else "")):
        return lambda column: column.astype(f"{kind.kind}8[s]")
    return None


def _with_texts(categories: Any) -> Any:
    """Categories renamed to their text. Whole bounds of intervals are integers, though missing cells make them floats."""
    names = [
        _interval_text(level) if hasattr(level, "closed_left") else str(level) for level in categories.dtype.categories
    ]
    return getattr(categories, "cat", categories).rename_categories(names)


def _interval_text(interval: Any) -> str:
    left, right = "[" if interval.closed_left else "(", "]" if interval.closed_right else ")"
    return f"{left}{level_text(interval.left)}, {level_text(interval.right)}{right}"
