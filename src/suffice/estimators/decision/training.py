"""Training of a classifier with held-out rows."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv, train_test_split
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import _check_method_params, _num_samples, check_is_fitted

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.decision.held_out import HeldOut
from suffice.decision.intake import check_posterior, check_proportion, class_codes, places
from suffice.errors import DataError, NoSamplesError, quoted
from suffice.estimators.intake import check_labels
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray


@dataclass(frozen=True)
class Training:
    """A fitted classifier, the labels and weights it was fitted to, and the rows held out (None if none were)."""

    classifier: Any
    labels: Any
    weight: FloatArray | None
    held_out: HeldOut | None = None


def train(estimator: Any, X: TableLike, y: LabelsLike, params: dict[str, Any]) -> Training:
    """Train without held-out rows."""
    return Training(clone(estimator).fit(X, y, **params), y, params.get("sample_weight"))


def train_and_hold_out(
    estimator: Any, X: TableLike, y: LabelsLike, params: dict[str, Any], cv: Any, rng: np.random.RandomState
) -> Training:
    """Train and hold out a share of the rows, each fold in turn, or (``"prefit"``) all of them."""
    if isinstance(y, str):
        raise DataError(
            f"The labels are given in column {y!r}", "to hold out rows, the labels themselves are needed as y"
        )
    if isinstance(X, Mapping) and not hasattr(X, "shape"):  # columns by name: convert to rows
        X = [dict(zip(X, row, strict=True)) for row in zip(*X.values(), strict=True)]
    (X,) = indexable(X)
    everything = np.arange(_num_samples(X))
    labels = check_labels(y, len(everything))

    def on(part: IntArray) -> Training:
        mine = _check_method_params(X, params=params, indices=part)
        return train(estimator, _safe_indexing(X, part), labels[part], mine)

    if isinstance(cv, str):
        check_is_fitted(estimator)
        done = Training(estimator, labels, params.get("sample_weight"))
        parts: Iterable[tuple[Any, IntArray]] = [(estimator, everything)]
    elif isinstance(cv, float):
        check_proportion("cv", "share", cv)
        mine, others = train_test_split(everything, test_size=cv, random_state=rng)
        done = on(mine)
        parts = [(done.classifier, others)]
        lost = set(labels.tolist()) - set(done.classifier.classes_.tolist())
        if lost:
            raise DataError(
                f"No row of class {quoted(sorted(lost))} is left to learn from",
                "a class needs rows beside those that are held out",
                "Set cv to a number of folds: the classifier then learns from all rows",
            )
    else:
        done = train(estimator, X, y, params)
        folds = check_cv(cv, labels, classifier=True).split(everything, labels)
        parts = ((on(mine).classifier, others) for mine, others in folds)
    return Training(
        done.classifier, done.labels, done.weight, _held_out(parts, X, labels, done.classifier.classes_, rng)
    )


def _held_out(
    parts: Iterable[tuple[Any, IntArray]], X: TableLike, labels: AnyArray, classes: AnyArray, rng: np.random.RandomState
) -> HeldOut:
    """Held-out posteriors of classifiers, each on rows that it was not trained on."""
    posteriors, densities, seen = [], [], []
    for classifier, rows in parts:
        part = _safe_indexing(X, rows)
        posterior = np.zeros((len(rows), len(classes)))  # a class missing from a fold has probability zero there
        own = places(classifier.classes_.tolist(), classes, "There are rows of class")
        posterior[:, own] = check_posterior(classifier.predict_proba(part))
        posteriors.append(posterior)
        seen.append(rows)
        if hasattr(classifier, "score_samples"):
            with suppress(NoSamplesError):  # scores of texts are not densities
                densities.append(np.asarray(classifier.score_samples(part), dtype=np.float64))
    order = np.concatenate(seen)
    return HeldOut(
        np.concatenate(posteriors),
        class_codes(labels[order], classes, len(order)),
        np.concatenate(densities) if densities else None,
        rng.random_sample(len(order)),
    )
