"""Columns that name the row instead of telling something about it."""

import re
import warnings
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Kind, Name
from suffice.errors import quoted

_LEAST = 20  # rows; in fewer, cells may all differ by chance
_PAIRS = 10.0  # of equal cells that a random column of that range would have had
_NAMED = re.compile(r"(^|.*_)(id|key|uuid|guid|nr|no|number|index|rowid)", re.IGNORECASE)


def identifiers(table: ArrowTable, names: Sequence[Name]) -> list[Name]:
    """Those of the columns whose cells differ from row to row and are names, or integers that avoid each other.

    Sentences differ too, but they are made of words that come again; so do measurements with digits behind the point.
    """
    kinds = dict(zip(table.names, table.kinds, strict=True))
    return [name for name in names if _is_identifier(table, name, kinds[name])]


def _is_identifier(table: ArrowTable, name: Name, kind: Kind) -> bool:
    column = table.cells(name)
    whole = pa.types.is_integer(column.type)
    if table.rows < _LEAST or column.null_count or not (whole or kind is Kind.CATEGORY):
        return False
    if pa.types.is_dictionary(column.type) or pc.count_distinct(column).as_py() < table.rows:
        return False
    if not whole or _NAMED.fullmatch(str(name)):
        return True
    ends = pc.min_max(column).as_py()
    return bool(table.rows**2 / (2.0 * (ends["max"] - ends["min"] + 1)) > _PAIRS)


def are_foreseen(types: ArrowTable, asked: frozenset[Name]) -> bool:
    """Whether the types of columns say how they are read: they are numbers, and of those not asked for none is whole."""
    return all(
        pa.types.is_floating(kind) or (name in asked and (pa.types.is_integer(kind) or pa.types.is_boolean(kind)))
        for name, kind in zip(types.names, types.table.schema.types, strict=True)
    )


def warn_left_out(names: Sequence[Name]) -> None:
    if names:
        warnings.warn(
            f"Column {quoted(list(names))} names the row and tells nothing about its class, so it is left out. To use it, "
            "give it a family.",
            UserWarning,
            stacklevel=5,
        )
