"""Quality by cross-validation from statistics, compared with the prior alone and logistic regression."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.base import clone

from suffice.compare.contestants import contestants
from suffice.compare.leaderboard import Entry, entry_of, out_of_fold_entry
from suffice.errors import NotAdditiveError
from suffice.estimators.designed import DesignMatrixClassifier
from suffice.evaluate import Assessment
from suffice.evaluate.cross_validation import cross_validated_posteriors
from suffice.evaluate.folds import FoldSplit
from suffice.model import Model
from suffice.numerics.arrays import AnyArray
from suffice.report.judging import TestRows
from suffice.report.subject import Subject
from suffice.report.summary import Judged, MeanScore

PEERS = ("prior-only", "logistic")


@dataclass(frozen=True, eq=False)
class HeldOutPosteriors:
    """Held-out posteriors, and the model of each fold; None for a model without densities."""

    assessment: Assessment
    by_fold: Callable[[int], Model] | None

    def behind(self, row: int) -> Model | None:
        """The model that predicted a held-out row."""
        if self.by_fold is None:
            return None
        return self.by_fold(0 if self.assessment.fold is None else int(self.assessment.fold[row]))


def cross_validated(subject: Subject, split: FoldSplit) -> HeldOutPosteriors:
    """Out-of-fold posteriors of the model: from its statistics if they add, otherwise by a fit per fold."""
    fresh = clone(subject.estimator)
    if hasattr(fresh, "labelled"):
        try:
            rows = fresh.labelled(subject.features, subject.labels)
            assessment, models = cross_validated_posteriors(fresh, rows, split)
            return HeldOutPosteriors(assessment, models.__getitem__)
        except NotAdditiveError:
            pass
    entry = out_of_fold_entry("model", fresh, subject.features, subject.labels, split)
    assert entry.assessment is not None
    refitted = lru_cache(lambda k: _refitted(subject, split, k)) if subject.has_densities else None
    return HeldOutPosteriors(entry.assessment, refitted)


def posteriors_of_test_rows(subject: Subject, test: TestRows) -> HeldOutPosteriors:
    """The model's posteriors of test rows."""
    return HeldOutPosteriors(test.assessment, (lambda _: subject.model) if subject.has_densities else None)


def _refitted(subject: Subject, split: FoldSplit, k: int) -> Any:
    """The model fitted without a fold."""
    rows = np.flatnonzero(split.fold < k if split.is_ordered else split.fold != k)
    return clone(subject.estimator).fit(subject.features.take(pa.array(rows)), subject.labels[rows]).model_


def peers(subject: Subject, split: FoldSplit, progress: Callable[[str], object] | None = None) -> list[Entry]:
    """Out-of-fold scores of the baselines: the prior alone and logistic regression."""
    return _peer_entries(subject, subject.features, subject.labels, split, progress)


def peers_on(subject: Subject, test: TestRows, progress: Callable[[str], object] | None = None) -> list[Entry]:
    """Scores on test rows of the baselines fitted to the rows of the subject."""
    found, names = test.assessment, subject.names
    both = pa.concat_tables([subject.features, test.rows.select(names)], promote_options="permissive")
    labels = np.concatenate([subject.labels, np.array(found.classes, subject.labels.dtype)[found.codes]])
    fold = np.repeat(np.arange(2, dtype=np.int32), [len(subject.labels), len(found.codes)])
    return _peer_entries(subject, both, labels, FoldSplit(fold, is_ordered=True), progress)


def _peer_entries(
    subject: Subject, table: Any, labels: AnyArray, split: FoldSplit, progress: Callable[[str], object] | None
) -> list[Entry]:
    itself = ("logistic",) if isinstance(subject.estimator, DesignMatrixClassifier) else ()
    entries = []
    for name, model in contestants([name for name in PEERS if name not in itself], subject.kinds).items():
        if progress is not None:
            progress(name)
        entries.append(entry_of(name, model, table, labels, split))
    return entries


def judged(name: str, assessment: Assessment, ours: Assessment | None = None) -> Judged:
    """The scores of a model; with ``ours``, also the paired difference of the log-losses."""
    area = assessment.auc
    return Judged(
        name=name,
        log_loss=_score(assessment.log_loss),
        brier=_score(assessment.brier_score),
        accuracy=_score(assessment.accuracy),
        auc=None if np.isnan(area.value) else _score(area),
        behind=None if ours is None else _score(assessment.less(ours)),
    )


def _score(found: Any) -> MeanScore:
    return MeanScore(value=float(found.value), error=float(found.error))
