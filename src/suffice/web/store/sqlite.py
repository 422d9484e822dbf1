"""SQLite store in one file, with a write-ahead log so that readers see the last commit during a write."""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from suffice.web.store.database import Database, StoreError

_BUSY_SECONDS = 30
_CHECKPOINT_SECONDS = 0.1  # for which the writer waits for readers to release the log


class SqliteDatabase(Database):
    """A database in a file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path.resolve()
        self._create()

    def _create(self) -> None:
        """Create a file that only its owner can read. An existing file is not opened here: closing it would release the
        POSIX locks of all connections of this process, and another process could then delete the log in use."""
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            return
        except OSError as error:
            raise self._unusable(error) from None

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(f"The database {str(self.path)!r} cannot be opened ({error})")

    def _connect(self) -> Any:
        try:
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")  # a committed change is on disk
            connection.execute("PRAGMA secure_delete = ON")  # deleted content is overwritten
        except sqlite3.Error as error:
            raise self._unusable(error) from None
        return connection

    def _execute(self, connection: Any, sql: str, values: Sequence[Any]) -> Any:
        try:
            return connection.execute(sql, values)
        except sqlite3.Error as error:
            raise StoreError(f"The database rejected a statement ({error})") from error

    def _begin(self) -> None:
        self.run("BEGIN IMMEDIATE")

    def purge_deleted(self) -> bool:
        self._wait_for_locks(_CHECKPOINT_SECONDS)
        try:
            busy, *_ = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0]
        finally:
            self._wait_for_locks(_BUSY_SECONDS)
        return not busy

    def _wait_for_locks(self, seconds: float) -> None:
        self.run(f"PRAGMA busy_timeout = {int(1000 * seconds)}")
