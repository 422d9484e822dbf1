"""Reliability curve, calibration error and the decomposition of the Brier score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.columns.labels import Label
from suffice.decision import binomial
from suffice.decision.intake import labelled, places
from suffice.errors import ParameterError
from suffice.numerics.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class ReliabilityCurve:
    """Predicted probabilities and observed frequencies in the non-empty bins."""

    predicted: FloatArray
    """Mean predicted probability."""
    observed: FloatArray
    """Observed frequency."""
    low: FloatArray
    """Ends of Clopper and Pearson's 95 % interval for the true frequency."""
    high: FloatArray
    count: IntArray

    @property
    def error(self) -> float:
        """The expected calibration error: the mean over rows of |predicted − observed| in their bin."""
        return float(self.count @ np.abs(self.predicted - self.observed) / self.count.sum())


def reliability(
    posterior: ArrayLike,
    labels: LabelsLike,
    *,
    of: Label = None,
    bins: int | Sequence[float] = 10,
    classes: LabelsLike = None,
) -> ReliabilityCurve:
    """Predicted probability of a class (``of``; by default the most probable one of each row) against its observed frequency.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    of : label or None, default=None
        The class; by default the most probable one of each row.
    bins : int or sequence of float, default=10
        Number of bins of equal width, or their edges.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    ReliabilityCurve
        Mean probability, frequency and rows of each bin.

    Examples
    --------
    >>> curve = reliability([[0.9, 0.1], [0.8, 0.2], [0.85, 0.15], [0.3, 0.7]], [0, 0, 1, 1], bins=[0, 0.75, 1])
    >>> curve.predicted.round(2).tolist(), curve.observed.round(2).tolist(), curve.count.tolist()
    ([0.7, 0.85], [1.0, 0.67], [1, 3])
    """
    p, codes, names = labelled(posterior, labels, classes)
    column = p.argmax(axis=1) if of is None else places([of], names, "There is no class")
    given = p[np.arange(len(p)), column]
    part = _bins(given, bins)
    count = np.bincount(part)
    right = np.asarray(np.bincount(part, weights=codes == column), dtype=np.float64)
    low, high = binomial.interval(right, count.astype(np.float64))
    return ReliabilityCurve(np.bincount(part, weights=given) / count, right / count, low, high, count)


def calibration_error(
    posterior: ArrayLike,
    labels: LabelsLike,
    *,
    of: Label = None,
    bins: int | Sequence[float] = 10,
    classes: LabelsLike = None,
) -> float:
    """The expected calibration error (ECE) of the most probable class, or of one class.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    of : label or None, default=None
        The class; by default the most probable one of each row.
    bins : int or sequence of float, default=10
        Number of bins of equal width, or their edges.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    float
        From 0 to 1.
    """
    return reliability(posterior, labels, of=of, bins=bins, classes=classes).error


@dataclass(frozen=True)
class BrierParts:
    """``score`` = ``reliability`` − ``resolution`` + ``uncertainty`` + ``within``, exactly."""

    score: float
    """The mean of Σ_c (p_c − [class is c])²."""
    reliability: float
    """Mean squared distance of the probabilities from the observed frequencies; smaller is better."""
    resolution: float
    """Variance of the observed frequencies between bins; larger is better."""
    uncertainty: float
    """The score of the best constant prediction."""
    within: float
    """The remainder within bins; zero if all probabilities of each bin are equal."""


def brier_decomposition(
    posterior: ArrayLike, labels: LabelsLike, *, bins: int | Sequence[float] = 10, classes: LabelsLike = None
) -> BrierParts:
    """Murphy's decomposition of the Brier score, summed over the classes.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    bins : int or sequence of float, default=10
        Number of bins of equal width, or their edges.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    BrierParts
        Reliability, resolution, uncertainty and the variance within bins.

    Examples
    --------
    >>> brier_decomposition([[0.9, 0.1], [0.9, 0.1], [0.2, 0.8], [0.2, 0.8]], [0, 1, 1, 1])
    BrierParts(score=0.45, reliability=0.2, resolution=0.125, uncertainty=0.375, within=0.0)
    """
    p, codes, names = labelled(posterior, labels, classes)
    parts = sum(_brier(p[:, c], codes == c, bins) for c in range(len(names)))
    return BrierParts(*np.asarray(parts).round(15).tolist())


def _brier(given: FloatArray, right: Any, bins: int | Sequence[float]) -> FloatArray:
    """Score, reliability, resolution, uncertainty and the rest of one class."""
    part = _bins(given, bins)
    count = np.bincount(part)
    predicted, observed = (np.bincount(part, weights=v) / count for v in (given, right))
    share = count / len(given)
    base = right.mean()
    off, miss = given - predicted[part], right - observed[part]
    return np.array(
        [
            ((given - right) ** 2).mean(),
            share @ (predicted - observed) ** 2,
            share @ (observed - base) ** 2,
            base * (1.0 - base),
            (off * (off - 2.0 * miss)).mean(),
        ]
    )


def _bins(values: FloatArray, bins: int | Sequence[float]) -> IntArray:
    """The index of each value's bin among the non-empty bins. An edge belongs to the bin above it."""
    if isinstance(bins, bool) or (isinstance(bins, (int, np.integer)) and bins < 1):
        raise ParameterError(f"bins is {bins!r}", "it must be a number of at least 1, or increasing edges")
    edges = np.linspace(0.0, 1.0, int(bins) + 1) if isinstance(bins, (int, np.integer)) else np.asarray(bins, float)
    if edges.ndim != 1 or not (np.diff(edges) > 0).all() or not (edges[0] <= 0 and edges[-1] >= 1):
        raise ParameterError(f"bins is {bins!r}", "edges must increase from 0 to 1")
    return np.asarray(np.unique(np.searchsorted(edges[1:-1], values, side="right"), return_inverse=True)[1])
