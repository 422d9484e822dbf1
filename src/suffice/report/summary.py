"""The summary of a model and its rows, shown by the terminal, ``--json`` and the page."""

from typing import Any

import msgspec


class SummaryPart(msgspec.Struct, frozen=True, kw_only=True):
    """Plain values only, so that it can be printed as JSON."""


class MeanScore(SummaryPart, frozen=True, kw_only=True):
    """A mean over rows and its standard error."""

    value: float
    error: float


class ClassShare(SummaryPart, frozen=True, kw_only=True):
    label: Any
    rows: int
    share: float


class HoleShare(SummaryPart, frozen=True, kw_only=True):
    """The share of missing cells of a column in the class that has most of them, and in all others."""

    column: str
    klass: Any
    share: float
    elsewhere: float


class DataPart(SummaryPart, frozen=True, kw_only=True):
    """The rows."""

    source: str
    target: str
    rows: int
    unlabelled: int
    """Those without a class, which nothing else here is about."""
    judged_rows: int
    """Those that quality was judged on: all with a class, or a sample of many."""
    columns: int
    missing_cells: int
    telling_holes: list[str]
    """Columns of which it is evidence, to the model, that a cell is missing."""
    related_holes: list[HoleShare]
    """Columns whose cells are missing in some classes more often than chance allows, whatever the model makes of it."""
    reading: list[str]
    """What was recognised in the text of files: encodings, formats of numbers and dates, tokens for missing cells."""
    remarks: list[str]
    """Constants, repeated rows, near-identifiers, labels that differ by case or blanks alone."""
    classes: list[ClassShare]

    @property
    def is_sample(self) -> bool:
        """Whether there are more rows with a class than quality was judged on."""
        return self.judged_rows < self.rows - self.unlabelled


class Fit(SummaryPart, frozen=True, kw_only=True):
    """How far what is assumed is from what was seen: 0 is the same distribution, 1 another one."""

    distance: float
    klass: Any
    """The class in which it is farthest off."""


class LevelRow(SummaryPart, frozen=True, kw_only=True):
    """One value of a column."""

    value: str
    rows: int
    by_class: list[float]
    """The share of each class's rows that have it."""


class QuantileRow(SummaryPart, frozen=True, kw_only=True):
    """5, 25, 50, 75 and 95 %; none where there are no cells."""

    values: list[float]


class ColumnProfile(SummaryPart, frozen=True, kw_only=True):
    """A column by class."""

    classes: list[Any]
    """Those shown, the most common."""
    other_classes: int
    missing: list[float]
    """The share of missing cells in each class."""
    levels: list[LevelRow]
    other_levels: int
    other_rows: int
    quantiles: list[QuantileRow]
    """Of numbers: of all rows, then of each class."""


class ColumnPart(SummaryPart, frozen=True, kw_only=True):
    """What a column was taken for, and why."""

    name: str
    kind: str
    family: str
    settings: str
    """The family with its hyper-parameters."""
    why: str
    missing: int
    fit: Fit | None = None
    profile: ColumnProfile | None = None


class Giveaway(SummaryPart, frozen=True, kw_only=True):
    """A column that may hold the target in another form."""

    column: str
    klass: Any
    """The class it tells from all others; None where it tells all classes."""
    word: str | None
    """By which word, in a text."""


class LeftOut(SummaryPart, frozen=True, kw_only=True):
    name: str
    why: str


class Judged(SummaryPart, frozen=True, kw_only=True):
    """The scores of one model on rows it had not learned."""

    name: str
    log_loss: MeanScore
    brier: MeanScore
    accuracy: MeanScore
    auc: MeanScore | None = None
    """Area under the ROC curve, of many classes the mean over them; none where the rows are of one class."""
    behind: MeanScore | None = None
    """Its log-loss less that of this model: the mean of the differences row by row, and its standard error."""


class RankingPart(SummaryPart, frozen=True, kw_only=True):
    """Rows taken for a class by their probability of it, from the surest on: the points of ROC, precision-recall and lift
    curves, thinned out."""

    taken: list[float]
    """Share of all rows."""
    recall: list[float]
    false_alarms: list[float]
    precision: list[float]
    lift: list[float]
    threshold: list[float]


