"""Versions of model files by digest, so that a file is never matched with a wrong journal entry, even after a crash; and
the base, which is the model before the first entry of the journal."""

import hashlib
import os
from pathlib import Path

from suffice.web.store.database import Database

SUPERSEDED = -1
"""Version of files with labels learned on an earlier base."""
_PART_BYTES = 16 << 20  # bytes of the base per row


class Snapshots:
    """The tables of snapshots and of the base."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def version_of(self, path: Path) -> int | None:
        """The version of a model file, or ``SUPERSEDED``; None if it was not written for this store."""
        found = self._database.one("SELECT number FROM snapshots WHERE digest = ?", digest(path))
        return None if found is None else int(found[0])

    def record(self, file_digest: str, number: int) -> None:
        self._database.run(
            "INSERT INTO snapshots (digest, number) VALUES (?, ?) ON CONFLICT (digest) DO UPDATE SET number = excluded.number",
            file_digest,
            number,
        )

    def has_base(self) -> bool:
        return self._database.one("SELECT place FROM base LIMIT 1") is not None

    def set_base(self, path: Path) -> None:
        """Make a model file the base. Files written on the previous base include labels, and are marked superseded."""
        self._database.run("DELETE FROM snapshots WHERE number = 0")
        self._database.run("UPDATE snapshots SET number = ?", SUPERSEDED)
        self.record(digest(path), 0)
        self.store_base(path)

    def store_base(self, path: Path) -> None:
        """Store a model file as the base of the journal."""
        self._database.run("DELETE FROM base")
        with open(path, "rb") as stream:
            for place, part in enumerate(iter(lambda: stream.read(_PART_BYTES), b"")):
                self._database.run("INSERT INTO base (place, part) VALUES (?, ?)", place, part)

    def write_base(self, path: Path) -> None:
        """Write the base to a file."""
        with open(path, "wb") as stream:
            for (place,) in self._database.rows("SELECT place FROM base ORDER BY place"):
                stream.write(self._database.value("SELECT part FROM base WHERE place = ?", place))


def digest(path: "str | os.PathLike[str]") -> str:
    """SHA-256 of a file."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
