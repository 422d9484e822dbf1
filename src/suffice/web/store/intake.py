"""Digests of messages added as cases, so that each is added once, also after a restart and after its erasure."""

from suffice.web.store.database import Database


class Intake:
    """The table of digests of messages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def contains(self, digest: str) -> bool:
        return self._database.one("SELECT digest FROM intake WHERE digest = ?", digest) is not None

    def add(self, digest: str) -> None:
        self._database.run("INSERT INTO intake (digest) VALUES (?) ON CONFLICT (digest) DO NOTHING", digest)
