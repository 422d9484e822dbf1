"""CSV files: separator, encoding and cell formats are inferred; malformed lines are reported by number."""

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.columns.apply_schema import InvalidCell, apply_schema
from suffice.columns.arrow_table import ArrowTable
from suffice.columns.schema import Declared, Schema
from suffice.columns.schema_inference import infer_schema
from suffice.errors import DataError
from suffice.sources.files.bad_lines import MAX_BAD_LINES, bad_lines
from suffice.sources.files.csv_dialect import CsvDialect
from suffice.sources.files.encodings import UTF_8, WESTERN, as_utf8, check_decodes, encoding_of, is_mixed
from suffice.sources.files.query import QuerySource, converted_errors, literal

_SHOWN_LINES = 5
_INSPECTED_ROWS = 20_480  # rows, the sample size of DuckDB's own dialect detection


@dataclass(frozen=True)
class _Sniffed:
    dialect: CsvDialect
    columns: Sequence[str]
    schema: Schema


class CSVFiles(QuerySource):
    """CSV rows: DuckDB splits lines into text cells, which are parsed by a schema, given or inferred from the first rows.

    Malformed lines (fewer or more cells than the header, or a cell that is invalid in the format of its column) are
    skipped. After the last line they raise an error, or a warning with ``bad_lines="skip"``.
    """

    def __init__(
        self, paths: Sequence[str], name: str, bad_lines: str, declared: Declared, given: Schema | None = None
    ) -> None:
        super().__init__(f"from read_csv({literal(paths)})", name, checked=True)
        self._connection: tuple[int, Any] | None = None  # of the process that detected the dialect, for the first pass
        self._paths, self._bad_lines, self._declared, self._given = list(paths), bad_lines, declared, given

    def with_schema(self, schema: Schema) -> "CSVFiles":
        return CSVFiles(self._paths, self.name, self._bad_lines, self._declared, schema)

    @property
    def schema(self) -> Schema:
        return self._sniffed.schema

    @cached_property
    def _encodings(self) -> list[str]:
        given, name = None if self._given is None else self._given.declared.encoding, self._declared.encoding
        return [encoding_of(path, given) if name is None else check_decodes(path, name) for path in self._paths]

    @cached_property
    def _files(self) -> list[Any]:
        """The files; a file in another encoding is replaced by a copy in UTF-8."""
        return [
            path if encoding.startswith(UTF_8) else as_utf8(path, encoding)
            for path, encoding in zip(self._paths, self._encodings, strict=True)
        ]

    @property
    def _utf8_paths(self) -> list[str]:
        return [getattr(file, "name", file) for file in self._files]

    @cached_property
    def _sniffed(self) -> _Sniffed:
        places = self._utf8_paths
        with converted_errors(self.name):
            connection = self._connect()
            columns = connection.sql(f"from read_csv({literal(places)}, ignore_errors=true)").columns
            dialect = CsvDialect.of(connection, places[0])
            dialect.check_header(connection, places[0], columns)
            text = connection.sql(
                f"{self._cells(columns, 'ignore_errors=true')} limit {_INSPECTED_ROWS}"
            ).to_arrow_table()
        self._connection = os.getpid(), connection
        self._declared.check_columns(columns, self.name)
        known = {} if self._given is None else self._given.columns
        declared = self._declared if self._given is None else self._given.declared.updated(self._declared)
        found = infer_schema(text, declared, known=known, semicolons=dialect.delimiter == ";")
        remarks = [f"text in the encoding {name}" for name in dict.fromkeys(self._encodings) if name[:5] != UTF_8]
        remarks += [
            f"{path!r} mixes UTF-8 with another encoding: non-ASCII characters in UTF-8 are garbled"
            for path, encoding in zip(self._paths, self._encodings, strict=True)
            if encoding == WESTERN and self._declared.encoding is None and is_mixed(path)
        ]
        return _Sniffed(dialect, columns, replace(found, remarks=(*remarks, *found.remarks)))

    def _cells(self, columns: Sequence[str], options: str) -> str:
        """A query for all cells as text."""
        types = ", ".join(f"{_name(column)}: 'VARCHAR'" for column in columns)
        return f"from read_csv({literal(self._utf8_paths)}, types={{{types}}}, {options})"

    def _runs(self) -> Iterator[ArrowTable]:
        sniffed = self._sniffed
        invalid_cells: list[InvalidCell] = []
        start = 0
        with converted_errors(self.name):
            connection = self._unused_connection()
            cells = self._cells(sniffed.columns, f"store_rejects=true, rejects_limit={MAX_BAD_LINES}")
            for run in self._streamed(connection, connection.sql(cells)):
                table, bad = apply_schema(run.table, sniffed.schema)
                invalid_cells += [replace(one, row=start + one.row) for one in bad]
                start += run.rows
                if len(invalid_cells) >= MAX_BAD_LINES and self._bad_lines == "stop":
                    break
                yield ArrowTable(_without(table, bad))
            paths = dict(zip(self._utf8_paths, self._paths, strict=True))
            self._report(bad_lines(connection, paths, sniffed.dialect, invalid_cells))

    def _unused_connection(self) -> Any:
        """A connection in which no rejected lines are stored yet. Opening one takes longer than reading a small file."""
        (process, connection), self._connection = self._connection or (None, None), None
        return connection if process == os.getpid() else self._connect()

    def _report(self, bad: Sequence[str]) -> None:
        if not bad:
            return
        count = (
            f"{len(bad):,}{' or more' if len(bad) >= MAX_BAD_LINES else ''} malformed line{'s' if len(bad) > 1 else ''}"
        )
        shown = f"{'; '.join(bad[:_SHOWN_LINES])}{' …' if len(bad) > _SHOWN_LINES else ''}"
        found = f"{self.name} has {count}: {shown}"
        if self._bad_lines == "skip":
            warnings.warn(f"{found}. They were skipped.", UserWarning, stacklevel=2)
            return
        raise DataError(
            found,
            "all lines must have the same columns, and all cells of a column one format",
            "Correct them, declare missing cells (--missing, missing=), or skip such lines: "
            "suffice.rows(path, bad_lines='skip'), on the command line the query "
            f'"from read_csv({literal(self._paths)}, ignore_errors=true)"',
        )


def _without(table: Any, bad: Sequence[InvalidCell]) -> Any:
    if not bad:
        return table
    valid = np.ones(table.num_rows, dtype=bool)
    valid[[cell.row for cell in bad]] = False
    return table.filter(pa.array(valid))


def _name(column: str) -> str:
    return '"{}"'.format(column.replace('"', '""'))
