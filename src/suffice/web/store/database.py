"""The database interface of the store. SQL is in the common dialect, with ``?`` for values."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from suffice.errors import SufficeError


class StoreError(SufficeError, RuntimeError):
    """The database does not respond, or cannot be used."""


class Database(ABC):
    """One connection per thread, opened at first use, so that readers wait neither for the writer nor for each other."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._connections: list[Any] = []
        self._lock = threading.Lock()

    # — implemented by each kind of database —

    @abstractmethod
    def _connect(self) -> Any:
        """A connection in autocommit mode."""

    @abstractmethod
    def _execute(self, connection: Any, sql: str, values: Sequence[Any]) -> Any:
        """Execute a statement and return its cursor. Errors are raised as ``StoreError``."""

    @abstractmethod
    def _begin(self) -> None:
        """Begin a transaction that no other writer, of this process or another, can overlap."""

    def purge_deleted(self) -> bool:
        """Overwrite deleted content in all files; False if a reader prevents it."""
        return True

    # — used by the store —

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        return [tuple(row) for row in self._execute(self._connection, sql, values).fetchall()]

    def one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row of a query."""
        found = self._execute(self._connection, sql, values).fetchone()
        return None if found is None else tuple(found)

    def value(self, sql: str, *values: Any) -> Any:
        """The value of a query that returns exactly one."""
        found = self.one(sql, *values)
        assert found is not None
        return found[0]

    def run(self, sql: str, *values: Any) -> None:
        """Execute a statement."""
        self._execute(self._connection, sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """An atomic transaction, on disk at the end. Transactions of all servers of this database run one at a time."""
        self._begin()
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            self._roll_back("ROLLBACK")
            raise

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Part of a transaction that can be rolled back alone."""
        self.run("SAVEPOINT savepoint")
        try:
            yield
        except BaseException:
            self._roll_back("ROLLBACK TO SAVEPOINT savepoint")
            raise
        self.run("RELEASE SAVEPOINT savepoint")

    def _roll_back(self, sql: str) -> None:
        try:
            self.run(sql)
        except StoreError:
            self._discard()  # a broken connection is replaced

    @property
    def _connection(self) -> Any:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
            with self._lock:
                self._connections.append(connection)
        return connection

    def _discard(self) -> None:
        """Drop this thread's connection; the next statement opens another."""
        connection, self._local.connection = getattr(self._local, "connection", None), None
        if connection is not None:
            with self._lock:
                self._connections.remove(connection)
            connection.close()

    def close(self) -> None:
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()
