"""What a database does for the store. SQL is written once, in what both kinds understand, with ``?`` for values."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from suffice.errors import SufficeError


class StoreError(SufficeError, RuntimeError):
    """The database does not answer, or cannot be used."""


class Database(ABC):
    """One connection a thread, opened when the thread first asks: readers never wait for the writer, nor for each other."""

    def __init__(self) -> None:
        self._own = threading.local()
        self._all: list[Any] = []
        self._guard = threading.Lock()

    # — what a kind of database says —

    @abstractmethod
    def _connect(self) -> Any:
        """A connection that commits each statement by itself unless told otherwise."""

    @abstractmethod
    def _execute(self, connection: Any, sql: str, values: Sequence[Any]) -> Any:
        """A cursor after the statement. Errors come out as ``StoreError``."""

    @abstractmethod
    def _begin(self) -> None:
        """Begin a transaction that no other writer, of this process or another, can overlap."""

    def forget_deleted(self) -> bool:
        """Overwrite what was deleted, in all files; False if that has to wait for a reader."""
        return True

    # — what the store uses —

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return [tuple(row) for row in self._execute(self._connection, sql, values).fetchall()]

    def one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row a query finds."""
        found = self._execute(self._connection, sql, values).fetchone()
        return None if found is None else tuple(found)

    def value(self, sql: str, *values: Any) -> Any:
        """The one value that a query always finds."""
        found = self.one(sql, *values)
        assert found is not None
        return found[0]

    def run(self, sql: str, *values: Any) -> None:
        """Carry out a statement."""
        self._execute(self._connection, sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what is done inside, on disk at the end, or nothing. One at a time, over all servers of this database."""
        self._begin()
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            self._roll_back("ROLLBACK")
            raise

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part of a transaction that may fail by itself."""
        self.run("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self._roll_back("ROLLBACK TO SAVEPOINT part")
            raise
        self.run("RELEASE SAVEPOINT part")

    def _roll_back(self, sql: str) -> None:
        try:
            self.run(sql)
        except StoreError:
            self._discard()  # a connection that cannot even do that starts anew

    @property
    def _connection(self) -> Any:
        connection = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = self._connect()
            with self._guard:
                self._all.append(connection)
        return connection

    def _discard(self) -> None:
        """Drop this thread's connection; the next statement opens another."""
        connection, self._own.connection = getattr(self._own, "connection", None), None
        if connection is not None:
            with self._guard:
                self._all.remove(connection)
            connection.close()

    def close(self) -> None:
        with self._guard:
            for connection in self._all:
                connection.close()
            self._all.clear()
        self._own = threading.local()
