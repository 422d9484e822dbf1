"""Conversion of cells to the types that the model was trained on.

Types of text files are inferred from the rows that are read, so the inferred type of a column may differ between the training
rows, other rows and rows from a pipe.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from suffice.cli.columns import unknown_column
from suffice.columns.arrow_table import ArrowTable
from suffice.model import Model

_TRUTH_WORDS = {"true": 1.0, "t": 1.0, "yes": 1.0, "y": 1.0, "false": 0.0, "f": 0.0, "no": 0.0, "n": 0.0}


def aligned(table: ArrowTable, model: Model) -> ArrowTable:
    """Convert yes and no to numbers in numeric columns of the model, and numbers and booleans to levels in its categorical
    columns."""
    columns = table.table
    for block, density in zip(model.blocks, model.densities, strict=True):
        if block.reads not in ("numbers", "levels"):
            continue
        known = density.known_levels
        for j, name in enumerate(block.columns):
            index = columns.schema.get_field_index(str(name))
            if index < 0:
                continue
            found = columns.column(index)
            if block.reads == "numbers":
                converted = _as_numbers(found)
            else:
                converted = _as_names(found, () if known is None else known.levels[j])
            if converted is not found:
                columns = columns.set_column(index, columns.column_names[index], converted)
    return table if columns is table.table else ArrowTable(columns)


def with_class_names(rows: Any, used: Iterable[object], classes: Sequence[Any]) -> Any:
    """Convert booleans in columns that the model does not use to its class labels, if these mean yes and no.

    >>> with_class_names(pa.table({"ill": [True, False]}), [], ["no", "yes"])["ill"].to_pylist()
    ['yes', 'no']
    """
    for index, name in enumerate(rows.column_names):
        if name not in set(used) and pa.types.is_boolean(rows.column(index).type):
            rows = rows.set_column(index, name, _as_names(rows.column(index), classes))
    return rows


def check_columns(model: Model, table: ArrowTable) -> None:
    """Raise an error if a column of the model is missing."""
    absent = [name for name in model.names if name not in table.names]
    if absent and not model.marginalise:
        raise unknown_column(absent[0], table.names, f"The rows have no column {absent[0]!r}, which the model reads")


def has_numbers(table: ArrowTable, model: Model) -> bool:
    """Whether all numeric columns of the model contain numbers or dates."""
    wanted = [name for block in model.blocks if block.reads == "numbers" for name in block.columns]
    return not any(_is_text(table.cells(name).type) for name in wanted)


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _as_numbers(column: Any) -> Any:
    if not _is_text(column.type):
        return column
    words = [None if value is None else _TRUTH_WORDS.get(value.strip().lower(), value) for value in column.to_pylist()]
    if any(isinstance(word, str) for word in words):
        return column  # the model raises the error
    return pa.array(words, pa.float64())


def _as_names(column: Any, levels: Any) -> Any:
    if not levels:
        return column
    kinds = {type(level) for level in levels}
    if pa.types.is_integer(column.type) and kinds == {str}:
        return column.cast(pa.string())
    if (pa.types.is_boolean(column.type) and kinds == {str}) or (_is_text(column.type) and kinds == {bool}):
        level = {_truth_value(v): v for v in levels}
        if None not in level:
            return pa.array(
                [level.get(_truth_value(v)) for v in column.to_pylist()], pa.bool_() if bool in kinds else pa.string()
            )
    return column


def _truth_value(value: str | bool | None) -> float | None:
    """1 for yes, 0 for no."""
    return (
        _TRUTH_WORDS.get(value.strip().lower()) if isinstance(value, str) else value if value is None else float(value)
    )
