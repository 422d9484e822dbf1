"""The summary of a model and its rows, shown by the terminal, ``--json`` and the page."""

from typing import Any

import msgspec


class SummaryPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the summary, of plain values, so that it can be encoded as JSON."""


class MeanScore(SummaryPart, frozen=True, kw_only=True):
    """A mean over rows and its standard error."""

    value: float
    error: float


class ClassShare(SummaryPart, frozen=True, kw_only=True):
    label: Any
    rows: int
    share: float


class MissingShare(SummaryPart, frozen=True, kw_only=True):
    """The share of missing cells of a column in the class with the highest share, and in all others."""

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
    """Number of rows without a class; all other fields exclude them."""
    judged_rows: int
    """Number of rows that quality was estimated on: all labelled rows, or a sample."""
    columns: int
    missing_cells: int
    informative_missing: list[str]
    """Columns whose missing cells are evidence under the model."""
    missing_by_class: list[MissingShare]
    """Columns whose missing cells are significantly associated with the class, used by the model or not."""
    reading: list[str]
    """Formats inferred from text files: encodings, number and date formats, tokens for missing cells."""
    remarks: list[str]
    """Constants, repeated rows, near-identifiers, labels that differ only by case or blanks."""
    classes: list[ClassShare]

    @property
    def is_sample(self) -> bool:
        """Whether there are more rows with a class than quality was judged on."""
        return self.judged_rows < self.rows - self.unlabelled


class Fit(SummaryPart, frozen=True, kw_only=True):
    """Distance between the assumed and the empirical distribution, from 0 to 1."""

    distance: float
    klass: Any
    """The class of largest distance."""


class LevelRow(SummaryPart, frozen=True, kw_only=True):
    """One value of a column."""

    value: str
    rows: int
    by_class: list[float]
    """Its share of the rows of each class."""


class QuantileRow(SummaryPart, frozen=True, kw_only=True):
    """5, 25, 50, 75 and 95 % quantiles; empty if there are no cells."""

    values: list[float]


class ColumnProfile(SummaryPart, frozen=True, kw_only=True):
    """A column by class."""

    classes: list[Any]
    """The classes shown, the most frequent ones."""
    other_classes: int
    missing: list[float]
    """The share of missing cells in each class."""
    levels: list[LevelRow]
    other_levels: int
    other_rows: int
    quantiles: list[QuantileRow]
    """Quantiles of a numeric column: of all rows, then of each class."""


class ColumnPart(SummaryPart, frozen=True, kw_only=True):
    """The kind and family of a column, and the reason."""

    name: str
    kind: str
    family: str
    settings: str
    """The family with its hyper-parameters."""
    why: str
    missing: int
    fit: Fit | None = None
    profile: ColumnProfile | None = None


class Leak(SummaryPart, frozen=True, kw_only=True):
    """A column that may leak the target."""

    column: str
    klass: Any
    """The class that it separates from all others; None if it predicts all classes."""
    word: str | None
    """The word that does so, if the column is a text."""


class LeftOut(SummaryPart, frozen=True, kw_only=True):
    name: str
    why: str


class Judged(SummaryPart, frozen=True, kw_only=True):
    """The scores of one model on held-out rows."""

    name: str
    log_loss: MeanScore
    brier: MeanScore
    accuracy: MeanScore
    auc: MeanScore | None = None
    """Area under the ROC curve, averaged over classes if there are more than two; none if all rows have one class."""
    behind: MeanScore | None = None
    """Its log-loss minus that of this model: the mean paired difference and its standard error."""


class RankingPart(SummaryPart, frozen=True, kw_only=True):
    """Thinned points of the ROC, precision-recall and lift curves of a class, in decreasing order of the threshold."""

    predicted_positive_rate: list[float]
    """Share of all rows."""
    recall: list[float]
    false_positive_rate: list[float]
    precision: list[float]
    lift: list[float]
    threshold: list[float]


class ClassQuality(SummaryPart, frozen=True, kw_only=True):
    """Quality of one class against all others."""

    label: Any
    rows: int
    precision: float | None
    recall: float | None
    f1: float | None
    auc: float | None
    average_precision: float | None
    ranking: RankingPart | None = None
    """Curves of the second of two classes, or of the most frequent of many."""


class Bin(SummaryPart, frozen=True, kw_only=True):
    """Rows with predicted probabilities in one bin."""

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
    """Error rate if only the most certain rows are decided."""

    decided: float
    errors: float
    least_probability: float


class Mixup(SummaryPart, frozen=True, kw_only=True):
    """Number of rows of one class that were predicted as another."""

    truth: Any
    answer: Any
    rows: int


class ConfusionPart(SummaryPart, frozen=True, kw_only=True):
    classes: list[Any]
    rows: list[list[int]]
    """[truth][answer]"""
    mixups: list[Mixup]
    """The most frequent confusions."""


class ErrorPrice(SummaryPart, frozen=True, kw_only=True):
    """Cost per row if a false negative costs ``ratio`` times as much as a false positive."""

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
    """Mean absolute evidence of a column for the predicted class against the next one."""

    name: str
    evidence: float
    error: float
    """Its standard error."""
    loss: MeanScore | None = None
    """Increase of the held-out log-loss when the column is dropped."""


class WordDriver(SummaryPart, frozen=True, kw_only=True):
    """Mean absolute evidence of a word, word pair or character n-gram, over all rows."""

    word: str
    evidence: float
    documents: int
    """Number of averaged rows that contain it."""


class ClassWords(SummaryPart, frozen=True, kw_only=True):
    """The most characteristic words of a class."""

    label: Any
    words: list[str]


class TextPart(SummaryPart, frozen=True, kw_only=True):
    """The words of a column of texts."""

    name: str
    documents: int
    """Number of documents that evidence is averaged over."""
    words: list[WordDriver]
    """The words with the strongest evidence."""
    by_class: list[ClassWords]


class Reason(SummaryPart, frozen=True, kw_only=True):
    """Evidence of a feature for one row."""

    name: str
    evidence: float


class Mistake(SummaryPart, frozen=True, kw_only=True):
    """A confident error on a held-out row."""

    row: int
    """Row number in the source, from 1."""
    identifiers: dict[str, str]
    """Its cells in identifier columns."""
    truth: Any
    answer: Any
    probability: float
    """Probability of the predicted class."""
    cells: dict[str, str]
    because: list[Reason]
    """Evidence for the predicted class against the true one, strongest first."""


class Reproduce(SummaryPart, frozen=True, kw_only=True):
    commands: list[str]
    versions: dict[str, str]
    folds: int
    seed: int


class Summary(SummaryPart, frozen=True, kw_only=True):
    """The whole summary."""

    data: DataPart
    columns: list[ColumnPart]
    left_out: list[LeftOut]
    judged_by: str
    """How quality was estimated."""
    quality: list[Judged]
    """Scores of this model, then of the baselines."""
    classes: list[ClassQuality]
    calibration: CalibrationPart
    decisions: DecisionPart
    drivers: list[Driver]
    driver_rows: int
    """Number of rows over which evidence is averaged."""
    loss_rows: int
    """Number of rows over which the loss without a column is averaged."""
    texts: list[TextPart]
    mistakes: list[Mistake]
    verdict: list[str]
    """The verdict: target, quality and calibration, in a sentence each."""
    next_steps: list[str]
    leaks: list[Leak]
    warnings: list[str]
    reproduce: Reproduce
