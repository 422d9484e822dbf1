"""Resolution of a path or string to a query, a database table, or files."""

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

from suffice.columns.schema import Declared
from suffice.errors import DataError, ParameterError, quoted
from suffice.sources.files.arrow_files import ArrowFiles
from suffice.sources.files.csv_files import CSVFiles
from suffice.sources.files.encodings import check_encoding
from suffice.sources.files.excel_files import ExcelFiles
from suffice.sources.files.query import QuerySource, literal
from suffice.sources.files.sqlite import SQLiteSource
from suffice.sources.source import LocalSource
from suffice.sources.with_schema import with_declarations

BadLines = Literal["stop", "skip"]
_UNDECLARED = Declared()

_QUERY = re.compile(r"\s*(select|with|from|values|pivot|unpivot)\b.*\s", re.IGNORECASE | re.DOTALL)
_COMPRESSED = (".gz", ".zst")
_FORMATS = {
    "CSV": (".csv", ".tsv", ".txt"),
    "Parquet": (".parquet", ".pq"),
    "JSON lines": (".jsonl", ".ndjson", ".json"),
    "Arrow": (".arrow", ".feather", ".ipc"),
    "Excel": (".xlsx", ".xlsm"),
}
_WILDCARD = re.compile(r"[*?\[]")
_KNOWN_ENDINGS = ", ".join(ending for endings in _FORMATS.values() for ending in endings)


def open_files(
    where: str | os.PathLike[str], bad_lines: BadLines = "stop", declared: Declared = _UNDECLARED
) -> LocalSource:
    """The source of a path, pattern or query.

    A query begins with a word such as ``select``. ``shop.db::orders`` is a table of a SQLite or DuckDB database, and
    ``shop.db::select …`` a query on it; ``book.xlsx::June`` is a sheet. Otherwise it is the path of a file, a folder, or a
    pattern with ``*``.
    """
    if bad_lines not in ("stop", "skip"):
        raise ParameterError(f"bad_lines is {bad_lines!r}", "it must be 'stop' or 'skip'")
    if declared.encoding is not None:
        declared = replace(declared, encoding=check_encoding(declared.encoding))
    source = _open(where, bad_lines, declared)
    if declared.encoding is not None and not isinstance(source, CSVFiles):
        raise ParameterError(f"An encoding is declared for {source.name}", "it applies only to CSV files", "Omit it")
    return source if isinstance(source, (CSVFiles, ExcelFiles)) else with_declarations(source, declared)


def _open(where: str | os.PathLike[str], bad_lines: BadLines, declared: Declared) -> LocalSource:
    text = os.fspath(where)
    if isinstance(where, str) and _QUERY.match(text + " "):
        return QuerySource(text, "the query")
    path, _, inside = text.partition("::")
    if (database := _database(path)) is not None:
        return _table(database, path, inside)
    if inside and _ending(path) != "Excel":
        raise DataError(
            f"{path!r} is not a SQLite or DuckDB database or an Excel file",
            "only these have tables or sheets, named after '::'",
        )
    paths = _paths(path)
    kind, name = _format(paths, path), repr(path)
    if kind == "CSV":
        return CSVFiles(paths, name, bad_lines, declared)
    if kind == "Excel":
        return ExcelFiles(paths, name, inside, declared)
    if kind == "Arrow":
        return ArrowFiles(paths, name)
    reader = "read_parquet" if kind == "Parquet" else "read_json"
    return QuerySource(f"from {reader}({literal(paths)})", name, checked=True)


def _paths(path: str) -> list[str]:
    """The files that a path or pattern matches, sorted."""
    place = Path(path)
    if place.is_dir():
        inside = sorted(str(p) for p in place.rglob("*") if p.is_file() and not p.name.startswith((".", "_")))
        found = [p for p in inside if _ending(p)]
    elif _WILDCARD.search(path) and not place.exists():
        root = Path(place.anchor or ".")
        found = sorted(str(p) for p in root.glob(str(place.relative_to(place.anchor))) if p.is_file())
    else:
        found = [path] if place.is_file() else []
    if not found:
        raise DataError(
            f"There is no file {path!r}"
            if not place.is_dir()
            else f"The folder {path!r} has no file of a known format",
            f"a path, a pattern, a folder with files ({_KNOWN_ENDINGS}, also .gz), 'database::table' or a query is needed",
        )
    return found


def _ending(path: str) -> str | None:
    """The file format by the ending of a name."""
    name = path.lower()
    for packed in _COMPRESSED:
        name = name.removesuffix(packed)
    return next((kind for kind, endings in _FORMATS.items() if name.endswith(endings)), None)


def _format(paths: list[str], name: str) -> str:
    kinds = {_ending(path) for path in paths}
    if len(kinds) > 1:
        raise DataError(
            f"{name!r} has files of several formats", "they must be of one format", "Give a pattern: 'folder/*.csv'"
        )
    kind = kinds.pop()
    if kind is None and paths[0].lower().endswith(".zip"):
        raise DataError(f"{paths[0]!r} is a ZIP archive", "files may be compressed by gzip (.gz)", "Unpack it first")
    if kind is None:
        raise DataError(
            f"The format of {name!r} cannot be inferred from its name",
            f"files may end in {_KNOWN_ENDINGS}, also .gz",
            f'Name the format in a query: "select * from read_csv({literal(paths[0])})"',
        )
    return kind


def _database(path: str) -> Literal["SQLite", "DuckDB"] | None:
    """The kind of database, by the first bytes of the file, since extensions vary; None for any other file."""
    if not Path(path).is_file():
        return None
    with Path(path).open("rb") as file:
        start = file.read(16)
    if start == b"SQLite format 3\0":
        return "SQLite"
    return "DuckDB" if start[8:12] == b"DUCK" else None


def _table(database: Literal["SQLite", "DuckDB"], path: str, inside: str) -> LocalSource:
    is_query = bool(_QUERY.match(inside + " "))
    if database == "SQLite":
        source = SQLiteSource(path)
        tables = [] if is_query else source.tables()
    else:
        tables = [] if is_query else QuerySource("select table_name from duckdb_tables()", path, database=path).cells()
    if not is_query:
        if not inside and len(tables) != 1:
            raise DataError(
                f"{path!r} has {len(tables)} tables: {quoted(tables, most=20)}",
                "one of them is needed",
                f"Name it: '{path}::{tables[0] if tables else 'table'}'",
            )
        if inside and inside not in tables:
            raise DataError(f"{path!r} has no table {inside!r}", f"it has {quoted(tables, most=20)}")
        inside = 'select * from "{}"'.format((inside or tables[0]).replace('"', '""'))
    name = f"{path!r}"
    return SQLiteSource(path, inside) if database == "SQLite" else QuerySource(inside, name, database=path)
