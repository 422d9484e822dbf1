"""Rules that learn their limit from held-out rows, so that a guarantee holds for future rows.

The guarantees hold for any classifier, good or bad. They require only that held-out and future rows have one
distribution, and that neither the classifier nor its calibration has seen the held-out rows. ``delta`` is the
probability, over the draw of the held-out rows, with which a guarantee may fail.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.decision import binomial
from suffice.decision.costs import Costs, CostsLike, aligned
from suffice.decision.decide import asking, least_risk, log_densities
from suffice.decision.expected_cost import incurred
from suffice.decision.intake import check_proportion, labelled
from suffice.decision.reject import RULES, DensityFloor, RejectCase, RiskLimit, as_rules, known_density
from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import BoolArray, FloatArray, IntArray

_STARTS = 4
_MOST_SIZES = 200
_RISK_ROUNDING = 1e-12  # relative: rounding of a row's risk from batch to batch


@dataclass(frozen=True)
class Workload:
    """Ask in at most ``share`` of the cases, those of the greatest risk.

    The limit is an order statistic of the held-out risks. With few rows (up to 58 for 5 % at ``delta`` 5 %) no limit is
    guaranteed to be high enough, and no row is rejected.
    """

    share: float
    delta: float = 0.05

    def __post_init__(self) -> None:
        _check(self, "share", "delta")

    def learn(self, case: RejectCase, wrong: BoolArray) -> RiskLimit:
        """The rule with a limit that meets the guarantee, from held-out rows and whether their actions were wrong."""
        return RiskLimit(_exceeded_by_at_most(case.risk, self.share, self.delta))


@dataclass(frozen=True)
class ErrorBudget:
    """Decide as much as possible while at most ``error`` of the decided cases are wrong; ask in the others.

    An action is wrong if another would have cost less in the true class. Limits are tried from few rows decided to many,
    at ranks fixed beforehand; each is tested by the exact binomial tail among the held-out rows below it, and the last one
    before a failure is taken. To survive one bad row among the surest, that walk is started from four places, each at
    ``delta`` / 4. Where no limit passes, every case goes to people: no error in 437 rows is the least that could show 1 %
    at ``delta`` 5 %.
    """

    error: float
    delta: float = 0.05

    def __post_init__(self) -> None:
        _check(self, "error", "delta")

    def learn(self, case: RejectCase, wrong: BoolArray) -> RiskLimit:
        """The rule with a limit that meets the guarantee, from held-out rows and whether their actions were wrong."""
        order = np.argsort(case.risk, kind="stable")
        risk = np.append(case.risk[order], np.inf)
        errors = np.append(0, np.cumsum(wrong[order]))
        limits = risk[_ranks(len(order), self.error, self.delta / _STARTS)] * (1.0 - _RISK_ROUNDING)
        # given the value at a rank, the rows strictly below it are drawn alike: ties with it are not counted
        below = np.searchsorted(risk, limits, side="left")
        last = _furthest(binomial.at_most(errors[below], below, self.error) <= self.delta / _STARTS)
        if last is None:
            return RiskLimit(-np.inf)
        return RiskLimit(float(limits[last] if limits[last] == np.inf else np.nextafter(limits[last], -np.inf)))


@dataclass(frozen=True)
class Novelty:
    """Ask where log p(x) is below a limit that at most ``share`` of cases like the held-out ones fall below. For
    generative models."""

    share: float
    delta: float = 0.05

    def __post_init__(self) -> None:
        _check(self, "share", "delta")

    def learn(self, case: RejectCase, wrong: BoolArray) -> DensityFloor:
        """The rule with a floor that meets the guarantee, from held-out rows."""
        return DensityFloor(-_exceeded_by_at_most(-known_density(case.log_density), self.share, self.delta))


BUDGETS = (Workload, ErrorBudget, Novelty)


def learn_reject(
    rule: Any,
    posterior: ArrayLike,
    labels: LabelsLike,
    costs: CostsLike = None,
    *,
    classes: LabelsLike = None,
    log_density: Any = None,
) -> Any:
    """The rule with its limit, learned from held-out posteriors and labels. A rule with a fixed limit is returned
    unchanged.

    Parameters
    ----------
    rule : reject rule
        Such as ``ErrorBudget`` or ``Workload``.
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    costs : array-like, mapping, frame, Costs, Utilities or None, default=None
        As in ``decide``; None is 0-1 loss.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.
    log_density : array-like of shape (n_rows,) or None, default=None
        log p(x), for rules that need it.

    Returns
    -------
    reject rule
        The rule with its limit.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(2000)
    >>> sick = rng.random(2000) < p
    >>> rule = learn_reject(ErrorBudget(0.1), np.column_stack([1 - p, p]), sick.astype(int))
    >>> rule  # doctest: +ELLIPSIS
    RiskLimit(most=0.1...)
    """
    as_rules(rule, (*RULES, *BUDGETS))
    p, codes, names = labelled(posterior, labels, classes)
    return learned(rule, p, codes, aligned(costs, names), log_densities(log_density, len(p)))


def learned(rule: Any, p: FloatArray, codes: Any, table: Costs, log_density: FloatArray | None) -> Any:
    """``learn_reject`` for validated input."""
    if not isinstance(rule, BUDGETS):
        return rule
    if not len(p):
        raise DataError("There are no held-out rows", f"{type(rule).__name__} learns its limit from some")
    if not isinstance(rule, Novelty) and asking(table, may_refuse=True) is not None:
        raise ParameterError(
            f"{rule!r} was given beside costs with an action that asks",
            "either asking has a price, or it has a budget",
            "Take that action out of the costs",
        )
    index, risk = least_risk(p, table.values)
    wrong = incurred(table, codes, index) > incurred(table, codes, slice(None)).min(axis=1)
    return rule.learn(RejectCase(p, risk, log_density), wrong)


def _check(rule: object, *names: str) -> None:
    for name in names:
        check_proportion(type(rule).__name__, name, getattr(rule, name))


def _exceeded_by_at_most(values: FloatArray, share: float, delta: float) -> float:
    """A limit above which at most ``share`` of future values lie."""
    rank = binomial.tolerance_rank(len(values), share, delta)
    if rank == len(values):
        return np.inf
    limit = float(np.sort(values)[rank])
    return limit + _RISK_ROUNDING * abs(limit)


def _ranks(n: int, error: float, delta: float) -> IntArray:
    """The numbers of rows to try to decide, the first being the fewest that could pass; they depend on n alone."""
    fewest = int(np.ceil(np.log(delta) / np.log1p(-error)))
    return np.unique(np.geomspace(min(fewest, n), n, _MOST_SIZES).round().astype(np.int64))


def _furthest(passed: BoolArray) -> int | None:
    """The last index reached from any start before the first failure."""
    starts = np.unique(np.linspace(0, len(passed) - 1, _STARTS).astype(np.int64))
    fails = np.append(np.flatnonzero(~passed), len(passed))
    reached = [int(fails[np.searchsorted(fails, start)]) - 1 for start in starts if passed[start]]
    return max(reached, default=None)
