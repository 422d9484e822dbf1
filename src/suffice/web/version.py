"""A version of the model: scoring, and the next versions by learning and unlearning.

It is immutable. A reader uses one version per request, while the writer builds the next one.
"""

import copy
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice import posterior
from suffice.columns.labels import Label, encode_labels, plain_labels
from suffice.columns.records_table import RecordsTable
from suffice.columns.table import Table
from suffice.errors import ModelFileError
from suffice.estimators.saved_bayes_classifier import SavedBayesClassifier, load_without_estimator
from suffice.explain import Explanation, explain
from suffice.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.numerics.threads import thread_count

if TYPE_CHECKING:
    from suffice.estimators.base import SufficeClassifier

_MIN_PARALLEL_ROWS = 256  # for fewer rows, threads cost more than they save
_MAX_LOSS = 50.0  # nats
_STRONG_BAYES_FACTOR = 20.0  # a Bayes factor that counts as strong evidence


@dataclass(frozen=True, eq=False)
class Version:
    """The counts of ``model`` include the first ``number`` entries of the journal, its fitted weights the first ``fitted_at``;
    ``estimator`` is the estimator saved in the model file."""

    number: int
    model: Model
    estimator: "SufficeClassifier | SavedBayesClassifier"
    fitted_at: int = 0

    @classmethod
    def loaded(cls, path: "str | os.PathLike[str]", number: int = 0) -> "Version":
        """Load a version from a model file."""
        estimator = _classifier_in(path)
        # a class remains when the last of its cases is unlearned; learning a label does not wait for a fit of weights
        model = estimator.model_.declaring(estimator.model_.classes).deferring_weights
        return cls(number, model, estimator, max(0, number - round(model.pending))).warmed()

    def saved(self, path: "str | os.PathLike[str]") -> None:
        estimator = copy.copy(self.estimator)
        estimator.model_ = self.model
        estimator.save(path)

    def warmed(self) -> "Version":
        """The same version with its densities estimated, before the first reader needs them."""
        _ = self.model.densities, self.model.log_prior
        if self.model.weighted_parts is not None:
            _ = self.model.unweighted.densities, self.model.unweighted.log_prior
        return self

    def without_rows(self) -> "Version":
        """The version for scoring only, without the stored rows that weights are fitted to."""
        model, estimator = self.model.for_scoring(), copy.copy(self.estimator)
        estimator.model_ = model
        estimator.__dict__.pop("held_out_", None)
        return replace(self, model=model, estimator=estimator)

    @property
    def kind(self) -> str:
        """The name of the estimator."""
        return "BayesClassifier" if isinstance(self.estimator, SavedBayesClassifier) else type(self.estimator).__name__

    @property
    def key(self) -> tuple[int, int]:
        """Key of its scores: the number of journal entries in its counts and in its weights."""
        return self.number, self.fitted_at

    @property
    def pending(self) -> int:
        """The number of rows learned or unlearned since the weights were fitted."""
        return round(self.model.pending)

    @property
    def classes(self) -> tuple[Label, ...]:
        return self.model.classes

    @property
    def class_counts(self) -> dict[str, float]:
        """The weight of the learned rows by class."""
        return {str(c): float(w) for c, w in zip(self.classes, self.model.tally.weight, strict=True)}

    # — scoring —

    def scores(self, table: Table) -> tuple[FloatArray, FloatArray]:
        """p(class | row), (rows, classes), and log p(row)."""
        return self.posterior(table), self.log_density(table)

    def posterior(self, table: Table) -> FloatArray:
        """p(class | row), (rows, classes)."""
        joint = np.empty((table.rows, len(self.classes)))
        for _, part in self.model.log_joints(table, joint, _threads(table), odds=True):
            posterior.posterior(part, self.model.log_prior)
        return joint

    def log_density(self, table: Table) -> FloatArray:
        """log p(row). Correlations are estimated at first use by each version."""
        return self.model.log_density(table, _threads(table))

    def explained(
        self, table: Table, of: Label | None = None, against: Label | None = None, *, interactions: bool = False
    ) -> Explanation:
        """Evidence by column, or with ``interactions`` by groups of columns too."""
        return explain(self.model, table, self.estimator.classes_, of, against, interactions=interactions)

    @property
    def prior(self) -> FloatArray:
        """The class prior in the model."""
        return np.asarray(np.exp(self.model.log_prior))

    def losses(self, table: Table, labels: Sequence[Label]) -> FloatArray:
        """−log p(label | row) of each row, in nats; at most 50, so that a probability of zero is a finite loss."""
        place = {label: i for i, label in enumerate(self.classes)}
        found = self.posterior(table)[np.arange(table.rows), [place[label] for label in labels]]
        return np.asarray(-np.log(np.maximum(found, np.exp(-_MAX_LOSS))))

    def is_worse(self, than: "Version", table: Table, labels: Sequence[Label]) -> bool:
        """Whether the Bayes factor is strong evidence for the other version. (A mean with its standard error misleads here: a
        few dozen cases lack the rare ones that calibration improves.)"""
        more = self.losses(table, labels) - than.losses(table, labels)
        return bool(more.sum() > np.log(_STRONG_BAYES_FACTOR))

    # — learning —

    def learned(self, number: int, table: RecordsTable, labels: Sequence[Label]) -> "Version":
        """The next version, with rows learned."""
        return replace(self, number=number, model=self.model.learn(table, _encoded(labels), None, 1))

    def with_fitted_weights(self) -> "Version":
        """The same version with weights fitted to the stored rows."""
        return replace(self, model=self.model.with_fitted_weights(thread_count()), fitted_at=self.number)

    def unlearned(self, number: int, table: RecordsTable, labels: Sequence[Label]) -> "Version":
        """The next version, with rows unlearned."""
        return replace(self, number=number, model=self.model.forget(table, _encoded(labels), None, 1))


def _classifier_in(path: "str | os.PathLike[str]") -> "SufficeClassifier | SavedBayesClassifier":
    """The classifier in a model file; scikit-learn is imported only for drop-ins and for files that are rejected."""
    try:
        return load_without_estimator(path)
    except ModelFileError:
        from suffice.estimators.base import SufficeClassifier
        from suffice.estimators.model_file import load

        estimator = load(path)
    if not isinstance(estimator, SufficeClassifier):
        raise ModelFileError(
            f"The file contains a {type(estimator).__name__}",
            "the service learns case by case, which requires a classifier with additive statistics",
            "Train a BayesClassifier",
        )
    return estimator


def _threads(table: Table) -> int:
    return 1 if table.rows < _MIN_PARALLEL_ROWS else thread_count()


def _encoded(labels: Sequence[Label]) -> Any:
    return encode_labels(plain_labels(list(labels)))
