"""The value of a missing cell, against enumeration and adaptive quadrature."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from suffice import BayesClassifier, Bernoulli, Categorical, CountTable, Gamma, GaussianNB, MultivariateNormal, Poisson
from suffice.decision import REJECT, Costs, decide, value_of, worth_measuring
from suffice.errors import DataError, ParameterError

COSTS = Costs([[0, 2, 7, 0.4], [1, 0, 3, 0.4], [5, 1, 0, 0.4]], actions=[0, 1, 2, REJECT])


def _least(p, costs):
    return (p @ costs).min(axis=1)


@pytest.fixture
def levels(rng):
    y = rng.integers(0, 3, 1200)
    return pd.DataFrame(
        {
            "colour": np.array(["red", "green", "blue"])[(y + rng.integers(0, 2, 1200)) % 3],
            "size": rng.choice(["s", "m", "l"], 1200),
            "shape": np.where((y > 0) ^ (rng.random(1200) < 0.2), "flat", "round"),
        }
    ), y


@pytest.mark.parametrize("costs", [None, COSTS])
def test_levels_by_enumeration(levels, costs):
    X, y = levels
    model = BayesClassifier(model="naive").fit(X, y)
    table = 1 - np.eye(3) if costs is None else costs.values
    table = np.asarray(table, dtype=float)
    row = {"shape": "flat"}
    found = value_of(model, row, costs)
    ask = BayesClassifier(model="naive", missing_columns="marginalise").fit(X, y)
    p = ask.predict_proba([row])
    assert found.risk == pytest.approx(_least(p, table)[0], abs=1e-12)
    assert {c.column for c in found.cells} == {"colour", "size"}
    assert found.cells[0].column == "colour"
    log_joint = ask.predict_joint_log_proba([row])
    for cell in found.cells:
        after = 0.0
        for v in X[cell.column].unique():
            more = [{**row, cell.column: v}]
            share = np.exp(ask.predict_joint_log_proba(more)).sum() / np.exp(log_joint).sum()
            after += share * _least(ask.predict_proba(more), table)[0]
        assert cell.exact
        assert cell.saved == pytest.approx(found.risk - after, abs=1e-12)


@pytest.mark.parametrize("costs", [None, COSTS])
def test_normals_by_adaptive_quadrature(rng, costs):
    y = rng.integers(0, 3, 1500)
    X = rng.normal(size=(1500, 2)) * (1 + y[:, None]) + [0, 2] * y[:, None]
    model = GaussianNB().fit(X, y)
    table = np.asarray(1 - np.eye(3) if costs is None else costs.values, dtype=float)
    found = value_of(model, [[0.7, np.nan]], costs)
    at = stats.norm(model.theta_, np.sqrt(model.var_))
    p = model.class_prior_ * at.pdf([0.7, 0.0])[:, 0]
    p /= p.sum()
    after = integrate.quad(
        lambda x: ((p * at.pdf([0.0, x])[:, 1]) @ table).min(), -40, 40, limit=2000, points=np.linspace(-20, 20, 200)
    )[0]
    (cell,) = found.cells
    assert not cell.exact
    assert cell.saved == pytest.approx((p @ table).min() - after, abs=1e-7)


@pytest.mark.parametrize("family", [Bernoulli(threshold=3.0), CountTable(max_count=9), Poisson()], ids=str)
def test_counts_by_enumeration(rng, family):
    y = rng.integers(0, 2, 1500)
    X = rng.poisson(3.0 + 2 * y[:, None], (1500, 2))
    model = BayesClassifier(family).fit(X, y)
    found = value_of(model, [[4, np.nan]])
    assert found.cells[0].exact
    values = [0, 4] if isinstance(family, Bernoulli) else range(9 if isinstance(family, CountTable) else 80)
    joint = np.exp(model.predict_joint_log_proba([[4, v] for v in values]))
    after = joint.min(axis=1).sum() / joint.sum()  # an error costs one: the smaller of the two
    assert found.cells[0].saved == pytest.approx(found.risk - after, abs=1e-9)


@pytest.mark.parametrize("family", [Gamma(), MultivariateNormal("tied"), MultivariateNormal()], ids=str)
def test_other_continuous_families_on_a_fine_grid(rng, family):
    """Dependence inside a block included: the cell is distributed as the rest of the row has it."""
    y = rng.integers(0, 2, 1500)
    X = rng.gamma(3.0 + 2 * y[:, None], 1.0, (1500, 2))
    X[:, 1] += X[:, 0]
    model = BayesClassifier(family).fit(X, y)
    found = value_of(model, [[4.5, np.nan]])
    x = np.linspace(1e-6 if isinstance(family, Gamma) else -60, 80, 200_001)
    joint = np.exp(model.predict_joint_log_proba(np.column_stack([np.full(len(x), 4.5), x])))
    after = joint.min(axis=1).sum() / joint.sum()
    assert not found.cells[0].exact
    assert found.cells[0].saved == pytest.approx(found.risk - after, abs=1e-6)


def test_nothing_is_saved_where_nothing_can_change(rng):
    y = np.arange(1000) % 2
    X = pd.DataFrame({"tells": y + 0.01 * rng.normal(size=1000), "noise": rng.normal(size=1000)})
    model = BayesClassifier(model="naive").fit(X, y)
    found = value_of(model, {"tells": 1.0})
    assert found.action == 1
    assert found.cells[0].saved == pytest.approx(0, abs=1e-9)
    both = value_of(model, {})
    assert [c.column for c in both.cells] == ["tells", "noise"]
    assert both.cells[0].saved == pytest.approx(0.5, abs=1e-3)
    assert value_of(model, {"tells": 1.0, "noise": 0.0}).cells == ()


def test_refusals(rng, levels):
    X, y = levels
    for model in (None, "additive", "weighted"):
        with pytest.raises(ParameterError, match=r"no distribution of a missing cell\. Fit one with model='naive'"):
            value_of(BayesClassifier(model=model).fit(X, y), {"shape": "flat"})
    naive = BayesClassifier(model="naive").fit(X, y)
    with pytest.raises(DataError, match="There are 2 rows"):
        value_of(naive, X[:2])
    with pytest.raises(ParameterError, match="costs differ by row"):
        value_of(naive, {"shape": "flat"}, np.ones((2, 3, 3)))
    texts = pd.DataFrame({"said": [f"{w} and some more words {i}" for i, w in enumerate(["pills", "lunch"] * 40)]})
    with pytest.raises(ParameterError):
        value_of(BayesClassifier(model="naive").fit(texts, np.arange(80) % 2), {})
    assert value_of(BayesClassifier(Categorical()).fit(X, y), X[:1].assign(size=None)).cells[0].column == "size"


def test_refused_rows_name_the_cell_worth_measuring(levels, rng):
    x, y = levels
    model = BayesClassifier(Categorical()).fit(x, y)
    holes = x.mask(rng.random(x.shape) < 0.4)
    decided = decide(model.predict_proba(holes), COSTS)
    found = worth_measuring(decided, model, holes, COSTS)
    assert 100 < decided.rejected.sum() < len(x)
    named = 0
    for i, cell in enumerate(found):
        row = holes.iloc[i].dropna().to_dict()
        if not decided.rejected[i] or len(row) == 3:
            assert cell is None
        elif i % 7 == 0:
            best = value_of(model, row, COSTS).cells[0]
            assert (cell is None) == (best.saved == 0)
            assert cell is None or cell == best
            named += cell is not None
    assert named > 5
    with pytest.raises(DataError, match="There are 2 rows; 1200 were decided"):
        worth_measuring(decided, model, holes.head(2), COSTS)
    fitted = BayesClassifier().fit(x, y)
    with pytest.raises(ParameterError, match="fitted weights"):
        worth_measuring(decided, fitted, holes, COSTS)
