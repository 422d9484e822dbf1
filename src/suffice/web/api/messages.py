"""Messages of the API. Types that depend on the model's columns and classes are created when it is loaded."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from suffice.columns.labels import Label
from suffice.web.columns import Columns
from suffice.web.policy import Policy
from suffice.web.progress import Progress
from suffice.web.store.cases import CASE_ID
from suffice.web.store.receipts import PendingFile, Receipt

PERSON = r"^[^\x00-\x1f\x7f]{1,128}$"
CaseId = Annotated[str, msgspec.Meta(pattern=CASE_ID, description="A name for the case")]
Person = Annotated[str, msgspec.Meta(pattern=PERSON, description="Author of the change")]
LabelView = str | float | bool | None
"""A label of any JSON type; integers count as numbers."""
_MAX_EXPLAINED_ROWS = 100  # per request


@dataclass(frozen=True)
class Requests:
    """Bodies of requests, for one model."""

    rows: Any
    explain: Any
    decide: Any
    cases: Any
    label: Any
    learn: Any
    forget: Any

    @classmethod
    def of(cls, columns: Columns, classes: tuple[Label, ...], max_rows: int) -> "Requests":
        row, label = columns.row_type, label_type(classes)
        rows = Annotated[list[row], msgspec.Meta(min_length=1, max_length=max_rows)]  # type: ignore[valid-type]
        few = Annotated[list[row], msgspec.Meta(min_length=1, max_length=min(max_rows, _MAX_EXPLAINED_ROWS))]  # type: ignore[valid-type]
        case = _struct("NewCase", ("row", row), ("id", CaseId | None, None))
        cases = Annotated[list[case], msgspec.Meta(min_length=1, max_length=max_rows)]  # type: ignore[valid-type]
        return cls(
            rows=_struct("Rows", ("rows", rows)),
            explain=_struct(
                "ExplainRequest",
                ("rows", few),
                ("of", label | None, None),
                ("against", label | None, None),
                ("interactions", bool, False),
            ),
            decide=_struct("DecideRequest", ("rows", rows), ("policy", Policy | None, None)),
            cases=_struct("NewCases", ("cases", cases)),
            label=_struct("NewLabel", ("label", label), ("by", Person | None, None)),
            learn=_struct("LearnRequest", ("id", CaseId), ("row", row), ("label", label), ("by", Person | None, None)),
            forget=_struct("ForgetRequest", ("rows", rows), ("label", label), ("by", Person | None, None)),
        )


def _struct(name: str, *fields: Any) -> Any:
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, frozen=True)


def label_type(classes: tuple[Label, ...]) -> Any:
    """The type of a label or its text, where JSON Schema can express it; other labels are validated by the handler."""
    kinds = {type(c) for c in classes}
    if kinds <= {str, int}:
        return Literal[(*classes, *(str(c) for c in classes if not isinstance(c, str)))]
    return bool | Literal["True", "False"] if kinds == {bool} else float | str


class Scored(msgspec.Struct, frozen=True):
    """p(class | row), and log p(row), low for rows unlike the training rows."""

    posterior: dict[str, float]
    log_density: float | None


class Scores(msgspec.Struct, frozen=True):
    version: int
    results: list[Scored]


class Evidence(msgspec.Struct, frozen=True):
    feature: str
    weight: float


class Explained(msgspec.Struct, frozen=True):
    """``log_odds`` = ``prior`` + the sum of the evidence, strongest first; positive evidence favours ``of``."""

    of: str
    against: str
    log_odds: float | None
    prior: float | None
    evidence: list[Evidence]


class Explanations(msgspec.Struct, frozen=True):
    version: int
    results: list[Explained]


class Decided(msgspec.Struct, frozen=True):
    """``action`` is null for rows deferred to a person; ``posterior`` is under the policy's prior."""

    action: LabelView
    asked: bool
    risk: float
    posterior: dict[str, float]


class Decisions(msgspec.Struct, frozen=True):
    version: int
    results: list[Decided]


class CaseView(msgspec.Struct, frozen=True):
    """A case with its scores and decision on arrival, and its label. ``row`` maps column names to cells."""

    id: str
    arrived: float
    row: dict[str, Any]
    version: int
    posterior: dict[str, float]
    log_density: float | None
    action: LabelView
    risk: float
    label: LabelView
    labelled: float | None
    labelled_by: str | None


class OpinionView(msgspec.Struct, frozen=True):
    by: str
    label: LabelView
    at: float


class Changed(msgspec.Struct, frozen=True):
    """The case, and the version that includes the change. ``conflict`` has each person's label if they differ."""

    version: int
    case: CaseView
    conflict: list[OpinionView]


class CaseList(msgspec.Struct, frozen=True):
    version: int
    cases: list[CaseView]


class JournalEntry(msgspec.Struct, frozen=True):
    number: int
    written: float
    kind: str
    label: LabelView
    previous: LabelView
    writer: str | None


class CaseHistory(msgspec.Struct, frozen=True):
    case: CaseView
    journal: list[JournalEntry]
    opinions: list[OpinionView]


class Conflict(msgspec.Struct, frozen=True):
    """A case with conflicting labels; the latest label is the one learned."""

    case: CaseView
    opinions: list[OpinionView]


class Conflicts(msgspec.Struct, frozen=True):
    conflicts: list[Conflict]


class Opened(msgspec.Struct, frozen=True):
    """The first case of the queue without a lease of another caller, now leased for ``seconds``; null if there is none."""

    version: int
    waiting: int
    seconds: float
    next: "QueuedCase | None"


class QueuedCase(msgspec.Struct, frozen=True):
    """``posterior`` and ``risk`` under the current version."""

    case: CaseView
    posterior: dict[str, float]
    risk: float


class Queue(msgspec.Struct, frozen=True):
    version: int
    waiting: int
    cases: list[QueuedCase]


class ReceiptView(Receipt, frozen=True):
    """A receipt, and the files of this server that may contain the row until they are rewritten."""

    pending: list[PendingFile]


class Forgotten(msgspec.Struct, frozen=True):
    version: int
    rows: int
    class_counts: dict[str, float]
    pending: list[PendingFile]


class ColumnView(msgspec.Struct, frozen=True):
    name: str
    kind: str
    family: str
    levels: list[str]


class ModelView(msgspec.Struct, frozen=True):
    version: int
    kind: str
    classes: list[str]
    class_counts: dict[str, float]
    prior: dict[str, float]
    columns: list[ColumnView]
    estimate: str
    suffice: str
    progress: Progress
