"""Leases: while a case is leased to its holder, the queue does not offer it to others."""

import time

from suffice.web.store.database import Database


class Leases:
    """The table of leases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, case_id: str, holder: str, seconds: float) -> bool:
        """Lease a case or extend its lease; False if another holder has one."""
        now = time.time()
        with self._database.transaction():
            self._database.run("DELETE FROM leases WHERE until < ?", now)
            self._database.run(
                "INSERT INTO leases (case_id, holder, until) VALUES (?, ?, ?) ON CONFLICT (case_id) DO UPDATE"
                " SET until = excluded.until WHERE leases.holder = excluded.holder",
                case_id, holder, now + seconds,
            )  # fmt: skip
            return bool(self._database.value("SELECT holder FROM leases WHERE case_id = ?", case_id) == holder)

    def release(self, case_id: str) -> None:
        self._database.run("DELETE FROM leases WHERE case_id = ?", case_id)

    def held_by_others(self, holder: str) -> frozenset[str]:
        found = self._database.rows("SELECT case_id FROM leases WHERE holder <> ? AND until > ?", holder, time.time())
        return frozenset(case_id for (case_id,) in found)
