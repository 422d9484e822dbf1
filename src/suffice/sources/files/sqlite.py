"""SQLite databases, read by the standard library."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.errors import DataError
from suffice.sources.frames import arrow_columns
from suffice.sources.source import LocalSource

_FETCHED_ROWS = 1 << 14


class SQLiteSource(LocalSource):
    """The result of a query on a SQLite database. Columns are untyped; the types of cells are inferred per batch."""

    def __init__(self, path: str, query: str = "") -> None:
        super().__init__(repr(path))
        self._path, self._query = path, query

    def _connect(self) -> sqlite3.Connection:
        # a pass may start in one thread and continue in another, but is never in both at once
        return sqlite3.connect(f"{Path(self._path).resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)

    def tables(self) -> list[str]:
        """The names of the tables and views."""
        with closing(self._connect()) as connection:
            found = connection.execute(
                "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%' order by name"
            )
            return [str(name) for (name,) in found]

    def _runs(self) -> Iterator[ArrowTable]:
        try:
            with closing(self._connect()) as connection:
                cursor = connection.execute(self._query)
                names = [column[0] for column in cursor.description]
                check_names(names)
                while rows := cursor.fetchmany(_FETCHED_ROWS):
                    yield ArrowTable(arrow_columns(dict(zip(names, zip(*rows, strict=True), strict=True))))
        except sqlite3.Error as error:
            raise DataError(f"{self.name} cannot be read: {error}") from error
