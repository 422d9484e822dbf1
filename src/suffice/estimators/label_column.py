"""Checks of the label column, for tables in memory and for sources."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Name
from suffice.columns.labels import Label, Labels
from suffice.columns.matrix_table import MatrixTable
from suffice.errors import DataError

_MAX_CLASSES = 1000  # above it, a column with more distinct values than half of the rows is not a label
_MIN_COMPARED_ROWS = 20  # in fewer, a column may equal the label by chance


def labels_of(table: ArrowTable, label: Name, threads: int) -> Labels:
    """The labels of some rows; missing or continuous labels are refused."""
    column = table.cells(label)
    missing = column.null_count + (pc.sum(pc.is_nan(column)).as_py() or 0 if pa.types.is_floating(column.type) else 0)
    refuse_missing(missing, label, table.rows)
    labels = table.labels(label, threads)
    refuse_continuous(labels.classes, label, table.rows)
    return labels


def refuse_missing(missing: int, label: Name, rows: int, *, in_memory: bool = False) -> None:
    """Refuse rows without a label."""
    if missing:
        raise DataError(
            f"The label {label!r} is missing in {'every row' if missing == rows else f'{missing:,} of {rows:,} rows'}",
            "every row needs one",
            _todo("Name another column, or leave those rows out", f"select … where {label} is not null", in_memory),
        )


def refuse_continuous(classes: Sequence[Label], label: Name, rows: int, *, in_memory: bool = False) -> None:
    """Refuse continuous labels."""
    found = len(classes)
    fraction = next((value for value in classes if isinstance(value, float) and not value.is_integer()), None)
    if fraction is not None:
        raise _continuous(label, f"{found:,} different numbers, such as {fraction}", rows, in_memory)
    if found > _MAX_CLASSES and 2 * found > rows:
        raise _continuous(label, f"{found:,} different values", rows, in_memory)


def label_dtype(table: ArrowTable, label: Name) -> np.dtype[Any]:
    """The NumPy dtype of the labels."""
    kind = table.cells(label).type
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_floating(kind):
        return np.dtype(kind.to_pandas_dtype())
    return np.dtype(object)


def _continuous(label: Name, found: str, rows: int, in_memory: bool) -> DataError:
    return DataError(
        f"The label {label!r} has {found}, in {rows:,} rows: it is continuous or an identifier",
        "a label names one of a few classes",
        _todo("Name another column, or cut it into ranges", f"select *, {label} > 10 as is_large from …", in_memory),
    )


def label_copies(own: Any, table: ArrowTable | MatrixTable, among: frozenset[Name]) -> frozenset[Name]:
    """The columns of ``among`` that equal the label, ``own``, in all of these rows."""
    first, head = table.slice(0, _MIN_COMPARED_ROWS), own.slice(0, _MIN_COMPARED_ROWS)
    few = [name for name in among if _equal(head, first.cells(name))]
    return frozenset(name for name in few if _equal(own, table.cells(name)))


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(pc.all(pc.fill_null(pc.equal(_plain(a), _plain(b)), False)).as_py())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):  # of kinds that cannot be compared
        return False


def _plain(column: Any) -> Any:
    """The column in a type that Arrow can compare."""
    if pa.types.is_dictionary(column.type):
        column = pa.chunked_array([_texts(chunk.dictionary).take(chunk.indices) for chunk in column.chunks])
    return _texts(column)


def _texts(column: Any) -> Any:
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def refuse_label_copies(names: frozenset[Name], label: Name, rows: int, *, in_memory: bool = False) -> None:
    """Refuse columns that were equal to the label in every row."""
    if not names or rows < _MIN_COMPARED_ROWS:
        return
    name = min(names, key=str)
    raise DataError(
        f"Column {name!r} is equal to the label {label!r} in all {rows:,} rows",
        "a feature must not be a copy of the label",
        _todo("Leave it out", f"select * exclude ({name}) from …", in_memory),
    )


def _todo(what: str, query: str, in_memory: bool) -> str:
    return what if in_memory else f"{what}: '{query}'"
