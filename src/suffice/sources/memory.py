"""Rows that are in memory already: arrays, sparse matrices, frames of any library, lists of dicts."""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.columns.matrix_table import MatrixTable
from suffice.columns.table import Table
from suffice.errors import DataError
from suffice.numerics.arrays import AnyArray


def open_table(rows: Any) -> Table:
    """The rows as a table, without copying where that is possible.

    >>> open_table([{"job": "clerk", "age": 30}, {"job": None, "age": 41.5}]).kinds
    [<Kind.CATEGORY: 'category'>, <Kind.NUMBER: 'number'>]
    """
    if isinstance(rows, Table):
        return rows
    if isinstance(rows, np.ndarray):
        return _from_array(rows)
    if sp.issparse(rows):
        return MatrixTable(_canonical(rows))
    if hasattr(rows, "__arrow_c_stream__"):
        return _from_frame(rows)
    if isinstance(rows, Mapping):
        return _from_columns(dict(rows))
    if isinstance(rows, Sequence) and len(rows) and all(isinstance(r, Mapping) for r in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return _from_columns({name: [row.get(name) for row in rows] for name in names})
    return _from_array(_as_array(rows))


def _from_columns(columns: dict[Any, Any]) -> Table:
    """Arrow is loaded when the first frame comes along, not for a matrix."""
    table: Table = importlib.import_module("suffice.sources.frames").from_columns(columns)
    return table


def _from_frame(frame: Any) -> Table:
    table: Table = importlib.import_module("suffice.sources.frames").from_frame(frame)
    return table


def _as_array(rows: Any) -> AnyArray:
    try:
        return np.asarray(rows)
    except ValueError:
        return np.asarray(rows, dtype=object)


def _from_array(array: AnyArray) -> Table:
    if array.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {array.ndim}D array instead",
            "rows and columns are needed",
            "Reshape your data either using array.reshape(-1, 1) if it is one column "
            "or array.reshape(1, -1) if it is one row",
        )
    if array.dtype.kind in "fiub" and array.dtype.itemsize <= 8 and array.dtype.isnative:
        # float16 has no kernel of its own; it is rare and widens cheaply
        return MatrixTable(array.astype(np.float32) if array.dtype.itemsize == 2 and array.dtype.kind == "f" else array)
    if array.dtype.kind in "fiu":
        return MatrixTable(array.astype(np.float64))
    if array.dtype.kind == "c":
        raise DataError("Complex data not supported", "cells must be real numbers, text, booleans or dates")
    if array.dtype == object:
        try:
            return MatrixTable(array.astype(np.float64))
        except (TypeError, ValueError):
            pass
    return _from_columns({j: array[:, j] for j in range(array.shape[1])})


def _canonical(matrix: Any) -> Any:
    rows = matrix.tocsr()
    if rows.indices.dtype != rows.indptr.dtype:
        wide = np.result_type(rows.indices.dtype, rows.indptr.dtype)
        rows.indices, rows.indptr = rows.indices.astype(wide), rows.indptr.astype(wide)
    if np.iscomplexobj(rows.data):
        raise DataError("Complex data not supported", "cells must be real numbers")
    return rows if rows.has_canonical_format else _summed(rows)


def _summed(rows: Any) -> Any:
    """Cells stored twice are one cell."""
    rows = rows.copy()
    rows.sum_duplicates()
    return rows
