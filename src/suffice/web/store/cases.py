"""Cases: the row, the posterior, the decision, and the label."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from suffice.columns.labels import Label
from suffice.web.store.database import Database

CASE_ID = r"^[^\s\x00-\x1f\x7f-\x9f]{1,250}$"
"""An external id of a case, such as the Message-ID of a mail: no spaces, no control characters."""
_FIELDS = (
    "id, arrived, content, version, posterior, log_density, action, risk, label, labelled, labelled_by, waits, loss"
)


@dataclass(frozen=True)
class Case:
    """A row with its scores, decision and label. ``posterior``, by class name, and ``action`` (None if rejected) are those of
    ``version``, on arrival; ``posterior`` is empty if the names are lost. ``waits`` is whether the version that scored it last
    rejects it. ``loss`` is −log p of its label under the version served when it was given; None if it was learned before."""

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
    loss: float | None = None

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
            case.waits, case.loss, search_text(case.id, case.content),
        )  # fmt: skip
        self._database.run(f"INSERT INTO cases ({_FIELDS}, words) VALUES ({', '.join('?' * len(values))})", *values)

    def get(self, case_id: str) -> Case | None:
        found = self._database.one(f"SELECT {_FIELDS} FROM cases WHERE id = ?", case_id)
        return None if found is None else _case(found)

    def contents(self, case_ids: Sequence[str]) -> dict[str, str]:
        """The rows of the given cases that exist."""
        if not case_ids:
            return {}
        places = ", ".join("?" * len(case_ids))
        return dict(self._database.rows(f"SELECT id, content FROM cases WHERE id IN ({places})", *case_ids))

    def set_label(
        self, case_id: str, label: Label | None, at: float | None, by: str | None, loss: float | None
    ) -> None:
        self._database.run(
            "UPDATE cases SET label = ?, labelled = ?, labelled_by = ?, loss = ? WHERE id = ?",
            text_of(label), at, by, loss, case_id,
        )  # fmt: skip

    def losses(self, most: int) -> list[tuple[float, float]]:
        """Times of labelling and losses of the latest cases, in order."""
        found = self._database.rows(
            "SELECT labelled, loss FROM cases WHERE label IS NOT NULL AND loss IS NOT NULL ORDER BY labelled DESC, id LIMIT ?",
            most,
        )
        return [(at, loss) for at, loss in reversed(found)]

    def remove(self, case_id: str) -> None:
        self._database.run("DELETE FROM cases WHERE id = ?", case_id)

    def unlabelled(self, most: int) -> list[Case]:
        """The latest cases without a label."""
        return self._many("WHERE label IS NULL ORDER BY arrived DESC, id LIMIT ?", most)

    def unlabelled_after(self, arrived: float, case_id: str, most: int) -> list[Case]:
        """Cases without a label that arrived after a given one, in order of arrival."""
        rest = "WHERE label IS NULL AND (arrived, id) > (?, ?) ORDER BY arrived, id LIMIT ?"
        return self._many(rest, arrived, case_id, most)

    def longest_waiting(self, most: int) -> list[Case]:
        """The cases that waited when scored last, in order of arrival."""
        return self._many("WHERE label IS NULL AND waits = TRUE ORDER BY arrived, id LIMIT ?", most)

    def waiting(self) -> int:
        """The number of cases that waited when scored last."""
        return int(self._database.value("SELECT COUNT(*) FROM cases WHERE label IS NULL AND waits = TRUE"))

    def set_waiting(self, case_ids: Sequence[str], waits: bool) -> None:
        places = ", ".join("?" * len(case_ids))
        self._database.run(f"UPDATE cases SET waits = ? WHERE id IN ({places})", waits, *case_ids)

    def latest(self, most: int) -> list[Case]:
        return self._many("ORDER BY arrived DESC, id LIMIT ?", most)

    def labelled(self, most: int) -> list[Case]:
        """The cases labelled last."""
        return self._many("WHERE label IS NOT NULL ORDER BY labelled DESC, id LIMIT ?", most)

    def all_labelled(self, at_once: int) -> Iterator[Case]:
        """All labelled cases, in order of arrival."""
        place: tuple[float, str] = (0.0, "")
        rest = "WHERE label IS NOT NULL AND (arrived, id) > (?, ?) ORDER BY arrived, id LIMIT ?"
        while found := self._many(rest, *place, at_once):
            yield from found
            place = found[-1].arrived, found[-1].id

    def search(
        self, words: str, label: Label | None, before: float | None, most: int, *, unanswered: bool = False
    ) -> list[Case]:
        """The latest cases with ``words`` in a cell, the id or the labeller, ignoring case; ``unanswered`` ones
        were not decided on arrival and have no label."""
        where: list[str] = ["1 = 1"]
        values: list[Any] = []
        if words:
            escaped = words.casefold().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            where.append("(words LIKE ? ESCAPE '\\' OR LOWER(COALESCE(labelled_by, '')) LIKE ? ESCAPE '\\')")
            values += [f"%{escaped}%"] * 2
        if label is not None:
            where.append("label = ?")
            values.append(text_of(label))
        if unanswered:
            where.append("label IS NULL AND action IS NULL")
        if before is not None:
            where.append("arrived < ?")
            values.append(before)
        return self._many(f"WHERE {' AND '.join(where)} ORDER BY arrived DESC, id LIMIT ?", *values, most)

    def state_key(self) -> tuple[object, ...]:
        """A value that changes when cases are added, removed or labelled."""
        return (*self._database.rows("SELECT COUNT(*), COUNT(label), MAX(arrived) FROM cases")[0], self.waiting())

    def counts(self) -> dict[str, int]:
        """Numbers of cases: all, labelled, and not decided on arrival."""
        total, labelled, asked = self._database.rows(
            "SELECT COUNT(*), COUNT(label), COALESCE(SUM(CASE WHEN action IS NULL THEN 1 ELSE 0 END), 0) FROM cases"
        )[0]
        return {"cases": int(total), "labelled": int(labelled), "asked": int(asked)}

    def retired(self, classes: Sequence[Label]) -> int:
        """The number of cases with a label outside these classes."""
        return sum(self.other_labels(classes).values())

    def other_labels(self, classes: Sequence[Label]) -> dict[Label, int]:
        """Labels outside these classes, with the number of cases of each."""
        found = self._database.rows("SELECT label, COUNT(*) FROM cases WHERE label IS NOT NULL GROUP BY label")
        counts = {value_of(label): int(count) for label, count in found}
        return {label: count for label, count in counts.items() if label not in classes}

    def _many(self, rest: str, *values: Any) -> list[Case]:
        return [_case(found) for found in self._database.rows(f"SELECT {_FIELDS} FROM cases {rest}", *values)]


def search_text(case_id: str, content: str) -> str:
    """The searched text: the id and the cells, case-folded, one per line."""
    cells = (
        f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in value_of(content).values() if cell is not None
    )
    return "\n".join([case_id, *cells]).casefold().replace("\x00", "")


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
