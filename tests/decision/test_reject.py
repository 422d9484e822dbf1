"""Refusing to decide: fixed limits, and limits learned from held-out rows."""

import numpy as np
import pytest
from scipy import stats

from suffice.decision import (
    REJECT,
    Chow,
    ConfidenceFloor,
    Costs,
    DensityFloor,
    ErrorBudget,
    Novelty,
    RiskLimit,
    Workload,
    binomial,
    decide,
    learn_reject,
)

POSTERIOR = np.array([[0.9, 0.1, 0.0], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.34, 0.33, 0.33]])


def test_chow():
    decision = decide(POSTERIOR, reject=Chow(0.4))
    assert decision.rejected.tolist() == [False, True, False, True]
    assert decision.risk == pytest.approx([0.1, 0.4, 0.3, 0.4])  # a refused row costs what asking costs


def test_confidence_floor():
    decision = decide(POSTERIOR, reject=ConfidenceFloor(0.5))
    assert decision.rejected.tolist() == [False, False, False, True]
    assert decision.risk == pytest.approx([0.1, 0.5, 0.3, 0.66])  # no price: the risk of what was not done


def test_under_zero_one_costs_chow_is_a_confidence_floor():
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(4), 1000)
    for cost in (0.1, 0.3, 0.6):
        chow, floor = decide(p, reject=Chow(cost)), decide(p, reject=ConfidenceFloor(1 - cost))
        assert np.array_equal(chow.rejected, floor.rejected)
        assert 0 < chow.rejected.mean() < 1


def test_density_floor():
    density = [-3.0, -50.0, -np.inf, -10.0]
    decision = decide(POSTERIOR, reject=DensityFloor(-20.0), log_density=density)
    assert decision.rejected.tolist() == [False, True, True, False]


def test_several_rules_refuse_what_any_of_them_refuses():
    rules = [Chow(0.5), DensityFloor(-20.0)]
    decision = decide(POSTERIOR, reject=rules, log_density=[-30.0, 0.0, 0.0, 0.0])
    assert decision.rejected.tolist() == [True, False, False, True]
    assert decision.risk.tolist() == [0.5, 0.5, pytest.approx(0.3), 0.5]


def test_a_rule_beside_an_action_that_asks():
    costs = Costs([[0, 1, 1, 0.3], [1, 0, 1, 0.3], [1, 1, 0, 0.6]], actions=[0, 1, 2, REJECT])
    decision = decide(POSTERIOR, costs, reject=DensityFloor(-20.0), log_density=[-30.0, 0.0, 0.0, 0.0])
    assert decision.rejected.tolist() == [True, True, False, True]
    assert decision.risk == pytest.approx([0.3, 0.36, 0.3, 0.3 * 0.67 + 0.6 * 0.33])


def test_asking_may_stand_anywhere_among_the_actions():
    costs = Costs([[9, 0.2, 0], [0, 0.2, 9]], actions=["left", REJECT, "right"])
    decision = decide([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]], costs)
    assert decision.actions.tolist() == ["left", REJECT, "right"]
    assert decision.index.tolist() == [0, -1, 1]
    assert decision.names.tolist() == ["left", "right"]


def test_a_class_may_be_called_reject_as_long_as_nothing_is_refused():
    loans = ["accept", "reject"]
    assert decide([[0.2, 0.8]], classes=loans).actions.tolist() == ["reject"]
    assert decide([[0.2, 0.8]], classes=loans).rejected.tolist() == [False]


