"""The cost of a changed class prior, with and without correction."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.columns.labels import Label
from suffice.decision.costs import Costs, CostsLike, aligned
from suffice.decision.decide import least_risk
from suffice.decision.expected_cost import incurred_costs
from suffice.decision.intake import check_prior, labelled, places
from suffice.decision.priors import correct_priors
from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import CodeArray, FloatArray


@dataclass(frozen=True, eq=False)
class PriorShift:
    """Mean cost by the true prior of one class, with the proportions of the others fixed."""

    prior: FloatArray
    """Prior of the class."""
    corrected: FloatArray
    """Cost of decisions by posteriors corrected to the true prior; under 0-1 costs, the error rate."""
    uncorrected: FloatArray
    """Cost of decisions by uncorrected posteriors."""
    blind: FloatArray
    """Cost of the best constant action under the true prior."""
    trained: float
    """The prior of the class in the posteriors."""


def prior_shift(
    posterior: ArrayLike,
    labels: LabelsLike,
    of: Label,
    trained: Any,
    costs: CostsLike = None,
    *,
    points: int = 99,
    classes: LabelsLike = None,
) -> PriorShift:
    """The mean cost by true prior: labelled rows represent their class, and classes are weighted by the prior.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    of : label
        The class.
    trained : mapping or array-like of shape (n_classes,)
        The prior of the posteriors.
    costs : array-like, mapping, frame, Costs, Utilities or None, default=None
        As in ``decide``; None is 0-1 loss.
    points : int, default=99
        Number of priors.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    PriorShift
        Expected costs by prior, with and without correction.

    Examples
    --------
    >>> p = [[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8]]
    >>> curve = prior_shift(p, [0, 0, 1, 1], of=1, trained=[0.5, 0.5], points=3)
    >>> curve.prior.tolist(), curve.uncorrected.tolist(), curve.corrected.tolist()
    ([0.25, 0.5, 0.75], [0.375, 0.25, 0.125], [0.125, 0.25, 0.125])
    """
    p, codes, names = labelled(posterior, labels, classes)
    place = int(places([of], names, "There is no class")[0])
    before = check_prior("trained", trained, names)
    if not 0 < before[place] < 1:
        raise ParameterError(f"The trained prior of {of!r} is {before[place]:g}", "it must lie between 0 and 1")
    absent = names[(np.bincount(codes, minlength=len(names)) == 0) & (before > 0)]
    if len(absent):
        raise DataError(f"No row has class {absent.tolist()[0]!r}", "every class needs a row")
    table = aligned(costs, names)
    if table.values.ndim != 2:
        raise ParameterError("Costs differ by row", "they must be the same for all rows of a class")
    grid = np.linspace(0.0, 1.0, points + 2)[1:-1]
    true = before * ((1.0 - grid) / (1.0 - before[place]))[:, None]
    true[:, place] = grid
    as_is = _paid(table, codes, p)
    better = np.array([_paid(table, codes, correct_priors(p, before, q)) for q in true])
    return PriorShift(
        grid, (true * better).sum(axis=1), true @ as_is, (true @ table.values).min(axis=1), float(before[place])
    )


def _paid(table: Costs, codes: CodeArray, p: FloatArray) -> FloatArray:
    """The mean cost by class of decisions by these posteriors."""
    cost = incurred_costs(table, codes, least_risk(p, table.values)[0])
    count = np.bincount(codes, minlength=p.shape[1])
    return np.asarray(np.bincount(codes, weights=cost, minlength=p.shape[1]) / np.maximum(count, 1))
