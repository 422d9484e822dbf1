"""Posteriors of rows that a model may have learned: learned rows are scored leave-one-out."""

from dataclasses import dataclass

import numpy as np

from suffice.evaluate import Assessment, leave_one_out
from suffice.evaluate.weighted_leave_one_out import kept_places
from suffice.numerics.arrays import IntArray
from suffice.numerics.threads import thread_count
from suffice.report.judging import Judging
from suffice.report.quality import cross_validated
from suffice.report.subject import Subject

_FOLDS = 5
_MIN_LEARNED_SHARE = 0.9  # of the rows expected in the row sample if the model learned all of them


@dataclass(frozen=True, eq=False)
class RowPosteriors:
    """Posteriors of rows, and how they were computed, as a phrase."""

    assessment: Assessment
    how: str


def row_posteriors(subject: Subject) -> RowPosteriors:
    """Posteriors of the rows: leave-one-out for rows in the row sample of the model, ordinary for all others.

    If the row sample is incomplete, and has as many of these rows as if all of them had been learned, the rows are
    cross-validated instead.
    """
    model = subject.model
    learned = float(model.tally.weight.sum())
    if model.tally.sample is None:
        if subject.total != learned:
            how = "predictions of the model; it keeps no rows, so whether it learned these is unknown"
            return RowPosteriors(_scored(subject), how)
        if len(subject.labels) == subject.total:
            return RowPosteriors(_leave_one_out(subject), "leave-one-out")
        return _cross_validated(subject)
    kept = np.flatnonzero(_sample_rows(subject) >= 0)
    if not len(kept):
        return RowPosteriors(_scored(subject), "rows that the model did not learn")
    if not model.tally.sample.is_complete:
        part = float(model.tally.sample.weight.sum()) / learned
        if len(kept) >= _MIN_LEARNED_SHARE * part * len(subject.labels):
            return _cross_validated(subject)
    mixed = _scored(subject)
    mixed.log_posterior[kept] = _leave_one_out(subject.take(kept)).log_posterior
    if len(kept) == len(subject.labels):
        return RowPosteriors(mixed, "leave-one-out")
    new = len(subject.labels) - len(kept)
    return RowPosteriors(
        mixed, f"leave-one-out for the {len(kept):,} rows that the model learned, {new:,} others predicted"
    )


def _sample_rows(subject: Subject) -> IntArray:
    """The position of each row in the row sample of the model; −1 if it is not in it."""
    rows = subject.estimator.labelled(subject.features, subject.labels)
    model = subject.model
    if not set(rows.labels.classes) <= set(model.classes):
        return np.full(len(subject.labels), -1)
    found: IntArray = kept_places(model, model.read(rows.table, thread_count()), rows.labels)
    return found


def _leave_one_out(subject: Subject) -> Assessment:
    return leave_one_out(subject.estimator, subject.features, subject.labels)


def _cross_validated(subject: Subject) -> RowPosteriors:
    found = cross_validated(subject, Judging(_FOLDS).split(subject)).assessment
    return RowPosteriors(found, f"{_FOLDS}-fold cross-validation")


def _scored(subject: Subject) -> Assessment:
    classes = subject.model.classes
    place = {label: i for i, label in enumerate(classes)}
    codes = np.array([place[label] for label in subject.labels.tolist()], dtype=np.int32)
    return Assessment(classes, subject.estimator.predict_log_proba(subject.features), codes)
