"""Malformed lines of CSV files by number: lines that DuckDB rejected, and lines with a cell of another format."""

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
from suffice.sources.files.encodings import UTF_8, opened
from suffice.sources.files.query import literal

_CELLS = re.compile(r"Expected Number of Columns: (\d+) Found: \d+")
_CHUNK_BYTES = 1 << 20
MOST = 1000
"""Maximum number of malformed lines that are kept."""


def bad_lines(
    connection: Any, paths: Mapping[str, str], dialect: CsvDialect, misfits: Sequence[InvalidCell]
) -> list[str]:
    """A description of each malformed line, in file order. ``paths`` maps the files read to their names in messages.

    Lines are those of the file, of which a row with line breaks in its cells has several.
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
    lengths = [_length(connection, path) for path in files[:-1]] if misfits else []
    by_file: dict[int, dict[int, list[InvalidCell]]] = {}
    for one in misfits[:MOST]:
        file, row = 0, one.row
        while file < len(lengths) and row >= lengths[file]:
            file, row = file + 1, row - lengths[file]
        by_file.setdefault(file, {}).setdefault(row, []).append(one)
    for file, rows in by_file.items():
        gaps = {line for number, line in found if number == file}
        read = (line for line in _row_lines(files[file], dialect) if line not in gaps)
        for row, line in enumerate(islice(read, max(rows) + 1)):
            for one in rows.get(row, []):
                found.setdefault((file, line), f"has {one.cell[:80]!r} in column {one.column!r} ({one.form})")
    return [
        f"line {line:,}{f' of {paths[files[file]]!r}' if len(files) > 1 else ''} {problem}"
        for (file, line), problem in sorted(found.items())
    ]


def _lines_at(path: str, starts: Sequence[int]) -> list[int]:
    """The numbers of the lines that begin at some bytes, in ascending order and counted from 1."""
    found, line, at, last = [], 1, 0, b""
    with opened(path) as stream:
        for start in starts:
            while at < start - 1 and (part := stream.read(min(_CHUNK_BYTES, start - 1 - at))):
                at += len(part)
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
        with closing(io.TextIOWrapper(opened(path), UTF_8, "replace", newline="")) as text:
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


def _problem(told: str, line: str, dialect: CsvDialect) -> str:
    """DuckDB's error message for a line, with the cells recounted: DuckDB miscounts lines with too few cells."""
    if (expected := _CELLS.match(told)) is None:
        return told.strip().splitlines()[0].rstrip(".")
    cells = len(next(csv.reader([line.strip("\r\n")], delimiter=dialect.delimiter)))
    return f"{cells} cell{'s' if cells > 1 else ''} instead of {expected[1]}"
