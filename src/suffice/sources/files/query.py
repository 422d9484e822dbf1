"""Queries, run by DuckDB and streamed as record batches."""

import importlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.errors import DataError, MissingPackageError, ParameterError
from suffice.sources.progress import watched
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
            "Files and queries are read by the package duckdb",
            "it is not installed",
            "pip install 'suffice[files]'",
        ) from None


class QuerySource(LocalSource):
    """The result of a query, which is run again for each pass over its rows."""

    def __init__(self, query: str, name: str, database: str | None = None) -> None:
        super().__init__(name)
        self._query, self._database = query, database
        with refusing(self.name):
            statements = duckdb().extract_statements(query)
        if len(statements) != 1 or statements[0].type != duckdb().StatementType.SELECT:
            raise ParameterError(f"The query is {query!r}", "it must be one that reads, such as 'select … from …'")

    def cells(self) -> list[Any]:
        """The first column of a small query result, as a list."""
        with refusing(self.name):
            return [row[0] for row in self._connect().sql(self._query).fetchall()]

    def _connect(self) -> Any:
        connection = duckdb().connect()
        # track progress without printing it
        connection.execute("set enable_progress_bar = true; set enable_progress_bar_print = false")
        if self._database is not None:
            connection.execute(f"attach {literal(self._database)} as here (read_only)")
            connection.execute("use here")
        return connection

    def _walk(self) -> Iterator[ArrowTable]:
        with refusing(self.name):
            connection = self._connect()
            yield from self._streamed(connection, connection.sql(self._query))

    def _streamed(self, connection: Any, relation: Any) -> Iterator[ArrowTable]:
        check_names(relation.columns)
        reader = relation.to_arrow_reader(BATCH_ROWS)
        yield from runs(watched(self.name, reader, lambda rows: float(connection.query_progress())))


@contextmanager
def refusing(name: str) -> Iterator[None]:
    """Convert errors of DuckDB to errors of this package. While a stream is read, Arrow raises them as OSError."""
    try:
        yield
    except (duckdb().Error, OSError) as error:
        raise _explained(name, str(error)) from error


def _explained(name: str, message: str) -> DataError:
    if found := _CSV_LINE.search(message):
        line, text, problem = found.groups()
        return DataError(
            f"Line {int(line):,} of {name} is {text.strip()[:200]!r}: {problem.strip()}",
            "every line must have the columns and types of those before",
            "Correct it, or leave such lines out: read_csv(…, ignore_errors=true)",
        )
    plain = " ".join(_ADVICE.split(message, maxsplit=1)[0].split())
    return DataError(f"{name[0].upper()}{name[1:]} cannot be read: {plain[:500]}")


def literal(value: str | Sequence[str]) -> str:
    """A string, or a list of strings, as an SQL literal."""
    if isinstance(value, str):
        return "'{}'".format(value.replace("'", "''"))
    return f"[{', '.join(literal(v) for v in value)}]"
