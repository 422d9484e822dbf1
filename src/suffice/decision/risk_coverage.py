"""Risk-coverage curves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.decision.costs import CostsLike, aligned
from suffice.decision.decide import least_risk
from suffice.decision.expected_cost import incurred_costs
from suffice.decision.intake import labelled
from suffice.numerics.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """Coverage and mean cost of the decided rows, if only rows up to a risk are decided."""

    threshold: FloatArray
    """The highest risk of a decided row."""
    coverage: FloatArray
    """The share of rows decided."""
    cost: FloatArray
    """The mean cost of the decided rows; under 0-1 costs, their error rate."""

    @property
    def area(self) -> float:
        """The area under the curve: the mean cost over all coverages."""
        return float(self.cost @ np.diff(self.coverage, prepend=0.0))


def risk_coverage(
    posterior: ArrayLike, labels: LabelsLike, costs: CostsLike = None, *, classes: LabelsLike = None
) -> RiskCoverage:
    """The mean cost of labelled rows by coverage, the rows of highest risk being rejected.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    costs : array-like, mapping, frame, Costs, Utilities or None, default=None
        As in ``decide``; None is 0-1 loss.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    RiskCoverage
        Risk at each coverage.

    Examples
    --------
    >>> curve = risk_coverage([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.4, 0.6]], [0, 1, 1, 1])
    >>> curve.coverage.tolist(), curve.cost.round(2).tolist()
    ([0.25, 0.5, 1.0], [0.0, 0.0, 0.25])
    """
    p, codes, names = labelled(posterior, labels, classes)
    table = aligned(costs, names)
    index, risk = least_risk(p, table.values)
    order = np.argsort(risk, kind="stable")
    total = np.cumsum(incurred_costs(table, codes, index)[order])
    last = np.flatnonzero(np.append(np.diff(risk[order]) > 0, True))  # rows of equal risk are decided together
    return RiskCoverage(risk[order][last], (last + 1) / len(p), total[last] / (last + 1))
