"""Cases: what came in, what the model said, what was decided, and what a person said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from suffice.columns.labels import Label
from suffice.web.store.database import Database

_FIELDS = "id, arrived, content, version, posterior, log_density, action, risk, label, labelled, labelled_by, waits"


@dataclass(frozen=True)
class Case:
    """A row with its history. ``version`` of the model answered: ``posterior`` by class name (empty where the names are lost),
    ``action`` None where a person was to be asked. ``waits`` says whether a person is to be asked by the version that scored
    it last."""

    id: str
    arrived: float
    content: str
    version: int
    posterior: dict[str, float]
    log_density: float | None
    action: Label | None
    risk: float
    label: Label | None = None
    labelled: float | None = None
    labelled_by: str | None = None
    waits: bool = False

    @property
    def row(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.content)
        return found


class Cases:
    """The table of cases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, case: Case) -> None:
        values = (
            case.id, case.arrived, case.content, case.version, text_of(case.posterior), case.log_density,
            text_of(case.action), case.risk, text_of(case.label), case.labelled, case.labelled_by,
            case.waits,
        )  # fmt: skip
        self._database.run(f"INSERT INTO cases ({_FIELDS}) VALUES ({', '.join('?' * len(values))})", *values)

    def get(self, case_id: str) -> Case | None:
        found = self._database.one(f"SELECT {_FIELDS} FROM cases WHERE id = ?", case_id)
        return None if found is None else _case(found)

    def contents(self, case_ids: Sequence[str]) -> dict[str, str]:
        """The rows of those cases that are there."""
        places = ", ".join("?" * len(case_ids))
        return dict(self._database.rows(f"SELECT id, content FROM cases WHERE id IN ({places})", *case_ids))

    def set_label(self, case_id: str, label: Label | None, at: float | None, by: str | None) -> None:
        self._database.run(
            "UPDATE cases SET label = ?, labelled = ?, labelled_by = ? WHERE id = ?", text_of(label), at, by, case_id
        )

    def remove(self, case_id: str) -> None:
        self._database.run("DELETE FROM cases WHERE id = ?", case_id)

    def unlabelled(self, most: int) -> list[Case]:
        """The latest without a label."""
        return self._many("WHERE label IS NULL ORDER BY arrived DESC, id LIMIT ?", most)

    def unlabelled_after(self, arrived: float, case_id: str, most: int) -> list[Case]:
        """Those without a label that came after one, in the order of arrival."""
        rest = "WHERE label IS NULL AND (arrived, id) > (?, ?) ORDER BY arrived, id LIMIT ?"
        return self._many(rest, arrived, case_id, most)

    def longest_waiting(self, most: int) -> list[Case]:
        """Those that wait, as scored last, in the order of arrival."""
        return self._many("WHERE label IS NULL AND waits = TRUE ORDER BY arrived, id LIMIT ?", most)

    def waiting(self) -> int:
        """How many wait, as scored last."""
        return int(self._database.value("SELECT COUNT(*) FROM cases WHERE label IS NULL AND waits = TRUE"))

    def set_waiting(self, case_ids: Sequence[str], waits: bool) -> None:
        places = ", ".join("?" * len(case_ids))
        self._database.run(f"UPDATE cases SET waits = ? WHERE id IN ({places})", waits, *case_ids)

    def latest(self, most: int) -> list[Case]:
        return self._many("ORDER BY arrived DESC, id LIMIT ?", most)

    def labelled(self, most: int) -> list[Case]:
        """Those that were labelled last."""
        return self._many("WHERE label IS NOT NULL ORDER BY labelled DESC, id LIMIT ?", most)

    def search(
        self, words: str, label: Label | None, before: float | None, most: int, *, unanswered: bool = False
    ) -> list[Case]:
        """The latest whose content, id or labeller has ``words`` in it; ``unanswered`` ones were not decided when they came,
        and have no label."""
        where: list[str] = ["1 = 1"]
        values: list[Any] = []
        if words:
            like = "%" + words.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
            where.append(
                "(LOWER(content) LIKE ? ESCAPE '\\' OR LOWER(id) LIKE ? ESCAPE '\\'"
                " OR LOWER(COALESCE(labelled_by, '')) LIKE ? ESCAPE '\\')"
            )
            values += [like] * 3
        if label is not None:
            where.append("label = ?")
            values.append(text_of(label))
        if unanswered:
            where.append("label IS NULL AND action IS NULL")
        if before is not None:
            where.append("arrived < ?")
            values.append(before)
        return self._many(f"WHERE {' AND '.join(where)} ORDER BY arrived DESC, id LIMIT ?", *values, most)

    def mark(self) -> tuple[object, ...]:
        """Something that changes when cases come, go, or get a label."""
        return (*self._database.rows("SELECT COUNT(*), COUNT(label), MAX(arrived) FROM cases")[0], self.waiting())

    def counts(self) -> dict[str, int]:
        """How many there are, are labelled, and were not decided when they came."""
        total, labelled, asked = self._database.rows(
            "SELECT COUNT(*), COUNT(label), COALESCE(SUM(CASE WHEN action IS NULL THEN 1 ELSE 0 END), 0) FROM cases"
        )[0]
        return {"cases": int(total), "labelled": int(labelled), "asked": int(asked)}

    def retired(self, classes: Sequence[Label]) -> int:
        """How many have a label that is none of these classes."""
        found = self._database.rows("SELECT label, COUNT(*) FROM cases WHERE label IS NOT NULL GROUP BY label")
        return sum(int(count) for label, count in found if value_of(label) not in classes)

    def _many(self, rest: str, *values: Any) -> list[Case]:
        return [_case(found) for found in self._database.rows(f"SELECT {_FIELDS} FROM cases {rest}", *values)]


def text_of(value: Any) -> str | None:
    """A value as JSON in a column of text; None as NULL."""
    return None if value is None else msgspec.json.encode(value).decode()


def value_of(text: str | None) -> Any:
    return None if text is None else msgspec.json.decode(text)


def _case(found: Sequence[Any]) -> Case:
    values = dict(zip(_FIELDS.split(", "), found, strict=True))
    for name in ("posterior", "action", "label"):
        values[name] = value_of(values[name])
    values["waits"] = bool(values["waits"])  # a number in SQLite
    return Case(**values)
