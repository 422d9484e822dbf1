"""What there is to say about a model and its rows: one value, which the screen, ``--json`` and the page all show."""

from typing import Any

import msgspec


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Plain values only, so that it can be printed as JSON."""


class Score(Part, frozen=True, kw_only=True):
    """A mean over rows and its standard error."""

    value: float
    error: float


class ClassShare(Part, frozen=True, kw_only=True):
    label: Any
    rows: int
    share: float


class DataPart(Part, frozen=True, kw_only=True):
    """The rows."""

    source: str
    target: str
    rows: int
    judged_rows: int
    """Those that quality was judged on: all, or a sample of many."""
    columns: int
    missing_cells: int
    telling_holes: list[str]
    """Columns of which it is evidence that a cell is missing."""
    classes: list[ClassShare]


class Fit(Part, frozen=True, kw_only=True):
    """How far what is assumed is from what was seen: 0 is the same distribution, 1 another one."""

    distance: float
    klass: Any
    """The class in which it is farthest off."""


class ColumnPart(Part, frozen=True, kw_only=True):
    """What a column was taken for, and why."""

    name: str
    kind: str
    family: str
    settings: str
    """The family with its hyper-parameters."""
    why: str
    missing: int
    fit: Fit | None = None


class LeftOut(Part, frozen=True, kw_only=True):
    name: str
    why: str


class Judged(Part, frozen=True, kw_only=True):
    """The scores of one model on rows it had not learned."""

    name: str
    log_loss: Score
    brier: Score
    accuracy: Score


class Bin(Part, frozen=True, kw_only=True):
    """Rows that were given about the same probability."""

    predicted: float
    observed: float
    low: float
    high: float
    rows: int


class CalibrationPart(Part, frozen=True, kw_only=True):
    error: float
    verdict: str
    bins: list[Bin]


class Workload(Part, frozen=True, kw_only=True):
    """Deciding only the surest rows."""

    decided: float
    errors: float
    least_probability: float


class ConfusionPart(Part, frozen=True, kw_only=True):
    classes: list[Any]
    rows: list[list[int]]
    """[truth][answer]"""


class ErrorPrice(Part, frozen=True, kw_only=True):
    """What deciding costs a row if missing a class costs so many times what a false alarm does."""

    of: Any
    ratio: float
    cost: float
    never: float
    always: float


class DecisionPart(Part, frozen=True, kw_only=True):
    confusion: ConfusionPart
    reject: list[Workload]
    prices: list[ErrorPrice]


class Driver(Part, frozen=True, kw_only=True):
    """How much a feature moves the log-odds of the answer, on average over rows."""

    name: str
    evidence: float


class Mistake(Part, frozen=True, kw_only=True):
    """A row whose own class was called improbable."""

    row: int
    truth: Any
    answer: Any
    probability: float
    """Of the answer."""
    cells: dict[str, str]
    because: list[Driver]


class Reproduce(Part, frozen=True, kw_only=True):
    commands: list[str]
    versions: dict[str, str]
    folds: int
    seed: int


class Summary(Part, frozen=True, kw_only=True):
    """All of it."""

    data: DataPart
    columns: list[ColumnPart]
    left_out: list[LeftOut]
    quality: list[Judged]
    """Our model first, then what it is held against."""
    calibration: CalibrationPart
    decisions: DecisionPart
    drivers: list[Driver]
    mistakes: list[Mistake]
    warnings: list[str]
    reproduce: Reproduce
