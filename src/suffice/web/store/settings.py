"""Persistent settings, such as the policy."""

from typing import Any

from suffice.web.store.cases import text_of, value_of
from suffice.web.store.database import Database


class StoredSettings:
    """The table of settings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> Any:
        found = self._database.one("SELECT value FROM settings WHERE name = ?", name)
        return None if found is None else value_of(found[0])

    def put(self, name: str, value: Any) -> None:
        self._database.run(
            "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name,
            text_of(value),
        )
