"""Importance of columns: the increase of the held-out loss without a column."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.kinds import Kind
from suffice.explain.background import Background
from suffice.explain.column_importance import loss_increases
from suffice.model import Model
from suffice.numerics.arrays import IntArray
from suffice.numerics.threads import thread_count
from suffice.report.quality import HeldOutPosteriors
from suffice.report.subject import Subject
from suffice.report.summary import MeanScore

_AVERAGED_ROWS = 2_000  # that it is averaged over


def importance(subject: Subject, found: HeldOutPosteriors, names: Sequence[str]) -> tuple[dict[str, MeanScore], int]:
    """The increase of the held-out log-loss when a column is dropped, and the number of rows averaged over.

    ``subject`` has the held-out rows. Nothing is refitted.
    """
    columns = [name for name in names if subject.kinds.get(name) not in (None, Kind.SEQUENCE, Kind.EMPTY)]
    if not columns or found.by_fold is None:
        return {}, 0
    total = len(found.assessment.codes)
    take = np.arange(0, total, -(-total // _AVERAGED_ROWS))
    fold = np.zeros(total, dtype=np.int32) if found.assessment.fold is None else found.assessment.fold
    parts = [
        _rises(subject.take(here), found.by_fold(int(k)), _labels(found, here), columns)
        for k in np.unique(fold[take])
        for here in [take[fold[take] == k]]
    ]
    rises = np.concatenate(parts, axis=1)
    rows = rises.shape[1]
    if not rows:
        return {}, 0
    mean, error = rises.mean(axis=1), rises.std(axis=1) / np.sqrt(rows)
    rise = {name: MeanScore(value=float(m), error=float(e)) for name, m, e in zip(columns, mean, error, strict=True)}
    return rise, rows


def _labels(found: HeldOutPosteriors, rows: IntArray) -> list[object]:
    classes = found.assessment.classes
    return [classes[code] for code in found.assessment.codes[rows].tolist()]


def _rises(subject: Subject, model: Model, labels: Sequence[object], columns: Sequence[str]) -> np.ndarray:
    """The increases for the rows of one fold, without rows of classes that the fold's model does not have."""
    place = {label: c for c, label in enumerate(model.classes)}
    known = np.array([label in place for label in labels])
    table = model.with_columns(subject.estimator._open(subject.features, reset=False))
    rows = Background(model, model.read(table, thread_count())).take(np.flatnonzero(known))
    y = np.array([place[label] for label in labels if label in place], dtype=np.int32)
    return loss_increases(rows, model, y, columns)