class ClassQuality(SummaryPart, frozen=True, kw_only=True):
    """How well one class is found among all."""

    label: Any
    rows: int
    precision: float | None
    recall: float | None
    f1: float | None
    auc: float | None
    average_precision: float | None
    ranking: RankingPart | None = None
    """Of two classes of the second, of many of the most frequent."""


class Bin(SummaryPart, frozen=True, kw_only=True):
    """Rows that were given about the same probability."""

    predicted: float
    observed: float
    low: float
    high: float
    rows: int


class CalibrationPart(SummaryPart, frozen=True, kw_only=True):
    error: float
    verdict: str
    bins: list[Bin]


class DecidedShare(SummaryPart, frozen=True, kw_only=True):
    """Deciding only the surest rows."""

    decided: float
    errors: float
    least_probability: float


class Mixup(SummaryPart, frozen=True, kw_only=True):
    """How many rows of a class were answered with another."""

    truth: Any
    answer: Any
    rows: int


class ConfusionPart(SummaryPart, frozen=True, kw_only=True):
    classes: list[Any]
    rows: list[list[int]]
    """[truth][answer]"""
    mixups: list[Mixup]
    """The classes taken for another most often."""


class ErrorPrice(SummaryPart, frozen=True, kw_only=True):
    """What deciding costs a row if missing a class costs so many times what a false alarm does."""

    of: Any
    ratio: float
    cost: float
    never: float
    always: float


class DecisionPart(SummaryPart, frozen=True, kw_only=True):
    confusion: ConfusionPart
    reject: list[DecidedShare]
    prices: list[ErrorPrice]


class Driver(SummaryPart, frozen=True, kw_only=True):
    """How far a column moves the log-odds of the answer, on average over rows."""

    name: str
    evidence: float
    error: float
    """Its standard error."""
    loss: MeanScore | None = None
    """How much the log-loss of rows left out rises when the table lacks the column."""


class WordDriver(SummaryPart, frozen=True, kw_only=True):
    """How far a word, pair or run of characters moves them, on average over all rows, with it or without."""

    word: str
    evidence: float
    documents: int
    """That have it, of those averaged over."""


class ClassWords(SummaryPart, frozen=True, kw_only=True):
    """The words that a class has most of beyond what all classes have."""

    label: Any
    words: list[str]


class TextPart(SummaryPart, frozen=True, kw_only=True):
    """The words of a column of texts."""

    name: str
    documents: int
    """That evidence is averaged over."""
    words: list[WordDriver]
    """Those that move the answers most."""
    by_class: list[ClassWords]


class Reason(SummaryPart, frozen=True, kw_only=True):
    """How far a feature moved the log-odds of one row."""

    name: str
    evidence: float


class Mistake(SummaryPart, frozen=True, kw_only=True):
    """A row whose own class was called improbable by a model that had not learned it."""

    row: int
    """Its number in the source, from 1."""
    identifiers: dict[str, str]
    """Its cells in columns that name the row."""
    truth: Any
    answer: Any
    probability: float
    """Of the answer."""
    cells: dict[str, str]
    because: list[Reason]
    """What spoke for the answer and against the truth in that model, strongest first."""


class Reproduce(SummaryPart, frozen=True, kw_only=True):
    commands: list[str]
    versions: dict[str, str]
    folds: int
    seed: int


class Summary(SummaryPart, frozen=True, kw_only=True):
    """All of it."""

    data: DataPart
    columns: list[ColumnPart]
    left_out: list[LeftOut]
    judged_by: str
    """Which rows quality was judged on."""
    quality: list[Judged]
    """Our model first, then what it is held against."""
    classes: list[ClassQuality]
    calibration: CalibrationPart
    decisions: DecisionPart
    drivers: list[Driver]
    driver_rows: int
    """That evidence is averaged over."""
    loss_rows: int
    """That the loss without a column is averaged over."""
    texts: list[TextPart]
    mistakes: list[Mistake]
    verdict: list[str]
    """What it predicts, how well, and how far it can be trusted, in a sentence each."""
    next_steps: list[str]
    giveaways: list[Giveaway]
    warnings: list[str]
    reproduce: Reproduce
