"""The journal: every change of the statistics and of the policy, in order, numbered without gaps. The n-th entry makes
version n of the model.

The journal is append-only. The one exception is erasure: id, labels and writer of an erased case are blanked, and the
entry keeps its number. Rows are stored with their cases, not in the journal, so deleting a case deletes its row
from the whole store.
"""

from dataclasses import dataclass
from typing import Literal

from suffice.columns.labels import Label
from suffice.web.store.cases import text_of, value_of
from suffice.web.store.database import Database

Kind = Literal["learn", "correct", "unlearn", "erase", "forget", "policy"]
_REMOVING_KINDS: tuple[Kind, ...] = ("erase", "forget")  # entries after which rows are gone
_FIELDS = "number, written, kind, case_id, label, previous, writer"


@dataclass(frozen=True)
class StoredEntry:
    """``case_id`` is None if the case was erased, rows of the training set were forgotten, or the policy was changed; in the
    last case, ``label`` and ``previous`` are the policies in JSON."""

    number: int
    written: float
    kind: Kind
    case_id: str | None = None
    label: Label | None = None
    previous: Label | None = None
    writer: str | None = None

    @property
    def removes_rows(self) -> bool:
        """Whether the entry removed rows permanently."""
        return self.kind in _REMOVING_KINDS


class Journal:
    """The table of entries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def length(self) -> int:
        """The number of the last entry."""
        return int(self._database.value("SELECT COALESCE(MAX(number), 0) FROM journal"))

    def append(self, entry: StoredEntry) -> None:
        self._database.run(
            f"INSERT INTO journal ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            entry.number,
            entry.written,
            entry.kind,
            entry.case_id,
            text_of(entry.label),
            text_of(entry.previous),
            entry.writer,
        )

    def after(self, number: int) -> list[StoredEntry]:
        """The entries after a number."""
        return self._entries("WHERE number > ? ORDER BY number", number)

    def has_erased_after(self, number: int) -> bool:
        """Whether a later entry removed rows permanently."""
        return (
            self._database.one(
                "SELECT number FROM journal WHERE number > ? AND kind IN (?, ?) LIMIT 1", number, *_REMOVING_KINDS
            )
            is not None
        )

    def of_case(self, case_id: str) -> list[StoredEntry]:
        return self._entries("WHERE case_id = ? ORDER BY number", case_id)

    def of_policy(self, most: int) -> list[StoredEntry]:
        """The latest changes of the policy, newest first."""
        return self._entries("WHERE kind = 'policy' ORDER BY number DESC LIMIT ?", most)

    def blank(self, case_id: str) -> None:
        """Blank the id, labels and writer in all entries of a case."""
        self._database.run(
            "UPDATE journal SET case_id = NULL, label = NULL, previous = NULL, writer = NULL WHERE case_id = ?", case_id
        )

    def current_labels(self, number: int) -> dict[str, Label]:
        """The label of each case after the entries up to a number, in order of learning."""
        current_labels: dict[str, Label] = {}
        for entry in self._entries("WHERE number <= ? ORDER BY number", number):
            if entry.case_id is None:
                continue
            current_labels.pop(entry.case_id, None)
            if entry.label is not None:
                current_labels[entry.case_id] = entry.label
        return current_labels

    def _entries(self, rest: str, *values: object) -> list[StoredEntry]:
        found = self._database.rows(f"SELECT {_FIELDS} FROM journal {rest}", *values)
        return [StoredEntry(n, at, kind, case, value_of(a), value_of(b), by) for n, at, kind, case, a, b, by in found]
