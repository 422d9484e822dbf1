"""Notes that people attach to cases: one per case, deleted when the case is erased."""

import time
from dataclasses import dataclass

from suffice.web.store.database import Database


@dataclass(frozen=True)
class Note:
    """A text, its author and its time."""

    text: str
    writer: str | None
    written: float


class Notes:
    """The table of notes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, case_id: str) -> Note | None:
        found = self._database.one("SELECT text, writer, written FROM notes WHERE case_id = ?", case_id)
        return None if found is None else Note(*found)

    def put(self, case_id: str, text: str, by: str | None) -> None:
        """Set the note of a case, replacing an earlier one; an empty text removes it."""
        self.remove(case_id)
        if text:
            self._database.run(
                "INSERT INTO notes (case_id, text, writer, written) VALUES (?, ?, ?, ?)", case_id, text, by, time.time()
            )

    def remove(self, case_id: str) -> None:
        self._database.run("DELETE FROM notes WHERE case_id = ?", case_id)
