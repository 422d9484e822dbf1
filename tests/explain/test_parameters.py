"""Parameters that are read off a model, and their standard errors: the inverse of the Hessian of the log-likelihood."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris

from families.cases import CASES
from suffice import (
    BayesClassifier,
    Bernoulli,
    BernoulliNB,
    Exponential,
    Gamma,
    Gaussian,
    GaussianNB,
    LinearDiscriminantAnalysis,
    LogNormal,
    MultivariateNormal,
    Poisson,
    QuadraticDiscriminantAnalysis,
    Text,
)
from suffice.cli.parameters import parameters_of


def hessian(f, at):
    h = 1e-4 * np.maximum(np.abs(at), 1e-3)
    d = len(at)
    out = np.empty((d, d))
    for i in range(d):
        for j in range(d):
            e, g = np.eye(d)[i] * h, np.eye(d)[j] * h
            out[i, j] = (f(at + e + g) - f(at + e - g) - f(at - e + g) + f(at - e - g)) / (4 * h[i] * h[j])
    return out


LIKELIHOODS = {
    "Gaussian": (Gaussian(), lambda x, p: stats.norm.logpdf(x, p[0], np.sqrt(p[1])).sum()),
    "LogNormal": (LogNormal(), lambda x, p: stats.norm.logpdf(np.log(x), p[0], np.sqrt(p[1])).sum()),
    "Exponential": (Exponential(), lambda x, p: stats.expon.logpdf(x, scale=1 / p[0]).sum()),
    "Gamma": (Gamma(weight=0.0), lambda x, p: stats.gamma.logpdf(x, p[0], scale=1 / p[1]).sum()),
    "Poisson": (Poisson(), lambda x, p: (np.round(x) * np.log(p[0]) - p[0]).sum()),
    "Bernoulli": (
        Bernoulli(threshold=2.0),
        lambda x, p: ((x > 2) * np.log(p[0]) + (x <= 2) * np.log1p(-p[0])).sum(),
    ),
}


@pytest.mark.parametrize("name", LIKELIHOODS)
def test_maximum_likelihood_and_its_errors(name, rng):
    family, log_likelihood = LIKELIHOODS[name]
    x, y = rng.gamma(3.0, 1.0, 2000), np.arange(2000) % 2
    x = np.round(x) if name == "Poisson" else x
    found = BayesClassifier(family, estimate="mle").fit(x[:, None], y).parameters()
    for klass in (0, 1):
        mine = found[found["class"] == klass]
        value, own = mine["value"].to_numpy(), x[y == klass]
        assert (mine["rows"] == 1000).all()
        inverse = np.linalg.inv(-hessian(lambda p, own=own: log_likelihood(own, p), value))
        np.testing.assert_allclose(mine["error"], np.sqrt(np.diagonal(inverse)), rtol=2e-3)


def test_errors_of_a_covariance_are_those_of_many_samples(rng):
    sigma = np.array([[2.0, 0.6], [0.6, 1.0]])
    drawn = [rng.multivariate_normal([1, -1], sigma, 200) for _ in range(600)]
    each = [np.r_[x.mean(axis=0), np.cov(x.T, bias=True)[[0, 0, 1], [0, 1, 1]]] for x in drawn]
    y = np.zeros(200, dtype=int)
    model = BayesClassifier(MultivariateNormal(), estimate="mle").fit(np.r_[drawn[0], drawn[1]], np.r_[y, y + 1])
    found = model.parameters()
    errors = found[found["class"] == 0].sort_values(["name", "column"])["error"].to_numpy()
    spread = np.std(each, axis=0)
    expected = np.array([spread[3], spread[0], spread[1], spread[2], spread[4]])  # covariance, mu, mu, sigma2, sigma2
    np.testing.assert_allclose(errors, expected, rtol=0.25)


@pytest.mark.parametrize(
    ("family", "free"),
    [
        (MultivariateNormal(), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]),
        (MultivariateNormal(pattern=[(1, 0), (1, 2)]), [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]),
        (MultivariateNormal("diagonal"), [(0, 0), (1, 1), (2, 2)]),
        (MultivariateNormal("spherical"), [(0, 0), (1, 1), (2, 2)]),
    ],
    ids=repr,
)
def test_errors_of_a_constrained_covariance_are_those_of_its_own_parameters(family, free, rng):
    """The Hessian of E log N(x; 0, Σ) by the entries that are free, at the Σ that rows have; the others are no parameters."""
    x = rng.multivariate_normal([0, 0, 0], [[2, 0.9, 0], [0.9, 1, 0.5], [0, 0.5, 1.5]], 400)
    found = BayesClassifier(family, estimate="mle").fit(x, np.arange(400) % 2).parameters()
    mine = found[(found["class"] == 0) & (found["name"] != "mu")]
    value = mine["value"].to_numpy()
    names = ["sigma2" if i == j else f"covariance with column {j + 1} of the block" for i, j in free]
    assert mine["name"].tolist() == names
    assert mine["column"].tolist() == [str(i) for i, _ in free]

    def matrix(p):
        out = np.zeros((3, 3))
        for (i, j), v in zip(free, np.broadcast_to(p, len(free)), strict=True):
            out[i, j] = out[j, i] = v
        return out

    at, estimate = (value[:1] if family.covariance == "spherical" else value), matrix(value)

    def expected_log_likelihood(p):
        return -0.5 * (np.linalg.slogdet(matrix(p))[1] + np.trace(np.linalg.solve(matrix(p), estimate)))

    inverse = np.linalg.inv(-200 * hessian(expected_log_likelihood, at))
    np.testing.assert_allclose(mine["error"], np.broadcast_to(np.sqrt(np.diagonal(inverse)), len(free)), rtol=2e-3)


@pytest.mark.parametrize("case", CASES, ids=repr)
@pytest.mark.parametrize("rule", ["mean", "predictive"])
def test_every_family_has_some(case, rule, rng):
    if not case.family.has_rule and rule != "mean":
        pytest.skip("has no rule")
    x, y = case.rows(rng, 200)
    found = BayesClassifier(case.family, estimate=rule).fit(x, y).parameters()
    assert set(found["column"]) == {"0", "1", "2"}
    assert set(found["class"]) == {0, 1, 2}
    assert np.isfinite(found["value"]).all()


@pytest.mark.parametrize("model", ["naive", "additive", "full"])
def test_of_a_table_of_all_kinds(model, rng):
    x = rng.normal(size=1000)
    table = pd.DataFrame({"x": x, "c": np.where(rng.random(1000) < 0.3, "u", "v")})
    y = np.where(x + rng.normal(size=1000) > 0, "b", "a")
    found = BayesClassifier(model=model).fit(table, y).parameters()
    share = found[(found["column"] == "c") & (found["name"] == "theta[u]")].set_index("class")
    for label in "ab":
        expected = np.mean(table["c"][y == label] == "u")
        assert share["value"][label] == pytest.approx(expected, abs=2.5 * share["error"][label] + 0.02)
    masses = found[found["name"].str.startswith("theta") | found["name"].str.startswith("p[")]
    np.testing.assert_allclose(masses.groupby(["column", "class"])["value"].sum(), 1, atol=1e-9)


def test_of_words():
    found = BayesClassifier(Text("bernoulli")).fit(["ab cd", "ab", "cd"] * 4, ["p", "p", "q"] * 4).parameters()
    theta = found.set_index(["column", "class"])["value"]
    assert theta["ab", "p"] == pytest.approx(9 / 10)
    assert theta["ab", "q"] == pytest.approx(1 / 6)


def test_of_a_drop_in():
    X, y = load_iris(return_X_y=True)
    found = BernoulliNB(binarize=2.0).fit(X, y).parameters()
    assert list(found.columns) == ["column", "class", "family", "name", "value", "error", "rows"]
    assert len(found) == 12


@pytest.mark.parametrize(
    "estimator", [GaussianNB(), LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()], ids=repr
)
def test_columns_of_a_frame_have_their_names(estimator, tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    found = estimator.fit(X, y).parameters()
    assert found["column"].unique().tolist() == X.columns.tolist()
    assert estimator.fit(X.to_numpy(), y).parameters()["column"].unique().tolist() == list("0123")
    estimator.fit(X, y).save(tmp_path / "named.model")
    assert {line.column for line in parameters_of(str(tmp_path / "named.model")).parameters} == set(X.columns)
