"""Models on the same folds: scores with standard errors, and times."""

import copy
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.evaluate import Assessment
from suffice.evaluate.folds import FoldSplit
from suffice.numerics.arrays import AnyArray, FloatArray

_MIN_PROBABILITY = float(np.finfo(np.float64).eps)  # as in scikit-learn: a loss of at most 36 nats


@dataclass(frozen=True, eq=False)
class Entry:
    """Out-of-fold posteriors of a model, with its times per fold; or the error that it raised."""

    name: str
    assessment: Assessment | None
    fit_seconds: float
    predict_seconds: float
    failed: str = ""

    @property
    def rank(self) -> float:
        """Sort key: the log-loss, infinite for a model that failed."""
        return np.inf if self.assessment is None else self.assessment.log_loss.value


def leaderboard(
    models: Mapping[str, Any],
    table: Any,
    labels: AnyArray,
    split: FoldSplit,
    progress: Callable[[str], object] | None = None,
) -> list[Entry]:
    """Fit and score each model on the folds of a split; the best log-loss first.

    ``table`` is an Arrow table. A model is any object with ``fit``, ``predict_proba`` and ``classes_``. The error of a model
    that fails is recorded in its entry.

    Parameters
    ----------
    models : mapping
        Classifiers by name.
    table : pyarrow.Table
        The rows.
    labels : ndarray of shape (n_rows,)
        Their classes.
    split : FoldSplit
        Folds.
    progress : callable or None, default=None
        Called with the name of each model.

    Returns
    -------
    list of Entry
        The best log-loss first.
    """
    entries = []
    for name, model in models.items():
        if progress is not None:
            progress(name)
        entries.append(entry_of(name, model, table, labels, split))
    return sorted(entries, key=lambda entry: entry.rank)


def entry_of(name: str, model: Any, table: Any, labels: AnyArray, split: FoldSplit) -> Entry:
    """Fit and score one model fold by fold; an error becomes part of the entry."""
    try:
        return out_of_fold_entry(name, model, table, labels, split)
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        return Entry(name, None, np.nan, np.nan, reason[:200])


def out_of_fold_entry(name: str, model: Any, table: Any, labels: AnyArray, split: FoldSplit) -> Entry:
    """Out-of-fold posteriors of one model."""
    classes, codes = np.unique(labels, return_inverse=True)
    log_p = np.full((len(labels), len(classes)), np.log(_MIN_PROBABILITY))
    fits, predictions = [], []
    for train, test in split.parts():
        learned, held_out = (table.take(pa.array(rows)) for rows in (train, test))
        start = time.perf_counter()
        fitted = copy.deepcopy(model).fit(learned, labels[train])
        between = time.perf_counter()
        p = np.asarray(fitted.predict_proba(held_out), dtype=np.float64)
        fits.append(between - start)
        predictions.append(time.perf_counter() - between)
        place = np.searchsorted(classes, fitted.classes_)
        log_p[np.ix_(test, place)] = _log(p)
    here = split.held_out_rows
    assessment = Assessment(
        tuple(classes.tolist()), log_p[here], codes[here].astype(np.int32), None, split.fold[here], here
    )
    return Entry(name, assessment, float(np.mean(fits)), float(np.mean(predictions)))


def _log(p: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(p, _MIN_PROBABILITY)))
