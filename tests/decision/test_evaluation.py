"""What decisions cost, on labelled rows."""

import numpy as np
import pytest
from sklearn.metrics import roc_curve

from suffice.decision import REJECT, Chow, Costs, cost_curve, decide, expected_cost, risk_coverage


@pytest.fixture
def rows(rng):
    p = rng.dirichlet([0.6, 0.3], 2000)
    return p, (rng.random(2000) < p[:, 1]).astype(int)


def test_expected_cost():
    costs = {("ill", "treat"): 1, ("ill", "home"): 20, ("well", "treat"): 5, ("well", "home"): 0}
    labels, actions = ["ill", "ill", "well", "well"], ["treat", "home", "treat", "home"]
    assert expected_cost(labels, actions, costs) == pytest.approx(26 / 4)
    assert expected_cost(labels, actions, costs, sample_weight=[0, 0, 1, 3]) == pytest.approx(5 / 4)
    assert expected_cost(labels, [*actions[:3], REJECT], costs, reject_cost=2) == pytest.approx(28 / 4)
    assert expected_cost([0, 1, 1], [0, 1, 0]) == pytest.approx(1 / 3)  # 0-1: the share of errors
    assert expected_cost([0, 1, 1], [0, 2, 1]) == pytest.approx(
        1 / 3
    )  # an answer that is no label is an error like others
    named = Costs([[0, 4, 1], [9, 0, 2]], actions=[0, 1, REJECT])
    assert expected_cost([0, 1, 1], [1, REJECT, 0], named) == pytest.approx(15 / 3)


def test_expected_cost_of_every_row_its_own():
    amounts = np.array([10.0, 200.0, 30.0])
    costs = {("bad", "pay"): amounts, ("bad", "stop"): 0, ("good", "pay"): 0, ("good", "stop"): 7}
    assert expected_cost(["bad", "bad", "good"], ["pay", "stop", "stop"], costs) == pytest.approx(17 / 3)


def test_where_posteriors_are_true_the_risk_is_the_mean_cost(rng):
    p = rng.dirichlet(np.ones(3), 100_000)
    y = (p.cumsum(axis=1) > rng.random((100_000, 1))).argmax(axis=1)
    costs = rng.random((3, 4))
    decision = decide(p, costs, reject=Chow(0.3))
    paid = expected_cost(y, decision.actions, costs, classes=[0, 1, 2], reject_cost=0.3)
    assert paid == pytest.approx(decision.risk.mean(), abs=0.003)
    assert expected_cost(y, decision, costs, classes=[0, 1, 2], reject_cost=0.3) == paid


def test_risk_coverage(rows):
    p, y = rows
    curve = risk_coverage(p, y)
    assert (np.diff(curve.coverage) > 0).all()
    assert curve.coverage[-1] == 1.0
    assert curve.cost[-1] == pytest.approx((p.argmax(axis=1) != y).mean())
    for place in (100, 700, 1500):  # each point is what refusing beyond its threshold gives
        decided = ~decide(p, reject=Chow(curve.threshold[place])).rejected
        assert decided.mean() == pytest.approx(curve.coverage[place])
        assert (p.argmax(axis=1) != y)[decided].mean() == pytest.approx(curve.cost[place])
    assert curve.area < curve.cost[-1]  # refusing the riskiest helps
    assert curve.area == pytest.approx(curve.cost.mean(), rel=1e-9)  # no ties here: every row is a step


def test_risk_coverage_under_costs(rows):
    p, y = rows
    costs = [[0.0, 1.0], [5.0, 0.0]]
    curve = risk_coverage(p, y, costs)
    assert curve.cost[-1] == pytest.approx(expected_cost(y, decide(p, costs).actions, costs))


def test_rows_of_equal_risk_are_decided_together():
    curve = risk_coverage([[0.8, 0.2]] * 3 + [[0.4, 0.6]], [0, 1, 0, 1])
    assert curve.coverage.tolist() == [0.75, 1.0]
    assert curve.cost == pytest.approx([1 / 3, 1 / 4])


def test_cost_curve(rows):
    """At every weight: the cost of the decision under costs and prior that amount to it; never better than hindsight."""
    p, y = rows
    curve = cost_curve(p, y, of=1, points=21)
    share = y.mean()
    for weight, cost in zip(curve.weight[1:-1], curve.cost[1:-1], strict=True):
        costs = np.array([[0.0, (1 - weight) / (1 - share)], [weight / share, 0.0]])
        assert cost == pytest.approx(expected_cost(y, decide(p, costs).actions, costs), abs=1e-12)
    assert (curve.best <= curve.cost + 1e-12).all()
    assert (curve.best <= curve.trivial + 1e-12).all()
    false_positive_rate, hits, _ = roc_curve(y, p[:, 1], drop_intermediate=False)
    hull = (curve.weight[:, None] * (1 - hits) + (1 - curve.weight[:, None]) * false_positive_rate).min(axis=1)
    assert curve.best == pytest.approx(hull)
