"""The cost of decisions on one class, for every ratio of the costs of its two errors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.columns.labels import Label
from suffice.decision.intake import labelled, places
from suffice.errors import DataError
from suffice.numerics.arrays import BoolArray, FloatArray


@dataclass(frozen=True, eq=False)
class CostCurve:
    """Normalised expected cost by the weight of false negatives, after Drummond and Holte."""

    weight: FloatArray
    """Prior × cost of false negatives, divided by its sum with prior × cost of false positives."""
    cost: FloatArray
    """Cost of decisions by the posterior corrected to that weight."""
    best: FloatArray
    """Cost of the best threshold in hindsight."""
    trivial: FloatArray
    """Cost of always or of never deciding for the class, whichever is lower."""


def cost_curve(
    posterior: ArrayLike, labels: LabelsLike, of: Label, *, points: int = 101, classes: LabelsLike = None
) -> CostCurve:
    """The cost of decisions on one class, for every prior and every ratio of the costs of its two errors.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    of : label
        The class.
    points : int, default=101
        Number of points of the curve.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    CostCurve
        Normalised expected costs.

    Examples
    --------
    >>> curve = cost_curve([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.2, 0.8]], [0, 1, 0, 1], of=1, points=5)
    >>> curve.weight.tolist(), curve.cost.tolist(), curve.trivial.tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.125, 0.5, 0.125, 0.0], [0.0, 0.25, 0.5, 0.25, 0.0])
    """
    p, codes, names = labelled(posterior, labels, classes)
    place = places([of], names, "There is no class")[0]
    case = codes == place
    share = float(case.mean())
    if not 0 < share < 1:
        raise DataError(f"{int(case.sum())} of {len(case)} labels are {of!r}", "both this and other classes are needed")
    score, weight = p[:, place], np.linspace(0.0, 1.0, points)
    # the threshold on the posterior at this weight of false negatives
    threshold = share * (1.0 - weight) / (share * (1.0 - weight) + (1.0 - share) * weight)
    missed, alarms = _errors(score, case, threshold)
    every_missed, every_alarms = _errors(score, case, np.append(-1.0, np.unique(score)))
    best = (weight[:, None] * every_missed + (1.0 - weight[:, None]) * every_alarms).min(axis=1)
    return CostCurve(weight, weight * missed + (1.0 - weight) * alarms, best, np.minimum(weight, 1.0 - weight))


def _errors(score: FloatArray, case: BoolArray, threshold: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The false negative and false positive rates of the decision ``score > threshold``."""
    cases, others = np.sort(score[case]), np.sort(score[~case])
    missed = np.searchsorted(cases, threshold, side="right") / len(cases)
    return missed, 1.0 - np.searchsorted(others, threshold, side="right") / len(others)
