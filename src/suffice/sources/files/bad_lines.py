"""Malformed lines of CSV files by number: lines that DuckDB rejected, and lines with a cell of another format."""

import re
from collections.abc import Mapping, Sequence
from csv import reader
from typing import Any

from suffice.columns.typed import Misfit
from suffice.sources.files.csv_dialect import CsvDialect
from suffice.sources.files.query import literal

_CELLS = re.compile(r"Expected Number of Columns: (\d+) Found: \d+")
MOST = 1000
"""Maximum number of malformed lines that are kept."""


def bad_lines(connection: Any, paths: Mapping[str, str], dialect: CsvDialect, misfits: Sequence[Misfit]) -> list[str]:
    """A description of each malformed line, in file order. ``paths`` maps the files read to their names in messages.

    Lines are counted as in DuckDB: one per row.
    """
    files = list(paths)
    rejected = connection.sql(
        "select file_path, line, csv_line, error_message from reject_errors join reject_scans using (scan_id, file_id)"
    ).fetchall()
    found = {
        (files.index(path), int(line)): f"is {text.strip()[:80]!r} ({_problem(problem, text, dialect)})"
        for path, line, text, problem in rejected
    }
    gaps = sorted(found)
    lengths = [_length(connection, path) for path in files[:-1]] if misfits else []
    for one in misfits[:MOST]:
        file, row = 0, one.row
        while file < len(lengths) and row >= lengths[file]:
            file, row = file + 1, row - lengths[file]
        line = dialect.skipped + dialect.has_header + row + 1
        for _, gap in (place for place in gaps if place[0] == file):
            line += gap <= line
        found.setdefault((file, line), f"has {one.cell[:80]!r} in column {one.column!r} ({one.form})")
    return [
        f"line {line:,}{f' of {paths[files[file]]!r}' if len(files) > 1 else ''} {problem}"
        for (file, line), problem in sorted(found.items())
    ]


def _length(connection: Any, path: str) -> int:
    """The number of rows that DuckDB reads from a file."""
    query = f"select count(*) from read_csv({literal(path)}, all_varchar=true, ignore_errors=true)"
    return int(connection.sql(query).fetchall()[0][0])


def _problem(told: str, line: str, dialect: CsvDialect) -> str:
    """DuckDB's error message for a line, with the cells recounted: DuckDB miscounts lines with too few cells."""
    if (expected := _CELLS.match(told)) is None:
        return told.strip().splitlines()[0].rstrip(".")
    cells = len(next(reader([line], delimiter=dialect.delimiter)))
    return f"{cells} cell{'s' if cells > 1 else ''} instead of {expected[1]}"
