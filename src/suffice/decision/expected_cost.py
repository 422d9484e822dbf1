"""Costs of actions for labelled rows."""

from typing import Any

import numpy as np

from suffice.columns.inputs import LabelsLike, WeightsLike
from suffice.columns.labels import encode_labels, plain_labels
from suffice.decision.costs import REJECT, Costs, CostsLike, aligned
from suffice.decision.decide import Decision
from suffice.decision.intake import class_codes, label_array
from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray


def expected_cost(
    labels: LabelsLike,
    actions: Any,
    costs: CostsLike = None,
    *,
    classes: LabelsLike = None,
    reject_cost: float | None = None,
    sample_weight: WeightsLike = None,
) -> float:
    """The mean cost of actions (or of a ``Decision``) for labelled rows.

    ``classes`` is the order of the costs' rows if they have no names, by default that of the sorted labels. The cost of a
    rejected row is that of ``REJECT`` in the costs, or ``reject_cost``.

    Parameters
    ----------
    labels : array-like of shape (n_rows,)
        The true classes.
    actions : array-like of shape (n_rows,) or Decision
        The actions.
    costs : array-like, mapping, frame, Costs, Utilities or None, default=None
        As in ``decide``; None is 0-1 loss.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.
    reject_cost : float or None, default=None
        Cost of a rejected row.
    sample_weight : array-like of shape (n_rows,) or None, default=None
        Weights of the rows.

    Returns
    -------
    float
        The mean cost.

    Examples
    --------
    >>> expected_cost(["ill", "well", "well"], ["well", "well", "reject"], {("ill", "well"): 10, ("well", "ill"): 1},
    ...               reject_cost=2)
    4.0
    """
    taken = label_array(actions.actions if isinstance(actions, Decision) else actions)
    names = _classes(labels, taken, costs) if classes is None else label_array(classes)
    table = aligned(costs, names)
    if reject_cost is not None:
        table = _priced(table, reject_cost)
    if REJECT in taken.tolist() and REJECT not in table.actions.tolist():
        raise ParameterError(
            f"{taken.tolist().count(REJECT)} rows were rejected, and the cost of rejection is unknown",
            "it is needed",
            "Give reject_cost, or costs of the action REJECT",
        )
    codes = class_codes(labels, names, len(taken))
    paid = incurred_costs(table, codes, class_codes(taken, table.actions, len(taken)))
    return float(np.average(paid, weights=sample_weight))


def _classes(labels: LabelsLike, taken: AnyArray, costs: CostsLike) -> AnyArray:
    seen = encode_labels(np.ravel(plain_labels(labels))).classes
    return label_array(sorted({*seen, *(a for a in taken.tolist() if a != REJECT)}) if costs is None else seen)


def _priced(table: Costs, price: float) -> Costs:
    column = np.full((*table.values.shape[:-1], 1), price, dtype=np.float64)
    actions = label_array([*table.actions.tolist(), REJECT])
    return aligned(Costs(np.concatenate([table.values, column], axis=-1), actions), table.classes)


def incurred_costs(table: Costs, codes: CodeArray, index: Any) -> FloatArray:
    """The cost of each action, given the true class."""
    if table.values.ndim == 2:
        return np.asarray(table.values[codes, index])
    if len(table.values) != len(codes):
        raise DataError(
            f"There are costs for {len(table.values)} rows and {len(codes)} labels", "one set a row is needed"
        )
    return np.asarray(table.values[np.arange(len(codes)), codes, index])
