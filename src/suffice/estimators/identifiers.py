"""Identifier columns, which name the row and do not describe it."""

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
from suffice.columns.nearly_numbers import NearlyNumbers, nearly_numbers
from suffice.errors import ColumnWarning, DataError, quoted, warn_caller

_FEWEST_ROWS = 20  # in fewer, cells may all differ by chance
_INSPECTED_ROWS = 20_000  # rows, for numbers among text
_DESCRIBED_COLUMNS = 3  # by a warning, and
_NAMED_COLUMNS = 10  # others that it names
_PAIRS = 10.0  # of equal cells that a random column of that range would have had
_IDENTIFIER_NAME = re.compile(r"(^|.*_)(id|key|uuid|guid|nr|no|number|index|rowid)", re.IGNORECASE)


def identifiers(table: ArrowTable | MatrixTable, names: Sequence[Name]) -> list[Name]:
    """Those of the columns whose cells differ from row to row and are names, or integers that avoid each other.

    Sentences differ too, but they are made of words that come again; so do measurements with digits behind the point.
    """
    if table.rows < _FEWEST_ROWS:
        return []
    first, kinds = table.slice(0, _FEWEST_ROWS), dict(zip(table.names, table.kinds, strict=True))
    may_be = [name for name in names if _differ(first.cells(name), kinds[name])]
    return [name for name in may_be if _is_identifier(table.cells(name), name, kinds[name])]


def _is_identifier(column: Any, name: Name, kind: Kind) -> bool:
    if not _differ(column, kind):
        return False
    if not pa.types.is_integer(column.type) or _IDENTIFIER_NAME.fullmatch(str(name)):
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
    table: ArrowTable | MatrixTable, features: Sequence[Name], out: Sequence[Name], asked: frozenset[Name] | None
) -> list[NearlyNumbers]:
    """Columns that nobody ``asked`` for and that are numbers but for a few tokens, by some of the first rows: of the features,
    and of identifiers with such tokens, since measurements with a token differ from row to row as well."""
    if asked is None or not isinstance(table, ArrowTable):
        return []
    found = nearly_numbers(table.only([n for n in (*features, *out) if n not in asked]).slice(0, _INSPECTED_ROWS))
    return [replace(one, is_identifier=one.name in out) for one in found if one.tokens or one.name not in out]


def warn_of_text(doubts: Sequence[NearlyNumbers]) -> None:
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


def are_foreseen(types: ArrowTable, asked: frozenset[Name]) -> bool:
    """Whether the types of columns say how they are read: they are numbers, and of those not asked for none is whole."""
    return all(
        pa.types.is_floating(kind) or (name in asked and (pa.types.is_integer(kind) or pa.types.is_boolean(kind)))
        for name, kind in zip(types.names, types.table.schema.types, strict=True)
    )


def warn_left_out(names: Sequence[Name]) -> None:
    if names:
        keep = shlex.quote(f"{names[0]}=category")
        warn_caller(
            ColumnWarning(
                f"Column {quoted(list(names))} names the row and cannot predict its class, so it is left out.",
                "To use it, give it a family.",
                f"To use it, add --kind {keep}.",
            )
        )
