"""What changed between two models, against closed forms."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from suffice import BayesClassifier, Categorical, Exponential, Gamma, Gaussian, GaussianNB, MultivariateNormal, Poisson
from suffice.evaluate import difference


def _js(p, q):
    m = (p + q) / 2
    return 0.5 * (np.sum(stats.entropy(p, m)) + np.sum(stats.entropy(q, m)))


def test_normals_by_quadrature(rng):
    y = rng.integers(0, 2, 1500)
    X = rng.normal(size=(1500, 1)) + y[:, None]
    one, other = GaussianNB().fit(X, y), GaussianNB().fit(3 * X - 1, y)
    found = one.difference(other).columns[0]
    assert not found.exact
    for c in (0, 1):
        p, q = (stats.norm(m.theta_[c, 0], np.sqrt(m.var_[c, 0])) for m in (one, other))

        def half(x, p=p, q=q):
            a, b = p.pdf(x), q.pdf(x)
            return sum(0.5 * v * np.log(v / ((a + b) / 2)) if v > 0 else 0.0 for v in (a, b))

        assert found.divergence[c] == pytest.approx(integrate.quad(half, -30, 30, limit=500)[0], abs=1e-8)


def test_levels_are_summed(rng):
    y = rng.integers(0, 3, 1200)
    levels = np.array(["red", "green", "blue", "black"])
    before = pd.DataFrame({"colour": levels[rng.integers(0, 3, 1200)]})
    after = pd.DataFrame({"colour": levels[rng.integers(1, 4, 1200)]})
    rule = {"families": Categorical(alpha=0), "estimate": "mle"}
    found = BayesClassifier(**rule).fit(before, y).difference(BayesClassifier(**rule).fit(after, y)).columns[0]
    assert found.exact
    assert (found.levels_added, found.levels_removed) == (("black",), ("red",))
    for c in range(3):
        p, q = (np.array([np.mean(t.colour[y == c] == v) for v in levels]) for t in (before, after))
        assert found.divergence[c] == pytest.approx(_js(p, q), abs=1e-12)


@pytest.mark.parametrize("model", [None, "additive", "weighted", "naive"])
def test_a_model_is_no_different_from_itself_and_columns_that_moved_come_first(rng, model):
    y = rng.integers(0, 2, 1500)
    X = pd.DataFrame({"a": rng.normal(size=1500) + y, "b": rng.choice(["u", "v"], 1500), "c": rng.gamma(2, 1, 1500)})
    one = BayesClassifier(model=model).fit(X, y)
    same = one.difference(BayesClassifier(model=model).fit(X, y))
    assert max(c.moved for c in same.columns) == 0
    assert all(c.rows[0] == c.rows[1] and c.prior[0] == c.prior[1] for c in same.classes)
    assert all(was == now for was, now in same.parts.values())
    moved = one.difference(BayesClassifier(model=model).fit(X.assign(c=X.c + 1.5), y))
    assert moved.columns[0].name == "c"
    assert moved.columns[0].moved > 5 * moved.columns[1].moved
    assert "column c: moved by" in str(moved)


def test_classes_and_columns_that_come_and_go(rng):
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
    one = BayesClassifier().fit(X, np.arange(300) % 2)
    other = BayesClassifier().fit(X.rename(columns={"b": "d"}), np.arange(300) % 3)
    found = one.difference(other)
    assert [(c.label, c.rows) for c in found.classes] == [(0, (150, 100)), (1, (150, 100)), (2, (None, 100))]
    assert found.classes[2].prior[0] is None
    families = {c.name: c.family for c in found.columns}
    assert families["b"] == ("Histogram", None)
    assert families["d"] == (None, "Histogram")


@pytest.mark.parametrize(
    "family", [Gaussian(), Exponential(), Gamma(), Poisson(), MultivariateNormal()], ids=lambda f: type(f).__name__
)
@pytest.mark.parametrize("rule", ["mean", "predictive"])
def test_the_values_of_a_cell_hold_all_its_mass(rng, family, rule):
    """Before it is normalised: nothing of note lies beyond the nodes."""
    from suffice.model.cells import cell_log_density, cell_values

    y = rng.integers(0, 3, 600)
    X = rng.poisson(4.0 + 3 * y[:, None], (600, 2)) + (0 if isinstance(family, Poisson) else rng.random((600, 2)))
    model = BayesClassifier(family, estimate=rule).fit(X, y).model_
    values, width = cell_values(model, 1).nodes
    mass = np.exp(cell_log_density(model, 1, values) + width[:, None]).sum(axis=0)
    np.testing.assert_allclose(mass, 1.0, atol=1e-8)


def test_texts_are_not_compared(rng):
    rows = [f"{w} and more words {i}" for i, w in enumerate(["cheap pills", "lunch at noon"] * 40)]
    frame = pd.DataFrame({"said": rows, "size": rng.normal(size=80)})
    model = BayesClassifier().fit(frame, np.arange(80) % 2)
    found = {c.name: c for c in difference(model.model_, model.model_).columns}
    assert found["said"].divergence is None
    assert found["size"].divergence == {0: 0.0, 1: 0.0}
