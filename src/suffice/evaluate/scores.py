"""Scores of predictions. ``classes`` are the labels of the columns, in order."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.errors import DataError, quoted
from suffice.evaluate.losses import brier_losses, hits, log_losses
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.posterior import SUM_TOLERANCE


def accuracy(y: LabelsLike, scores: Any, classes: LabelsLike) -> float:
    """Share of the rows whose true class has the highest score; ties go to the first class.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes.
    scores : array-like of shape (n_rows, n_classes)
        Probabilities, or any scores that increase with them.
    classes : sequence of labels
        Names of the columns.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> accuracy(["a", "b"], [[0.9, 0.1], [0.8, 0.2]], ["a", "b"])
    0.5
    """
    codes, table = checked_scores(y, scores, classes)
    return float(hits(codes, table).mean())


def log_loss(y: LabelsLike, posterior: ArrayLike, classes: LabelsLike) -> float:
    """Mean of −log p(true class), in nats; infinite if the true class of a row has probability zero. Takes probabilities, as in
    scikit-learn; ``log_loss_of_logs`` takes their logarithms.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes.
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    classes : sequence of labels
        Names of the columns.

    Returns
    -------
    float
        In nats.

    Examples
    --------
    >>> round(log_loss(["a", "b"], [[0.5, 0.5], [0.25, 0.75]], ["a", "b"]), 4)
    0.4904
    """
    codes, table = checked_scores(y, posterior, classes)
    _check_sums(table, "probabilities", "Pass predict_proba(X), or take log_loss_of_logs for logarithms")
    with np.errstate(divide="ignore"):
        return float(log_losses(codes, np.log(np.minimum(table, 1.0))).mean())


def log_loss_of_logs(y: LabelsLike, log_posterior: Any, classes: LabelsLike) -> float:
    """``log_loss`` of log probabilities, which do not round to zero or one.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes.
    log_posterior : array-like of shape (n_rows, n_classes)
        Log probabilities.
    classes : sequence of labels
        Names of the columns.

    Returns
    -------
    float
        In nats.

    Examples
    --------
    >>> log_loss_of_logs(["a"], [[-1000.0, 0.0]], ["a", "b"])
    1000.0
    """
    codes, table = checked_scores(y, log_posterior, classes)
    with np.errstate(over="ignore"):
        p = np.exp(table)
    _check_sums(p, "log probabilities", "Pass predict_log_proba(X), or take log_loss for probabilities")
    return float(log_losses(codes, table).mean())


def brier_score(y: LabelsLike, posterior: ArrayLike, classes: LabelsLike) -> float:
    """Mean over the rows of the squared distance between the posterior and the truth, from 0 to 2.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes.
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    classes : sequence of labels
        Names of the columns.

    Returns
    -------
    float
        From 0 to 2.

    Examples
    --------
    >>> brier_score(["a", "b"], [[1.0, 0.0], [0.5, 0.5]], ["a", "b"])
    0.25
    """
    codes, table = checked_scores(y, posterior, classes)
    _check_sums(table, "probabilities", "Pass predict_proba(X), or np.exp of log probabilities")
    return float(brier_losses(codes, table).mean())


def pairwise_accuracies(y: LabelsLike, scores: Any, classes: LabelsLike) -> FloatArray:
    """[a, b]: the accuracy between the classes a and b, balanced over both.

    Ties count half; the matrix is symmetric, with ones on the diagonal. If one class of a pair has no rows, the value is that
    of the other; if both have none, it is 0.5.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes.
    scores : array-like of shape (n_rows, n_classes)
        Probabilities, or any scores that increase with them.
    classes : sequence of labels
        Names of the columns.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Symmetric.
    """
    codes, table = checked_scores(y, scores, classes)
    n = table.shape[1]
    wins, seen = np.full((n, n), 0.5), np.bincount(codes, minlength=n) > 0
    for a in np.flatnonzero(seen):
        mine = table[codes == a]
        wins[a] = (mine[:, [a]] > mine).mean(axis=0) + 0.5 * (mine[:, [a]] == mine).mean(axis=0)
    weight = np.where(seen, 1.0, 1e-300)
    out = (weight[:, None] * wins + (weight[:, None] * wins).T) / (weight[:, None] + weight)
    np.fill_diagonal(out, 1.0)
    return np.asarray(out)


def pairwise_accuracy(y: LabelsLike, scores: Any, classes: LabelsLike) -> float:
    """Mean accuracy between two classes, over all pairs of classes; chance level is 0.5 for any number of classes.

    Scores may be probabilities, their logarithms (which have fewer ties) or any increasing function of them.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes.
    scores : array-like of shape (n_rows, n_classes)
        Probabilities, or any scores that increase with them.
    classes : sequence of labels
        Names of the columns.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> pairwise_accuracy(["a", "b", "c"], [[3, 2, 1], [2, 3, 1], [0, 2, 1]], ["a", "b", "c"])
    0.8333333333333334
    """
    table = pairwise_accuracies(y, scores, classes)
    if len(table) < 2:
        raise DataError(f"There is one class, {quoted(list(classes))}", "pairs need two")
    return float(table[np.triu_indices(len(table), 1)].mean())


def _check_sums(p: FloatArray, wanted: str, todo: str) -> None:
    """Raise an error for rows whose probabilities are negative or do not sum to one."""
    total = p.sum(axis=1)
    wrong = np.flatnonzero((p.min(axis=1) < 0) | ~(np.abs(total - 1.0) <= SUM_TOLERANCE))
    if len(wrong):
        row = int(wrong[0])
        raise DataError(
            f"The scores of row {row} are probabilities that sum to {total[row]:.6g} (lowest {p[row].min():.6g}); "
            f"the same holds for {len(wrong)} of {len(p)} rows",
            f"{wanted} of all classes are needed, which sum to one in every row",
            todo,
        )


def checked_scores(y: LabelsLike, scores: Any, classes: LabelsLike) -> tuple[IntArray, FloatArray]:
    """The class code of each row, and the scores, (rows, classes)."""
    table = np.asarray(scores, dtype=np.float64)
    known = {label: i for i, label in enumerate(np.asarray(classes).tolist())}
    labels = np.asarray(y).tolist()
    if table.shape != (len(labels), len(known)) or not labels:
        raise DataError(
            f"The scores have shape {table.shape}",
            f"{len(labels)} labels of {len(known)} classes need as many rows and columns",
        )
    if np.isnan(table).any():
        raise DataError(f"{int(np.isnan(table).any(axis=1).sum())} rows of the scores have NaN", "scores are numbers")
    unknown = sorted({str(v) for v in labels if v not in known})
    if unknown:
        raise DataError(f"The labels include {quoted(unknown)}", f"the classes are {quoted(list(known))}")
    return np.array([known[v] for v in labels], dtype=np.int64), table
