"""Malformed lines of CSV files by number: lines rejected by DuckDB, and lines with a cell of another format."""

import csv
import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from typing import Any

from suffice.columns.apply_schema import InvalidCell
from suffice.sources.files.csv_dialect import CsvDialect
from suffice.sources.files.encodings import UTF_8, open_bytes
from suffice.sources.files.query import literal

_CELLS = re.compile(r"Expected Number of Columns: (\d+) Found: \d+")
_CHUNK_BYTES = 1 << 20
MAX_BAD_LINES = 1000
"""Maximum number of malformed lines that are collected."""


def bad_lines(
    connection: Any, paths: Mapping[str, str], dialect: CsvDialect, invalid_cells: Sequence[InvalidCell]
) -> list[str]:
    """A description of each malformed line, in file order. ``paths`` maps the files read to their names in messages.

    Line numbers refer to the file, in which a row with line breaks in its cells has several lines.
    """
    files = list(paths)
    rejected = connection.sql(
        "select file_path, line_byte_position, csv_line, error_message from reject_errors "
        "join reject_scans using (scan_id, file_id) order by file_path, line_byte_position"
    ).fetchall()
    places: dict[str, list[tuple[int, str, str]]] = {}
    for path, start, text, problem in rejected:
        places.setdefault(path, []).append((int(start), text, problem))
    found = {
        (files.index(path), line): f"is {text.strip()[:80]!r} ({_problem(problem, text, dialect)})"
        for path, bad in places.items()
        for line, (_, text, problem) in zip(_lines_at(path, [start for start, _, _ in bad]), bad, strict=True)
    }
    lengths = [_length(connection, path) for path in files[:-1]] if invalid_cells else []
    by_file: dict[int, dict[int, list[InvalidCell]]] = {}
    for one in invalid_cells[:MAX_BAD_LINES]:
        file, row = 0, one.row
        while file < len(lengths) and row >= lengths[file]:
            file, row = file + 1, row - lengths[file]
        by_file.setdefault(file, {}).setdefault(row, []).append(one)
    for file, rows in by_file.items():
        rejected_lines = {line for number, line in found if number == file}
        read = (line for line in _row_lines(files[file], dialect) if line not in rejected_lines)
        for row, line in enumerate(islice(read, max(rows) + 1)):
            for one in rows.get(row, []):
                found.setdefault((file, line), f"has {one.cell[:80]!r} in column {one.column!r} ({one.form})")
    return [
        f"line {line:,}{f' of {paths[files[file]]!r}' if len(files) > 1 else ''} {problem}"
        for (file, line), problem in sorted(found.items())
    ]


def _lines_at(path: str, starts: Sequence[int]) -> list[int]:
    """The line numbers, counted from 1, of ascending byte positions."""
    found, line, position, last = [], 1, 0, b""
    with open_bytes(path) as stream:
        for start in starts:
            while position < start - 1 and (part := stream.read(min(_CHUNK_BYTES, start - 1 - position))):
                position += len(part)
                both = last + part
                line += both.count(b"\n") + both.count(b"\r") - both.count(b"\r\n")
                line -= last.count(b"\r")  # counted before
                last = part[-1:] if part.endswith(b"\r") else b""
            found.append(line)
    return found


def _row_lines(path: str, dialect: CsvDialect) -> Iterator[int]:
    """The first line of each row after the header."""
    quoting: Any = {"quoting": csv.QUOTE_NONE} if dialect.quote == "(empty)" else {"quotechar": dialect.quote}
    limit = csv.field_size_limit(sys.maxsize)
    try:
        with closing(io.TextIOWrapper(open_bytes(path), UTF_8, "replace", newline="")) as text:
            for _ in range(dialect.skipped):
                next(text, None)
            rows, first, seen = csv.reader(text, delimiter=dialect.delimiter, **quoting), dialect.skipped + 1, 0
            for cells in rows:
                if cells:
                    seen += 1
                    if seen > dialect.has_header:
                        yield first
                first = dialect.skipped + rows.line_num + 1
    finally:
        csv.field_size_limit(limit)


def _length(connection: Any, path: str) -> int:
    """The number of rows that DuckDB reads from a file."""
    query = f"select count(*) from read_csv({literal(path)}, all_varchar=true, ignore_errors=true)"
    return int(connection.sql(query).fetchall()[0][0])


def _problem(message: str, line: str, dialect: CsvDialect) -> str:
    """DuckDB's error message for a line, with the cells recounted: DuckDB miscounts lines with too few cells."""
    if (expected := _CELLS.match(message)) is None:
        return message.strip().splitlines()[0].rstrip(".")
    cells = len(next(csv.reader([line.strip("\r\n")], delimiter=dialect.delimiter)))
    return f"{cells} cell{'s' if cells > 1 else ''} instead of {expected[1]}"