@pytest.mark.parametrize(("n", "p"), [(1, 0.3), (17, 0.05), (200, 0.5), (999, 0.01)])
def test_binomial_against_scipy(n, p):
    k = np.arange(n + 1)
    assert binomial.at_most(k, np.full(n + 1, n), p) == pytest.approx(stats.binom.cdf(k, n, p), rel=1e-9, abs=1e-300)
    low, high = binomial.interval(k.astype(float), np.full(n + 1, float(n)))
    for i in {0, n // 2, n}:
        exact = stats.binomtest(i, n).proportion_ci(0.95, "exact")
        assert (low[i], high[i]) == pytest.approx((exact.low, exact.high), rel=1e-9)


@pytest.mark.parametrize(
    ("n", "share", "delta"), [(58, 0.05, 0.05), (59, 0.05, 0.05), (500, 0.1, 0.01), (20, 0.5, 0.1)]
)
def test_tolerance_rank(n, share, delta):
    """The r-th smallest of n uniforms has a Beta(r + 1, n − r) distribution."""
    rank = binomial.tolerance_rank(n, share, delta)
    if rank < n:
        assert stats.beta.cdf(1 - share, rank + 1, n - rank) <= delta
    if rank > 0:
        assert stats.beta.cdf(1 - share, rank, n - rank + 1) > delta


def held_out(n, rng, classes=3):
    p = rng.dirichlet(np.full(classes, 0.5), n)
    return p, (p.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)


def test_workload(rng):
    p, y = held_out(2000, rng)
    rule = learn_reject(Workload(0.1), p, y)
    assert isinstance(rule, RiskLimit)
    asked = decide(p, reject=rule).rejected
    assert 0.08 < asked.mean() <= 0.1
    assert (1 - p.max(axis=1))[asked].min() > (1 - p.max(axis=1))[~asked].max()


def test_workload_with_too_few_rows_asks_nobody(rng):
    p, y = held_out(58, rng)
    assert learn_reject(Workload(0.05), p, y) == RiskLimit(np.inf)
    assert not decide(p, reject=RiskLimit(np.inf)).rejected.any()


def test_workload_when_all_rows_are_alike():
    p = np.tile([0.6, 0.4], (500, 1))
    rule = learn_reject(Workload(0.05), p, np.arange(500) % 2)
    assert not decide(p, reject=rule).rejected.any()


def test_error_budget(rng):
    """Where posteriors are true, the best that could be done is known: decide while the mean risk stays within the budget."""
    p, y = held_out(20_000, rng, classes=2)
    decision = decide(p, reject=learn_reject(ErrorBudget(0.1), p, y))
    assert 0.08 < (decision.index != y)[~decision.rejected].mean() < 0.1
    within = np.cumsum(np.sort(1 - p.max(axis=1))) / np.arange(1, 20_001) <= 0.1
    assert 0.85 * within.mean() < 1 - decision.rejected.mean() < within.mean()


def test_error_budget_that_everything_meets(rng):
    y = rng.integers(0, 2, 1000)
    p = np.where(y[:, None] == [0, 1], 0.8, 0.2)
    assert learn_reject(ErrorBudget(0.05), p, y) == RiskLimit(np.inf)


def test_error_budget_needs_a_number_of_rows():
    """Without an error in n rows the tail is 0.99ⁿ, tested at δ / 4."""
    for n, limit in ((436, -np.inf), (437, np.inf)):
        assert learn_reject(ErrorBudget(0.01), np.tile([0.9, 0.1], (n, 1)), np.zeros(n, int)) == RiskLimit(limit)


def test_error_budget_that_cannot_be_shown_to_be_met(rng):
    p, y = held_out(100, rng)
    rule = learn_reject(ErrorBudget(0.01), p, y)
    assert rule == RiskLimit(-np.inf)
    assert decide(p, reject=rule).rejected.all()


def test_error_budget_survives_one_bad_row_among_the_surest(rng):
    """A single walk from the strictest limit would end at once."""
    n = 4000
    p1 = np.linspace(0.5, 1.0, n)
    y = (rng.random(n) < np.where(p1 > 0.75, 1.0, 0.6)).astype(int)
    y[-1] = 0
    rule = learn_reject(ErrorBudget(0.01), np.column_stack([1 - p1, p1]), y)
    assert 0.2 < rule.most < 0.26


def test_an_error_is_an_action_that_another_would_have_undercut(rng):
    """Actions need not be classes: here the third is right for the first two classes alike."""
    costs = [[0, 1, 0, 5], [1, 0, 0, 5], [1, 1, 4, 0]]
    p, y = held_out(3000, rng)
    rule = learn_reject(ErrorBudget(0.1), p, y, costs)
    decision = decide(p, costs, reject=rule)
    paid = np.asarray(costs)[y[~decision.rejected], decision.index[~decision.rejected]]
    assert (paid > 0).mean() < 0.1
    assert 0 < decision.rejected.mean() < 1


def test_novelty(rng):
    p, y = held_out(1000, rng)
    density = rng.normal(-10, 2, 1000)
    rule = learn_reject(Novelty(0.05), p, y, log_density=density)
    assert isinstance(rule, DensityFloor)
    refused = decide(p, reject=rule, log_density=density).rejected
    assert 0.03 < refused.mean() <= 0.05
    assert decide(p[:1], reject=rule, log_density=[-100.0]).rejected.all()


def test_rules_with_a_limit_have_nothing_to_learn(rng):
    p, y = held_out(10, rng)
    assert learn_reject(Chow(0.3), p, y) == Chow(0.3)
