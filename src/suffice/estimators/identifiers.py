"""Columns that name the row instead of telling something about it."""

import re
import warnings
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Kind, Name
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.nearly_numbers import nearly_numbers
from suffice.errors import DataError, quoted

_LEAST = 20  # rows; in fewer, cells may all differ by chance
_INSPECTED_ROWS = 20_000  # rows, for numbers among text
_PAIRS = 10.0  # of equal cells that a random column of that range would have had
_NAMED = re.compile(r"(^|.*_)(id|key|uuid|guid|nr|no|number|index|rowid)", re.IGNORECASE)


def identifiers(table: ArrowTable | MatrixTable, names: Sequence[Name]) -> list[Name]:
    """Those of the columns whose cells differ from row to row and are names, or integers that avoid each other.

    Sentences differ too, but they are made of words that come again; so do measurements with digits behind the point.
    """
    if table.rows < _LEAST:
        return []
    first, kinds = table.slice(0, _LEAST), dict(zip(table.names, table.kinds, strict=True))
    may_be = [name for name in names if _differ(first.cells(name), kinds[name])]
    return [name for name in may_be if _is_identifier(table.cells(name), name, kinds[name])]


def _is_identifier(column: Any, name: Name, kind: Kind) -> bool:
    if not _differ(column, kind):
        return False
    if not pa.types.is_integer(column.type) or _NAMED.fullmatch(str(name)):
        return True
    ends = pc.min_max(column).as_py()
    return bool(len(column) ** 2 / (2.0 * (ends["max"] - ends["min"] + 1)) > _PAIRS)


def _differ(column: Any, kind: Kind) -> bool:
    """Whether the cells are names or integers of which no two are equal."""
    if column.null_count or not (pa.types.is_integer(column.type) or kind is Kind.CATEGORY):
        return False
    if pa.types.is_string_view(column.type):  # which Arrow cannot count
        column = column.cast(pa.large_string())
    return not pa.types.is_dictionary(column.type) and pc.count_distinct(column).as_py() == len(column)


def told_apart(
    table: ArrowTable | MatrixTable, features: Sequence[Name], asked: frozenset[Name] | None
) -> tuple[list[Name], list[Name]]:
    """The columns to learn from, and the identifiers among those that nobody ``asked`` for; None asks for all. An only column
    is meant, whatever it holds: names, say, whose spelling is to tell the class; so is one whose kind was declared."""
    declared = table.declared if isinstance(table, ArrowTable) else {}
    out = (
        []
        if asked is None or len(features) == 1
        else identifiers(table, [name for name in features if name not in asked and name not in declared])
    )
    kept = [name for name in features if name not in out]
    if out and not kept:
        raise DataError(
            f"Every column of the table is an identifier: {', '.join(map(str, out))}",
            "a column that does not identify rows is needed",
        )
    return kept, out


def numbers_as_text(
    table: ArrowTable | MatrixTable, features: Sequence[Name], asked: frozenset[Name] | None
) -> list[str]:
    """Sentences on columns that nobody ``asked`` for and that are numbers but for a few tokens, by some of the first rows."""
    if asked is None or not isinstance(table, ArrowTable):
        return []
    return nearly_numbers(table.only([name for name in features if name not in asked]).slice(0, _INSPECTED_ROWS))


def warn_of_text(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        warnings.warn(
            f"{sentence} Declare tokens that are missing cells of a file (--missing, or missing= of suffice.rows), or convert "
            "the column; a family for it, or --kind, keeps it as it is.",
            UserWarning,
            stacklevel=5,
        )


def are_foreseen(types: ArrowTable, asked: frozenset[Name]) -> bool:
    """Whether the types of columns say how they are read: they are numbers, and of those not asked for none is whole."""
    return all(
        pa.types.is_floating(kind) or (name in asked and (pa.types.is_integer(kind) or pa.types.is_boolean(kind)))
        for name, kind in zip(types.names, types.table.schema.types, strict=True)
    )


def warn_left_out(names: Sequence[Name]) -> None:
    if names:
        warnings.warn(
            f"Column {quoted(list(names))} names the row and cannot predict its class, so it is left out. To use it, "
            "give it a family.",
            UserWarning,
            stacklevel=5,
        )
