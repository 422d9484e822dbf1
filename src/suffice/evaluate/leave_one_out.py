"""Leave-one-out from one pass: a row is subtracted from what was counted, and the rest is asked about it."""

from typing import Any

import numpy as np

from suffice.errors import DataError, ParameterError
from suffice.evaluate.assessment import Assessment
from suffice.evaluate.learners import as_learner, threads_of
from suffice.model.left_out import left_out_log_densities
from suffice.posterior import log_posterior


def leave_one_out(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> Assessment:
    """The posterior of every row under a model of all other rows, and how good it is.

    A fitted estimator must have learned the rows (perhaps among others); one that is not fitted is, as a copy. Nothing is
    fitted again: each family knows in closed form, or works out for each distinct row, what its densities would be without
    the row. The answers are those of as many fits as there are rows.

    >>> from suffice import GaussianNB
    >>> from sklearn.datasets import load_iris
    >>> print(leave_one_out(GaussianNB(), *load_iris(return_X_y=True)))
    150 rows of 3 classes: log-loss 0.1330 ± 0.0475, Brier score 0.0742 ± 0.0259, accuracy 0.9533 ± 0.0172
    """
    learner = as_learner(estimator)
    if not hasattr(learner, "model_"):
        learner.fit(X, y, sample_weight)
    rows, model = learner.labelled(X, y, sample_weight), learner.model_
    unknown = [c for c in rows.labels.classes if c not in model.classes]
    if unknown:
        raise DataError(f"Class {unknown[0]!r} was never learned", "only rows that were learned can be left out")
    if model.blend is not None:
        raise ParameterError(
            "The model has fitted weights",
            "a row cannot be left out of them without fitting them again",
            "Use cross_validate, which does",
        )
    threads = threads_of(learner)
    prior, parts = left_out_log_densities(model, rows.table, rows.labels, rows.weight, threads)
    joint = prior + parts.sum(axis=0)
    impossible = np.isneginf(joint).all(axis=1)
    joint[impossible] = prior[impossible]  # as everywhere, such a row says nothing about its class
    place = np.array([model.classes.index(c) for c in rows.labels.classes], dtype=np.int32)
    return Assessment(
        model.classes, log_posterior(joint, model.log_prior, threads), place[rows.labels.codes], rows.weight
    )
