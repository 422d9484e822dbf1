"""Sheets of Excel files, read by openpyxl."""

import datetime
import importlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cached_property
from typing import Any
from zipfile import BadZipFile

from suffice.columns.arrow_table import ArrowTable, is_string
from suffice.columns.schema import Declared, Schema
from suffice.columns.schema_inference import infer_schema
from suffice.columns.spelling import level_text
from suffice.columns.table import check_names
from suffice.errors import DataError, MissingPackageError, quoted
from suffice.sources.frames import arrow_columns
from suffice.sources.source import LocalSource
from suffice.sources.with_schema import convert_run

_TYPES = ({int, float}, {bool}, {str}, {datetime.datetime}, {datetime.date}, {datetime.time}, {datetime.timedelta})


class ExcelFiles(LocalSource):
    """One sheet of each file. Its first row has the names of the columns.

    Excel cells are typed. A column of mixed types is converted to text and parsed by a schema, like a CSV column.
    """

    def __init__(
        self, paths: Sequence[str], name: str, sheet: str, declared: Declared, given: Schema | None = None
    ) -> None:
        super().__init__(name)
        self._paths, self._sheet, self._declared, self._given = list(paths), sheet, declared, given

    def with_schema(self, schema: Schema) -> "ExcelFiles":
        return ExcelFiles(self._paths, self.name, self._sheet, self._declared, schema)

    @cached_property
    def _tables(self) -> list[Any]:
        """The sheet of each file as one table in memory; a sheet has at most a million rows."""
        return [_table(path, self._sheet) for path in self._paths]

    @cached_property
    def schema(self) -> Schema:
        first = self._tables[0]
        self._declared.check_columns(first.column_names, self.name)
        declared = self._declared if self._given is None else self._given.declared.updated(self._declared)
        text = [name for name, cells in zip(first.column_names, first.columns, strict=True) if is_string(cells.type)]
        return infer_schema(first.select(text), declared, known={} if self._given is None else self._given.columns)

    def _runs(self) -> Iterator[ArrowTable]:
        start = 0
        for table in self._tables:
            yield convert_run(table, self.schema, self.name, start)
            start += table.num_rows


def _table(path: str, sheet: str) -> Any:
    """The non-empty rows of a sheet as a table."""
    openpyxl = _package()
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (OSError, ValueError, KeyError, BadZipFile, openpyxl.utils.exceptions.InvalidFileException) as error:
        raise DataError(f"{path!r} cannot be read as an Excel file: {error}") from error
    with closing(book):
        rows = [row for row in _sheet(book, path, sheet).iter_rows(values_only=True) if any(c is not None for c in row)]
    header = rows[0] if rows else ()
    width = max((i + 1 for row in rows for i, cell in enumerate(row) if cell is not None), default=0)
    names = [str(name) if name is not None else f"column{i}" for i, name in enumerate(header[:width])]
    check_names(names)
    columns = zip(*(row[:width] for row in rows[1:]), strict=True) if len(rows) > 1 else [()] * width
    return arrow_columns({name: _of_one_type(cells) for name, cells in zip(names, columns, strict=True)})


def _sheet(book: Any, path: str, sheet: str) -> Any:
    names = book.sheetnames
    if sheet and sheet not in names:
        raise DataError(f"{path!r} has no sheet {sheet!r}", f"it has {quoted(names, most=20)}")
    if not sheet and len(names) > 1:
        raise DataError(
            f"{path!r} has {len(names)} sheets: {quoted(names, most=20)}",
            "one of them is needed",
            f"Name it: '{path}::{names[0]}'",
        )
    return book[sheet or names[0]]


def _of_one_type(cells: Sequence[Any]) -> list[Any]:
    """Cells unchanged if all are numbers, dates, booleans or strings, otherwise as strings. Blanks are missing."""
    present = [None if isinstance(cell, str) and not cell.strip() else cell for cell in cells]
    types = {type(cell) for cell in present if cell is not None}
    if any(types <= kinds for kinds in _TYPES):
        return present
    return [None if cell is None else _cell_text(cell) for cell in present]


def _cell_text(cell: Any) -> str:
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return cell.isoformat(" ") if isinstance(cell, datetime.datetime) else level_text(cell)


def _package() -> Any:
    try:
        return importlib.import_module("openpyxl")
    except ImportError:
        raise MissingPackageError(
            "Excel files need the package openpyxl", "it is not installed", "Run pip install 'suffice[excel]'"
        ) from None
