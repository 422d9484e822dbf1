"""How good the answers are: by cross-validation from statistics, beside the prior alone and logistic regression."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.compare.contestants import OTHERS
from suffice.compare.leaderboard import Entry, left_out
from suffice.errors import DataError, NotAdditiveError
from suffice.evaluate import Assessment, cross_validate
from suffice.evaluate.folds import dealt_out
from suffice.numerics.arrays import CodeArray
from suffice.report.subject import Subject
from suffice.report.summary import Judged, Score

PEERS = ("prior-only", "logistic")


def fold_of(subject: Subject, folds: int, seed: int) -> CodeArray:
    """The fold of each row: every class in its share."""
    _, codes = np.unique(subject.labels, return_inverse=True)
    if len(codes) < folds:
        raise DataError(f"There are {len(codes)} rows", f"{folds} folds need as many", "Ask for fewer: --folds 2")
    return dealt_out(codes.astype(np.int32), folds, seed)


def assessed(subject: Subject, fold: CodeArray) -> Assessment:
    """Our model's answers to rows left out. Where a family keeps no sum it is fitted fold by fold."""
    fresh = clone(subject.estimator)
    try:
        return cross_validate(subject.features, subject.labels, estimator=fresh, folds=fold)
    except NotAdditiveError:
        entry = left_out("model", fresh, subject.features, subject.labels, fold)
        assert entry.assessment is not None
        return entry.assessment


def peers(subject: Subject, fold: CodeArray, progress: Callable[[str], object] | None = None) -> list[Entry]:
    """What any model has to be held against."""
    entries = []
    for name in PEERS:
        if progress is not None:
            progress(name)
        entries.append(left_out(name, OTHERS[name](), subject.features, subject.labels, fold))
    return entries


def judged(name: str, assessment: Assessment) -> Judged:
    return Judged(
        name=name,
        log_loss=_score(assessment.log_loss),
        brier=_score(assessment.brier_score),
        accuracy=_score(assessment.accuracy),
    )


def _score(found: Any) -> Score:
    return Score(value=float(found.value), error=float(found.error))
