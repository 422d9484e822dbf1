"""The column with the labels: what it must not be."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Name
from suffice.columns.labels import Labels
from suffice.errors import DataError

_MANY = 1000  # classes; a label with more, and with a new one in every other row, is none
_CHANCE = 20  # rows in which a column may be equal to the label by chance


def labels_of(table: ArrowTable, label: Name, threads: int) -> Labels:
    """The labels of some rows, refused where they are missing or where they measure instead of naming."""
    column = table.cells(label)
    missing = column.null_count + (pc.sum(pc.is_nan(column)).as_py() or 0 if pa.types.is_floating(column.type) else 0)
    if missing:
        where = "in every row so far" if missing == table.rows else f"in {missing:,} of {table.rows:,} rows"
        raise DataError(
            f"The label {label!r} is missing {where}",
            "every row needs one",
            f"Name another column, or leave those rows out: 'select … where {label} is not null'",
        )
    labels = table.labels(label, threads)
    found = len(labels.classes)
    if any(isinstance(value, float) for value in labels.classes):  # whole ones have become integers
        raise _continuous(label, f"{found:,} different numbers, such as {_fraction(labels)}", table.rows)
    if found > _MANY and 2 * found > table.rows:
        raise _continuous(label, f"{found:,} different values", table.rows)
    return labels


def label_dtype(table: ArrowTable, label: Name) -> np.dtype[Any]:
    """The dtype in which an array of such labels would have come."""
    kind = table.cells(label).type
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_floating(kind):
        return np.dtype(kind.to_pandas_dtype())
    return np.dtype(object)


def _fraction(labels: Labels) -> float:
    return next(value for value in labels.classes if isinstance(value, float))


def _continuous(label: Name, found: str, rows: int) -> DataError:
    return DataError(
        f"The label {label!r} has {found}, in {rows:,} rows: it is continuous or an identifier",
        "a label names one of a few classes",
        f"Name another column, or cut it into ranges: 'select *, {label} > 10 as is_large from …'",
    )


def twins(table: ArrowTable, label: Name, among: frozenset[Name]) -> frozenset[Name]:
    """The columns that are equal to the label in all of these rows."""
    own = table.cells(label)
    few = [name for name in among if _equal(own.slice(0, _CHANCE), table.cells(name).slice(0, _CHANCE))]
    return frozenset(name for name in few if _equal(own, table.cells(name)))


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(pc.all(pc.fill_null(pc.equal(_plain(a), _plain(b)), False)).as_py())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):  # of kinds that cannot be compared
        return False


def _plain(column: Any) -> Any:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def refuse_twins(names: frozenset[Name], label: Name, rows: int) -> None:
    """Refuse columns that were equal to the label in every row."""
    if not names or rows < _CHANCE:
        return
    name = min(names, key=str)
    raise DataError(
        f"Column {name!r} is equal to the label {label!r} in all {rows:,} rows",
        "what is to be predicted must not be among what it is predicted from",
        f"Leave it out: 'select * exclude ({name}) from …'",
    )
