"""Queries, run by DuckDB and streamed as record batches."""

import importlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.errors import DataError, MissingPackageError, ParameterError
from suffice.sources.progress import with_progress
from suffice.sources.runs import BATCH_ROWS, runs
from suffice.sources.source import LocalSource

_CSV_LINE = re.compile(r"CSV Error on Line: (\d+)\s+Original Line: (.*?)\n(.*?)\n", re.DOTALL)
_ADVICE = re.compile(r"\n\s*(Possible (fixes|solutions)|Potential Fixes|LINE \d+:|\* )")


def duckdb() -> Any:
    """The ``duckdb`` package, imported at first use."""
    try:
        return importlib.import_module("duckdb")
    except ImportError:
        raise MissingPackageError(
            "Files and queries need the package duckdb",
            "it is not installed",
            "Run pip install 'suffice[files]'",
        ) from None


class QuerySource(LocalSource):
    """The result of a query, which is run again for each pass over its rows. It is checked unless it was ``checked``."""

    def __init__(self, query: str, name: str, database: str | None = None, *, checked: bool = False) -> None:
        super().__init__(name)
        self._query, self._database = query, database
        if checked:
            return
        with converted_errors(self.name):
            statements = duckdb().extract_statements(query)
        if len(statements) != 1 or statements[0].type != duckdb().StatementType.SELECT:
            raise ParameterError(f"The query is {query!r}", "it must be a single SELECT statement")

    def cells(self) -> list[Any]:
        """The first column of a small query result, as a list."""
        with converted_errors(self.name):
            return [row[0] for row in self._connect().sql(self._query).fetchall()]

    def _connect(self) -> Any:
        connection = duckdb().connect()
        # progress is tracked, but not printed
        connection.execute("set enable_progress_bar = true; set enable_progress_bar_print = false")
        if self._database is not None:
            connection.execute(f"attach {literal(self._database)} as here (read_only)")
            connection.execute("use here")
        return connection

    def _runs(self) -> Iterator[ArrowTable]:
        with converted_errors(self.name):
            connection = self._connect()
            yield from self._streamed(connection, connection.sql(self._query))

    def _streamed(self, connection: Any, relation: Any) -> Iterator[ArrowTable]:
        check_names(relation.columns)
        reader = relation.to_arrow_reader(BATCH_ROWS)
        yield from runs(with_progress(self.name, reader, lambda rows: float(connection.query_progress())))


@contextmanager
def converted_errors(name: str) -> Iterator[None]:
    """Convert errors of DuckDB, which Arrow raises as OSError while a stream is read, to errors of this package."""
    try:
        yield
    except (duckdb().Error, OSError) as error:
        raise _data_error(name, str(error)) from error


def _data_error(name: str, message: str) -> DataError:
    if found := _CSV_LINE.search(message):
        line, text, problem = found.groups()
        return DataError(
            f"Line {int(line):,} of {name} is {text.strip()[:200]!r}: {problem.strip()}",
            "all lines must have the same columns and types",
            "Correct it, or skip such lines: read_csv(…, ignore_errors=true)",
        )
    plain = " ".join(_ADVICE.split(message, maxsplit=1)[0].split())
    return DataError(f"{name[0].upper()}{name[1:]} cannot be read: {plain[:500]}")


def literal(value: str | Sequence[str]) -> str:
    """A string, or a list of strings, as an SQL literal."""
    if isinstance(value, str):
        return "'{}'".format(value.replace("'", "''"))
    return f"[{', '.join(literal(v) for v in value)}]"
