"""Posteriors of rows that a model may have learned: learned rows are scored leave-one-out."""

from dataclasses import dataclass

import numpy as np

from suffice.evaluate import Assessment, leave_one_out
from suffice.evaluate.weighted_leave_one_out import kept_places
from suffice.numerics.arrays import IntArray
from suffice.numerics.threads import thread_count
from suffice.report.judging import Judging
from suffice.report.quality import assessed
from suffice.report.subject import Subject

_FOLDS = 5
_SAME = 0.9  # share of the rows expected in the row sample if the model learned all of them


@dataclass(frozen=True, eq=False)
class Answers:
    """Posteriors of rows, and a phrase on how they were computed."""

    assessment: Assessment
    how: str


def answers(subject: Subject) -> Answers:
    """Posteriors of the rows: leave-one-out for rows in the row sample of the model, plain for all others.

    If the sample holds only a part of the learned rows, and as many of these rows as if all had been learned, they are
    cross-validated instead.
    """
    model = subject.model
    learned = float(model.tally.weight.sum())
    if model.tally.sample is None:
        if subject.total != learned:
            how = "as the model answers; it keeps no rows, so whether it learned these is unknown"
            return Answers(_as_answered(subject), how)
        if len(subject.labels) == subject.total:
            return Answers(_left_out(subject), "rows left out, one at a time")
        return _cross_validated(subject)
    kept = np.flatnonzero(_places(subject) >= 0)
    if not len(kept):
        return Answers(_as_answered(subject), "rows that the model has not learned")
    if not model.tally.sample.is_complete:
        part = float(model.tally.sample.weight.sum()) / learned
        if len(kept) >= _SAME * part * len(subject.labels):
            return _cross_validated(subject)
    mixed = _as_answered(subject)
    mixed.log_posterior[kept] = _left_out(subject.some(kept)).log_posterior
    if len(kept) == len(subject.labels):
        return Answers(mixed, "rows left out, one at a time")
    new = len(subject.labels) - len(kept)
    return Answers(mixed, f"{len(kept):,} rows that the model learned left out, {new:,} others as they are answered")


def _places(subject: Subject) -> IntArray:
    """The position of each row in the row sample of the model; −1 if it is not there."""
    rows = subject.estimator.labelled(subject.features, subject.labels)
    model = subject.model
    if not set(rows.labels.classes) <= set(model.classes):
        return np.full(len(subject.labels), -1)
    found: IntArray = kept_places(model, model.read(rows.table, thread_count()), rows.labels)
    return found


def _left_out(subject: Subject) -> Assessment:
    return leave_one_out(subject.estimator, subject.features, subject.labels)


def _cross_validated(subject: Subject) -> Answers:
    found = assessed(subject, Judging(_FOLDS).split(subject)).assessment
    return Answers(found, f"rows left out, {_FOLDS}-fold cross-validation")


def _as_answered(subject: Subject) -> Assessment:
    classes = subject.model.classes
    place = {label: i for i, label in enumerate(classes)}
    codes = np.array([place[label] for label in subject.labels.tolist()], dtype=np.int32)
    return Assessment(classes, subject.estimator.predict_log_proba(subject.features), codes)
