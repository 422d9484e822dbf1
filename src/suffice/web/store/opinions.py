"""Labels by person, beside the label learned. Different labels of two people are a conflict."""

import time
from dataclasses import dataclass

from suffice.columns.labels import Label
from suffice.web.store.cases import text_of, value_of
from suffice.web.store.database import Database


@dataclass(frozen=True)
class Opinion:
    by: str
    label: Label
    at: float


class Opinions:
    """The table of opinions: the latest label of each person on each case."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, case_id: str, by: str, label: Label | None) -> None:
        """Set a person's label of a case; None removes it."""
        if label is None:
            self._database.run("DELETE FROM opinions WHERE case_id = ? AND person = ?", case_id, by)
            return
        self._database.run(
            "INSERT INTO opinions (case_id, person, label, at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (case_id, person) DO UPDATE SET label = excluded.label, at = excluded.at",
            case_id, by, text_of(label), time.time(),
        )  # fmt: skip

    def of_case(self, case_id: str) -> list[Opinion]:
        """The opinions on a case, in order of time."""
        found = self._database.rows("SELECT person, label, at FROM opinions WHERE case_id = ? ORDER BY at", case_id)
        return [Opinion(by, value_of(label), at) for by, label, at in found]

    def erase(self, case_id: str) -> None:
        self._database.run("DELETE FROM opinions WHERE case_id = ?", case_id)

    def in_conflict(self, most: int) -> list[str]:
        """Cases with conflicting labels, the latest first."""
        found = self._database.rows(
            "SELECT case_id FROM opinions GROUP BY case_id HAVING COUNT(DISTINCT label) > 1 ORDER BY MAX(at) DESC LIMIT ?",
            most,
        )
        return [case_id for (case_id,) in found]

    def counts(self) -> list[list[int]]:
        """For each case with two opinions or more, the count of each label."""
        found = self._database.rows(
            "SELECT case_id, label, COUNT(*) FROM opinions WHERE case_id IN"
            " (SELECT case_id FROM opinions GROUP BY case_id HAVING COUNT(*) > 1) GROUP BY case_id, label"
        )
        labels = {label: i for i, label in enumerate(sorted({label for _, label, _ in found}))}
        cases: dict[str, list[int]] = {}
        for case_id, label, count in found:
            cases.setdefault(case_id, [0] * len(labels))[labels[label]] = int(count)
        return list(cases.values())
