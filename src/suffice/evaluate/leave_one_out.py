"""Leave-one-out from one pass: each row is subtracted from the counts and scored by the rest."""

from typing import Any

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.labelled import Labelled
from suffice.errors import DataError
from suffice.evaluate.assessment import Assessment
from suffice.evaluate.learners import Learner, as_learner, threads_of
from suffice.evaluate.weighted_leave_one_out import joint_in_parts, joint_of_kept
from suffice.model import Model
from suffice.model.left_out import left_out_log_densities
from suffice.numerics.arrays import FloatArray
from suffice.posterior import log_posterior


def leave_one_out(estimator: Any, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Assessment:
    """The posterior of every row under a model of all other rows, and its scores.

    A fitted estimator must have learned the rows, possibly among others; of an unfitted one, a copy is fitted to them.

    Textbook models are not refitted: each family computes its densities without the row in closed form, or estimates them for
    each distinct row, and tunes its settings without the row: pseudo-counts, strengths, bins, prefixes, shrinkage, trees. The
    result equals one fit per row, except that the kinds of columns and the grid of number counts are kept.

    Where weights are fitted, as in the default, one more fit serves all rows. Counts, covariances and the bags of forests leave
    out the single row, weights and corrections the fifth that contains it, and the selection of pairs nothing; with few rows,
    everything but the forests is estimated without the fifth. If there are more rows than the model keeps (``keep_rows``),
    they are learned and left out in chunks of about that size.

    Parameters
    ----------
    estimator : classifier
        Fitted to the rows; of an unfitted one, a copy is fitted.
    X : table or array-like of shape (n_rows, n_features)
        The rows.
    y : array-like or column name
        The classes.
    sample_weight : array-like of shape (n_rows,) or None, default=None
        Weights of the rows; rows of weight 0 are only predicted.

    Returns
    -------
    Assessment
        Leave-one-out posteriors and scores.

    Examples
    --------
    >>> from suffice import GaussianNB
    >>> from sklearn.datasets import load_iris
    >>> print(leave_one_out(GaussianNB(), *load_iris(return_X_y=True)))
    150 rows of 3 classes: log-loss 0.1330 ± 0.0475, Brier score 0.0742 ± 0.0259, accuracy 0.9533 ± 0.0172
    """
    learner = as_learner(estimator)
    fresh, threads = not hasattr(learner, "model_"), threads_of(learner)
    rows = learner.labelled(X, y, sample_weight)
    blank = learner.blank_model(rows.table) if fresh else learner.model_
    if blank.fits_weights:
        if not fresh:
            _check_learned(rows, blank)
        model, joint = (joint_in_parts if fresh else joint_of_kept)(blank, rows, threads)
    else:
        model, joint = _textbook(learner.fit(X, y, sample_weight) if fresh else learner, rows, threads)
    posterior = log_posterior(joint, model.log_prior, threads)
    return Assessment(model.classes, posterior, model.places(rows.labels), rows.weight)


def _textbook(learner: Learner, rows: Labelled, threads: int) -> tuple[Model, FloatArray]:
    """The model, and log p(class, row) by a model of all other rows."""
    model = learner.model_
    _check_learned(rows, model)
    prior, parts = left_out_log_densities(model, rows.table, rows.labels, rows.weight, threads)
    joint = prior + parts.sum(axis=0)
    impossible = np.isneginf(joint).all(axis=1)
    joint[impossible] = prior[impossible]  # a row that is impossible in every class has the prior, as in ``posterior``
    return model, joint


def _check_learned(rows: Labelled, model: Model) -> None:
    unknown = [c for c in rows.labels.classes if c not in model.classes]
    if unknown:
        raise DataError(f"Class {unknown[0]!r} was never learned", "only learned rows can be left out")
