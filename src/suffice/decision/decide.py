"""The action of lowest risk, R(a | x) = Σ_i costs[i, a] p(i | x), or rejection."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.decision.costs import REJECT, Costs, CostsLike, aligned
from suffice.decision.intake import check_posterior, class_labels, label_array
from suffice.decision.reject import RULES, Chow, RejectCase, as_rules
from suffice.errors import DataError, ParameterError
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray, IntArray
from suffice.numerics.threads import thread_count


@dataclass(frozen=True, eq=False)
class Decision:
    """One action per row."""

    index: IntArray
    """The position of the action in ``names``; −1 for a rejected row."""
    risk: FloatArray
    """The expected cost of the action. For a rejected row, the cost of rejection if given, otherwise that of the best
    action."""
    names: AnyArray
    """The actions in order, without ``REJECT``."""
    may_reject: bool = False
    """Whether a reject rule or a cost of rejection was given."""

    @property
    def may_refuse(self) -> bool:
        """Deprecated name of ``may_reject``."""
        warnings.warn("may_refuse is deprecated: use may_reject.", FutureWarning, stacklevel=2)
        return self.may_reject

    @property
    def rejected(self) -> BoolArray:
        """Which rows were rejected."""
        return self.index < 0

    @property
    def actions(self) -> AnyArray:
        """The actions by name, ``REJECT`` for rejected rows.

        An array of text if all names are text. With numbers as names and a reject rule, it is an array of objects, even if no
        row is rejected.
        """
        if not self.may_reject:
            return np.asarray(self.names.take(self.index))
        return np.asarray(label_array([*self.names.tolist(), REJECT]).take(self.index))  # −1 is the last

    def columns(self) -> dict[str, list[Any]]:
        """Columns for frames and JSON: ``action`` (None if rejected, so that it has one type), ``rejected``, ``risk``."""
        names = [*self.names.tolist(), None]
        return {
            "action": [names[i] for i in self.index.tolist()],
            "rejected": self.rejected.tolist(),
            "risk": self.risk.tolist(),
        }


def decide(
    posterior: ArrayLike,
    costs: CostsLike = None,
    *,
    reject: Any = None,
    classes: LabelsLike = None,
    log_density: Any = None,
) -> Decision:
    """The action of least expected cost for each row; ties go to the first action.

    Parameters
    ----------
    posterior : (rows, classes)
        Posteriors of any classifier, as ``predict_proba`` returns them. The columns of a frame are the classes.
    costs : (classes, actions), (rows, classes, actions), mapping, frame, Costs, Utilities or None, default=None
        ``costs[i, a]`` is the cost of action a under class i. A mapping has keys (class, action), and numbers or arrays by row
        as values; a pandas frame has the classes as its index and the actions as its columns, other frames have the classes in
        their first column. None is 0-1 loss: the actions are the classes, and every error costs one.
    reject : rule, sequence of rules or None, default=None
        Rules that reject rows. Rejected rows have the action ``REJECT``, which may also have costs.
    classes : sequence of labels or None, default=None
        The names of the columns of the posterior, 0, 1, 2, … if not given.
    log_density : (rows,) or None, default=None
        log p(x), for rules that need it.

    Returns
    -------
    Decision
        Actions, their expected costs, and which rows were rejected.

    Examples
    --------
    >>> decision = decide([[0.5116, 0.4884]], {("well", "ill"): 1, ("ill", "well"): 2}, classes=["well", "ill"])
    >>> decision.actions.tolist(), decision.risk.round(4).tolist()
    (['ill'], [0.5116])
    """
    p = check_posterior(posterior)
    labels = class_labels(posterior, classes, p.shape[1])
    table = aligned(costs, labels)
    rules = as_rules(reject, RULES, "Fit its limit by learn_reject first")
    index, risk = least_risk(p, table.values)
    ask = reject_action(table, may_reject=bool(rules))
    if rules:
        case = RejectCase(p, risk, log_densities(log_density, len(p)))
        refused = np.logical_or.reduce([rule.refuses(case) for rule in rules])
        risk = np.where(refused, _price(p, table, ask, rules, risk), risk)
    names = table.actions
    if ask is not None:
        names = np.delete(names, ask)
        index = np.insert(np.arange(len(names)), ask, -1).take(index)  # without a column for rejection
    if rules:
        index = np.where(refused, -1, index)
    return Decision(index, risk, names, may_reject=bool(rules) or ask is not None)


def _price(p: FloatArray, table: Costs, ask: int | None, rules: tuple[Any, ...], otherwise: FloatArray) -> Any:
    """The expected cost of rejection for each row."""
    prices = [rule.cost for rule in rules if isinstance(rule, Chow)]
    if len(prices) + (ask is not None) > 1:
        raise ParameterError(
            "The cost of rejection is given more than once", "it is given in the costs, or by one Chow rule"
        )
    return prices[0] if prices else otherwise if ask is None else (p * table.values[..., ask]).sum(axis=1)


def reject_action(table: Costs, *, may_reject: bool) -> int | None:
    """The index of ``REJECT`` among the actions, None if there is none; an error if a class has this name and rows may
    be rejected."""
    if REJECT not in table.classes.tolist():
        actions = table.actions.tolist()
        return actions.index(REJECT) if REJECT in actions else None
    if may_reject:
        raise ParameterError(
            f"A class is called {REJECT!r}", "that is the name of the reject action", "Rename the class"
        )
    return None


def least_risk(p: FloatArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
    """The index of the action of lowest expected cost for each row, the first one of ties, and its cost."""
    rows = np.arange(len(p))
    if values.ndim == 3:
        if len(values) != len(p):
            raise DataError(
                f"There are costs for {len(values)} rows but posteriors for {len(p)}", "one set a row is needed"
            )
        risks = np.einsum("rc,rca->ra", p, values)
        index = risks.argmin(axis=1)
        return index, risks[rows, index]
    if np.array_equal(values, 1.0 - np.eye(p.shape[1])):
        # probabilities are compared directly, not as sums of the others
        index = kernels.most_probable(p, 0, thread_count())
        return index, np.maximum(1.0 - p[rows, index], 0.0)
    return kernels.least_risk(p, values, thread_count())


def log_densities(log_density: Any, rows: int) -> FloatArray | None:
    if log_density is None:
        return None
    values = np.asarray(log_density, dtype=np.float64)
    if values.shape != (rows,) or np.isnan(values).any():
        raise DataError(
            f"log_density has shape {values.shape} and {int(np.isnan(values).sum())} NaN",
            f"one number for each of the {rows} rows is needed",
        )
    return values
