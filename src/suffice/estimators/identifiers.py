"""Detection of identifier columns, and warnings about columns."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Kind, Name
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.numeric_text import NumericText, numeric_text
from suffice.errors import ColumnWarning, DataError, quoted, warn_caller

_MIN_IDENTIFIED_ROWS = 20  # in fewer, cells may all differ by chance
_INSPECTED_ROWS = 20_000  # rows, for numbers among text
_DESCRIBED_COLUMNS = 3  # described in a warning
_NAMED_COLUMNS = 10  # further ones named in it
_MIN_EXPECTED_PAIRS = 10.0  # expected number of equal pairs in a random column of the same range
_IDENTIFIER_NAME = re.compile(r"(^|.*_)(id|key|uuid|guid|nr|no|number|index|rowid)", re.IGNORECASE)


def identifiers(table: ArrowTable | MatrixTable, names: Sequence[Name]) -> list[Name]:
    """The identifiers among the columns: all cells are distinct, and are strings or integers of which some would
    coincide by chance.

    Columns of sentences or fractional numbers are never identifiers, although their cells may be distinct.
    """
    if table.rows < _MIN_IDENTIFIED_ROWS:
        return []
    first, kinds = table.slice(0, _MIN_IDENTIFIED_ROWS), dict(zip(table.names, table.kinds, strict=True))
    may_be = [name for name in names if _differ(first.cells(name), kinds[name])]
    return [name for name in may_be if _is_identifier(table.cells(name), name, kinds[name])]


def _is_identifier(column: Any, name: Name, kind: Kind) -> bool:
    if not _differ(column, kind):
        return False
    if not pa.types.is_integer(column.type) or _IDENTIFIER_NAME.fullmatch(str(name)):
        return True
    ends = pc.min_max(column).as_py()
    return bool(len(column) ** 2 / (2.0 * (ends["max"] - ends["min"] + 1)) > _MIN_EXPECTED_PAIRS)


def _differ(column: Any, kind: Kind) -> bool:
    """Whether the cells are distinct strings or integers, none of them missing."""
    if column.null_count or not (pa.types.is_integer(column.type) or kind is Kind.CATEGORY):
        return False
    if pa.types.is_string_view(column.type):  # which Arrow cannot count
        column = column.cast(pa.large_string())
    return not pa.types.is_dictionary(column.type) and pc.count_distinct(column).as_py() == len(column)


def split_identifiers(
    table: ArrowTable | MatrixTable, features: Sequence[Name], named: frozenset[Name] | None
) -> tuple[list[Name], list[Name]]:
    """Split the columns into features and identifiers. Columns that the user has ``named`` (all, if None) or whose kind
    was declared, and the column of a table with only one, are features."""
    declared = table.declared if isinstance(table, ArrowTable) else {}
    out = (
        []
        if named is None or len(features) == 1
        else identifiers(table, [name for name in features if name not in named and name not in declared])
    )
    kept = [name for name in features if name not in out]
    if out and not kept:
        raise DataError(
            f"Every column of the table is an identifier: {', '.join(map(str, out))}",
            "a column that does not identify rows is needed",
        )
    return kept, out


def numbers_as_text(
    table: ArrowTable | MatrixTable, features: Sequence[Name], out: Sequence[Name], named: frozenset[Name] | None
) -> list[NumericText]:
    """Columns, not ``named`` by the user, that are numbers except for a few tokens, by the first rows: features, and
    identifiers with such tokens, since measurements with a token are distinct in each row as well."""
    if named is None or not isinstance(table, ArrowTable):
        return []
    found = numeric_text(table.only([n for n in (*features, *out) if n not in named]).slice(0, _INSPECTED_ROWS))
    return [replace(one, is_identifier=one.name in out) for one in found if one.tokens or one.name not in out]


def warn_of_text(doubts: Sequence[NumericText]) -> None:
    """One warning for all columns."""
    if not doubts:
        return
    found, more = (
        " ".join(map(str, doubts[:_DESCRIBED_COLUMNS])),
        [str(one.name) for one in doubts[_DESCRIBED_COLUMNS:]],
    )
    if more:
        found += f" So {'is' if len(more) == 1 else 'are'} {quoted(more, _NAMED_COLUMNS)}."
    one = doubts[0]
    declare = "declare such tokens as missing (suffice.rows(..., missing=[...])), or " if one.tokens else ""
    read = " ".join(shlex.quote(f"--missing={token}") for token in one.tokens)
    if_so = (
        f"{'those stand' if len(one.tokens) > 1 else 'that stands'} for a missing cell"
        if read
        else "it is a measurement"
    )
    keep = f"--kind {shlex.quote(f'{one.name}=category')} to keep the categories."
    read = f"Add {read or '--kind ' + shlex.quote(f'{one.name}=number')} if {if_so}, or {keep}"
    if not (one.tokens or one.of_one_format):
        read = f"If it is a measurement, write its cells in one format; or add {keep}"
    warn_caller(
        ColumnWarning(
            found,
            f"If it is a measurement, {declare}convert it to numbers; to keep the categories, pass a family for it:"
            f" families={{{one.name!r}: Categorical()}}.",
            read,
        )
    )


def kinds_follow_from_types(types: ArrowTable, named: frozenset[Name]) -> bool:
    """Whether kinds and identifiers follow from types alone: all columns are numbers, and integers only where ``named``
    by the user."""
    return all(
        pa.types.is_floating(kind) or (name in named and (pa.types.is_integer(kind) or pa.types.is_boolean(kind)))
        for name, kind in zip(types.names, types.table.schema.types, strict=True)
    )


def warn_left_out(names: Sequence[Name]) -> None:
    if names:
        keep = shlex.quote(f"{names[0]}=category")
        warn_caller(
            ColumnWarning(
                f"Column {quoted(list(names))} identifies the row and is dropped.",
                "To use it, set its family.",
                f"To use it, add --kind {keep}.",
            )
        )
