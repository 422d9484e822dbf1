"""Reject rules whose limit is fitted to held-out rows, with a guarantee for future rows.

The guarantees hold for any classifier. They require that held-out and future rows have the same distribution, and that
neither the classifier nor its calibration was fitted to the held-out rows. ``delta`` is the probability, over the draw of
the held-out rows, that a guarantee fails.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.decision import binomial
from suffice.decision.costs import REJECT, Costs, CostsLike, aligned
from suffice.decision.decide import least_risk, log_densities, reject_action
from suffice.decision.expected_cost import incurred_costs
from suffice.decision.intake import check_proportion, labelled
from suffice.decision.reject import RULES, DensityFloor, RejectCase, RiskLimit, as_rules, known_density
from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import BoolArray, FloatArray, IntArray

_STARTS = 4
_MAX_LIMITS = 200
_RISK_ROUNDING = 1e-12  # relative difference of a row's risk between batches


@dataclass(frozen=True)
class Workload:
    """Reject at most ``share`` of the rows, those of highest risk.

    The limit is an order statistic of the held-out risks. With few rows (up to 58 for 5 % at ``delta`` 5 %) no limit is
    guaranteed to be high enough, and no row is rejected.
    """

    share: float
    delta: float = 0.05

    def __post_init__(self) -> None:
        _check(self, "share", "delta")

    def learn(self, case: RejectCase, wrong: BoolArray) -> RiskLimit:
        """The rule with a limit that meets the guarantee, from held-out rows and whether their actions were wrong."""
        return RiskLimit(_tolerance_limit(case.risk, self.share, self.delta))


@dataclass(frozen=True)
class ErrorBudget:
    """Decide as many rows as possible with an error rate of at most ``error``, and reject the others.

    An action is an error if another has a lower cost under the true class. Limits are tested in increasing order, at fixed
    ranks, by the exact binomial tail of the held-out rows below them (fixed-sequence testing); the last limit before a failure
    is selected. There are four sequences with different starts, each at ``delta`` / 4, so that one error among the rows of
    lowest risk does not end all. If no limit passes, every row is rejected: 1 % at ``delta`` 5 % requires at least 437 rows
    without an error.
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
        # given the value at a rank, the rows strictly below it are i.i.d., so ties with it are not counted
        below = np.searchsorted(risk, limits, side="left")
        last = _last_passed(binomial.at_most(errors[below], below, self.error) <= self.delta / _STARTS)
        if last is None:
            return RiskLimit(-np.inf)
        return RiskLimit(float(limits[last] if limits[last] == np.inf else np.nextafter(limits[last], -np.inf)))


@dataclass(frozen=True)
class Novelty:
    """Reject rows with log p(x) below a limit that at most ``share`` of rows distributed as the held-out ones fall below.
    For generative models."""

    share: float
    delta: float = 0.05

    def __post_init__(self) -> None:
        _check(self, "share", "delta")

    def learn(self, case: RejectCase, wrong: BoolArray) -> DensityFloor:
        """The rule with a floor that meets the guarantee, from held-out rows."""
        return DensityFloor(-_tolerance_limit(-known_density(case.log_density), self.share, self.delta))


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
    """The rule with its limit fitted to held-out posteriors and labels. A rule with a fixed limit is returned unchanged.

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
        raise DataError("There are no held-out rows", f"{type(rule).__name__} fits its limit to held-out rows")
    if not isinstance(rule, Novelty) and reject_action(table, may_reject=True) is not None:
        raise ParameterError(
            f"{rule!r} was given with costs of the action {REJECT!r}",
            "rejection has either a cost or a budget",
            "Remove this action from the costs",
        )
    index, risk = least_risk(p, table.values)
    wrong = incurred_costs(table, codes, index) > incurred_costs(table, codes, slice(None)).min(axis=1)
    return rule.learn(RejectCase(p, risk, log_density), wrong)


def _check(rule: object, *names: str) -> None:
    for name in names:
        check_proportion(type(rule).__name__, name, getattr(rule, name))


def _tolerance_limit(values: FloatArray, share: float, delta: float) -> float:
    """A limit that at most ``share`` of future values exceed."""
    rank = binomial.tolerance_rank(len(values), share, delta)
    if rank == len(values):
        return np.inf
    limit = float(np.sort(values)[rank])
    return limit + _RISK_ROUNDING * abs(limit)


def _ranks(n: int, error: float, delta: float) -> IntArray:
    """The tested numbers of decided rows, starting with the smallest that can pass; they depend only on n."""
    fewest = int(np.ceil(np.log(delta) / np.log1p(-error)))
    return np.unique(np.geomspace(min(fewest, n), n, _MAX_LIMITS).round().astype(np.int64))


def _last_passed(passed: BoolArray) -> int | None:
    """The last index reached from any start before the first failure."""
    starts = np.unique(np.linspace(0, len(passed) - 1, _STARTS).astype(np.int64))
    fails = np.append(np.flatnonzero(~passed), len(passed))
    reached = [int(fails[np.searchsorted(fails, start)]) - 1 for start in starts if passed[start]]
    return max(reached, default=None)
