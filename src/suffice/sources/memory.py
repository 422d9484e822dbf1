"""Rows in memory: arrays, sparse matrices, frames of any library, lists of dicts."""

import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.columns.documents import view_documents
from suffice.columns.documents_table import DocumentsTable
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.records_table import RecordsTable
from suffice.columns.table import Table
from suffice.errors import DataError
from suffice.numerics.arrays import AnyArray
from suffice.numerics.kernel_arrays import kernel_array


def open_table(rows: Any) -> Table:
    """The rows as a table, without a copy where possible.

    >>> open_table([{"job": "clerk", "age": 30}, {"job": None, "age": 41.5}]).kinds
    [<Kind.CATEGORY: 'category'>, <Kind.NUMBER: 'number'>]
    """
    if isinstance(rows, Table):
        return rows
    if _is_text(rows):
        return DocumentsTable(view_documents(rows))
    if isinstance(rows, np.ndarray):
        return _from_array(rows)
    if sp.issparse(rows):
        return MatrixTable(kernel_csr(_canonical(rows)))
    if hasattr(rows, "__arrow_c_stream__"):
        return _from_frame(rows)
    if isinstance(rows, Mapping):
        return _from_columns(dict(rows))
    if isinstance(rows, Sequence) and len(rows) and all(isinstance(r, Mapping) for r in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return _from_columns({name: [row.get(name) for row in rows] for name in names})
    if hasattr(rows, "columns"):  # as an array it would lose the names and types of its columns
        raise DataError(
            f"A {type(rows).__module__.partition('.')[0]} {type(rows).__name__} has columns but no Arrow stream",
            "a frame needs __arrow_c_stream__ (pandas ≥ 2.2, Polars ≥ 1.3, DuckDB, pyarrow)",
            "Upgrade its library, or convert the frame to Arrow or pandas",
        )
    return _from_array(_as_array(rows))


_MAX_RECORDS = 100
_CELL_TYPES = ({int, float}, {str}, {bool})  # types that may be mixed in one column


def open_records(rows: Any) -> RecordsTable | None:
    """A table of a short list of dicts, for scoring by a fitted model; None for any other input.

    No frame is built, since that takes longer than scoring one row.
    """
    if not isinstance(rows, list) or not 0 < len(rows) <= _MAX_RECORDS or not all(type(row) is dict for row in rows):
        return None
    names = list(dict.fromkeys(name for row in rows for name in row))
    records = [tuple(map(row.get, names)) for row in rows]
    plain = (any(_types(column) <= kinds for kinds in _CELL_TYPES) for column in zip(*records, strict=True))
    return RecordsTable(names, records) if all(plain) else None


def _types(cells: Iterable[Any]) -> set[type]:
    return set(map(type, cells)) - {type(None)}


def _is_text(rows: Any) -> bool:
    """Whether each row is a text: a list, an array or a column of strings."""
    if isinstance(rows, (list, tuple)):
        return len(rows) > 0 and all(isinstance(r, str) or r is None for r in rows)
    if getattr(rows, "ndim", 2) == 1 and isinstance(rows, np.ndarray):
        return rows.dtype.kind == "U" or (rows.dtype == object and _is_text(rows.tolist()))
    kind = getattr(rows, "dtype", getattr(rows, "type", None))
    is_column = (
        getattr(rows, "ndim", None) == 1  # a Series of pandas before 3 exports no Arrow
        or hasattr(rows, "__arrow_c_stream__")
        or hasattr(rows, "__arrow_c_array__")
    )
    return is_column and str(kind).lower() in ("str", "string", "object", "large_string", "string_view")


def _from_columns(columns: dict[Any, Any]) -> Table:
    """A table from columns by name. Arrow is imported here, so that it is not loaded for a matrix."""
    table: Table = importlib.import_module("suffice.sources.frames").from_columns(columns)
    return table


def _from_frame(frame: Any) -> Table:
    table: Table = importlib.import_module("suffice.sources.frames").from_frame(frame)
    return table


def _as_array(rows: Any) -> AnyArray:
    """Lists of lists as an array; of dtype object if there are strings, so that numbers are not converted to strings."""
    try:
        array = np.asarray(rows)
    except ValueError:  # ragged
        return np.asarray(rows, dtype=object)
    return np.asarray(rows, dtype=object) if array.dtype.kind in "US" else array


def _from_array(array: AnyArray) -> Table:
    if isinstance(array, np.matrix):  # its columns are matrices, too
        array = np.asarray(array)
    if array.dtype.names is not None and array.ndim == 1:
        return _from_columns({name: array[name] for name in array.dtype.names})
    if array.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {array.ndim}D array instead",
            "rows and columns are needed",
            "Reshape your data either using array.reshape(-1, 1) if it is one column "
            "or array.reshape(1, -1) if it is one row",
        )
    if isinstance(array, np.ma.MaskedArray):  # masked cells are missing
        array = np.ma.filled(array.astype(np.float64), np.nan)
    if array.dtype.kind in "fiub":
        return MatrixTable(kernel_array(array))
    if array.dtype.kind == "c":
        raise DataError("Complex data not supported", "cells must be real numbers, text, booleans or dates")
    if array.dtype == object and not any(isinstance(cell, str) for cell in array.flat):
        try:
            return MatrixTable(array.astype(np.float64))
        except (TypeError, ValueError):
            pass
    return _from_columns({j: array[:, j] for j in range(array.shape[1])})


def _canonical(matrix: Any) -> Any:
    """Compressed sparse rows without duplicate entries."""
    if matrix.ndim != 2:
        raise DataError(f"Expected 2D array, got {matrix.ndim}D array instead", "rows and columns are needed")
    if np.iscomplexobj(matrix):
        raise DataError("Complex data not supported", "cells must be real numbers")
    rows = matrix.tocsr()
    return rows if rows.has_canonical_format else _without_duplicates(rows)


def kernel_csr(rows: Any) -> Any:
    """A CSR matrix whose three arrays have dtypes supported by the kernels."""
    data = np.ascontiguousarray(kernel_array(rows.data))
    index = np.result_type(rows.indices.dtype, rows.indptr.dtype)
    indices, indptr = (np.ascontiguousarray(a, dtype=index) for a in (rows.indices, rows.indptr))
    if data is rows.data and indices is rows.indices and indptr is rows.indptr:
        return rows
    plain = sp.csr_array(rows.shape, dtype=data.dtype)
    plain.data, plain.indices, plain.indptr = data, indices, indptr
    return plain


def _without_duplicates(rows: Any) -> Any:
    """Duplicate entries summed into one."""
    rows = rows.copy()
    rows.sum_duplicates()
    return rows
