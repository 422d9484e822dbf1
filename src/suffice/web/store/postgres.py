"""PostgreSQL store, for several servers that share their cases."""

import importlib
from collections.abc import Sequence
from typing import Any

from suffice.errors import MissingPackageError
from suffice.web.store.database import Database, StoreError

_WRITERS_LOCK = 7_383_342  # number of the advisory lock of writers; arbitrary


class PostgresDatabase(Database):
    """A database on a server, by URL."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url  # may contain a password, so it is never shown
        try:
            self._psycopg = importlib.import_module("psycopg")
        except ImportError:
            raise MissingPackageError(
                "A PostgreSQL store needs psycopg", "it is not installed", "pip install 'suffice[web]'"
            ) from None

    def _connect(self) -> Any:
        try:
            return self._psycopg.connect(self._url, autocommit=True, connect_timeout=5)
        except self._psycopg.Error:
            raise StoreError(
                "The PostgreSQL server cannot be reached", "", "Check its address and permissions"
            ) from None

    def _execute(self, connection: Any, sql: str, values: Sequence[Any]) -> Any:
        try:
            return connection.execute(sql.replace("?", "%s"), values, prepare=True if values else None)
        except self._psycopg.OperationalError as error:
            self._discard()
            raise StoreError("The connection to the PostgreSQL server was lost") from error
        except self._psycopg.Error as error:
            raise StoreError(f"The database rejected a statement ({type(error).__name__})") from error

    def _begin(self) -> None:
        self.run("BEGIN")
        self.run(f"SELECT pg_advisory_xact_lock({_WRITERS_LOCK})")
