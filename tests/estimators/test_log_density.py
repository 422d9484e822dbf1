"""log p(row) of every model: the mixture of its classes' densities, integrated and drawn from."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_iris

from suffice import BayesClassifier, BayesDecision, Categorical, MultivariateNormal, QuadraticDiscriminantAnalysis
from suffice.decision import Novelty
from suffice.errors import DataError, NoSamplesError, SingularError


@pytest.mark.parametrize("model", ["naive", "weighted", "additive", "full"])
def test_score_samples_integrates_to_one(model, rng):
    x = rng.normal(size=1200)
    y = (x + rng.normal(size=1200) > 0).astype(int)
    fitted = BayesClassifier(model=model).fit(x[:, None], y)
    u = np.linspace(-12, 12, 400_001)
    at = np.sinh(u)
    got = np.trapezoid(np.exp(fitted.score_samples(at[:, None])) * np.cosh(u), u)
    assert got == pytest.approx(1, abs=2e-3)


def skewed(rng, n):
    """Two classes of correlated normals, seen through e^x and x³ + x."""
    y = rng.integers(0, 2, n)
    z = rng.multivariate_normal([0, 0], [[1, 0.87], [0.87, 1]], n) + y[:, None]
    return np.stack([np.exp(z[:, 0]), z[:, 1] ** 3 + z[:, 1]], axis=1), y


def spearman(x):
    ranks = x.argsort(axis=0).argsort(axis=0)
    return np.corrcoef(ranks.T)[0, 1]


@pytest.mark.parametrize("model", ["weighted", "additive", "full"])
def test_what_is_drawn_is_correlated_as_the_rows_are(model, rng):
    x, y = skewed(rng, 1500)
    fitted = BayesClassifier(model=model).fit(x, y)
    drawn, labels = fitted.sample(20_000, random_state=0)
    for c in (0, 1):
        assert spearman(drawn[labels == c]) == pytest.approx(spearman(x[y == c]), abs=0.03)
    assert spearman(drawn) == pytest.approx(spearman(x), abs=0.03)
    for j in (0, 1):
        np.testing.assert_allclose(
            np.quantile(drawn[:, j], [0.1, 0.3, 0.5, 0.7, 0.9]),
            np.quantile(x[:, j], [0.1, 0.3, 0.5, 0.7, 0.9]),
            rtol=0.15, atol=0.1,
        )  # fmt: skip


def test_score_samples_of_two_columns_integrates_to_one_and_has_the_margins_of_its_columns(rng):
    x, y = skewed(rng, 600)
    fitted = BayesClassifier(model="additive").fit(x, y)
    u = np.linspace(-9, 9, 700)
    at, step = np.sinh(u), np.cosh(u)
    plane = np.stack(np.meshgrid(at, at, indexing="ij"), axis=-1).reshape(-1, 2)
    p = np.exp(fitted.score_samples(plane)).reshape(len(u), len(u))
    assert np.trapezoid(np.trapezoid(p * step, u, axis=1) * step, u) == pytest.approx(1, abs=0.02)
    # a missing cell is integrated out
    inside = np.flatnonzero((at > 0.5) & (at < 3))[::20]
    half = np.stack([at[inside], np.full(len(inside), np.nan)], axis=1)
    np.testing.assert_allclose(np.trapezoid(p[inside] * step, u, axis=1), np.exp(fitted.score_samples(half)), rtol=0.02)


def test_the_density_is_the_columns_densities_times_a_gaussian_copula(rng):
    x, y = skewed(rng, 800)
    fitted = BayesClassifier(model="weighted").fit(x, y)
    correlation = fitted.model_.copula.correlation
    alone = fitted.stripped()  # keeps no rows: the columns are independent
    own = np.linspace(0.5, 4, 30)
    rows = np.stack([own, own[::-1]], axis=1)
    marginal = alone.model_.unweighted.log_joint(alone._open(rows, reset=False))
    np.testing.assert_allclose(alone.score_samples(rows), np.logaddexp(*marginal.T), rtol=1e-12)
    joint = np.empty((30, 2))
    for c in (0, 1):
        # F by adding up the density of each column in that class
        z = np.empty((30, 2))
        for j in (0, 1):
            u = np.linspace(-14, 14, 400_001)
            cells = np.full((len(u), 2), np.nan)
            cells[:, j] = np.sinh(u)
            inner = alone.model_.unweighted
            p = np.exp(inner.log_joint(alone._open(cells, reset=False))[:, c] - inner.log_prior[c]) * np.cosh(u)
            f = np.concatenate([[0], np.cumsum((p[1:] + p[:-1]) / 2 * np.diff(u))])
            z[:, j] = stats.norm.ppf(np.interp(rows[:, j], np.sinh(u), f))
        copula = stats.multivariate_normal([0, 0], correlation[c]).logpdf(z) - stats.norm.logpdf(z).sum(axis=1)
        joint[:, c] = marginal[:, c] + copula
    np.testing.assert_allclose(fitted.score_samples(rows), np.logaddexp(*joint.T), rtol=0.02, atol=0.02)


def test_texts_of_the_default_have_no_density():
    texts = ["cheap pills now", "lunch at noon", "cheap watches", "noon then lunch"]
    model = BayesClassifier().fit(texts, [1, 0, 1, 0])
    for refused in (lambda: model.score_samples(texts), lambda: model.sample(3)):
        with pytest.raises(NoSamplesError, match="no density of documents"):
            refused()
    assert len(BayesDecision(BayesClassifier(), cv=2).fit(texts, [1, 0, 1, 0]).predict(texts)) == 4


@pytest.mark.parametrize("model", ["naive", "additive", "full"])
def test_the_joint_is_the_posterior_times_the_density(model):
    X, y = load_breast_cancer(return_X_y=True)
    fitted = BayesClassifier(model=model).fit(X[:400, :6], y[:400])
    joint = fitted.predict_joint_log_proba(X[400:, :6])
    np.testing.assert_allclose(np.logaddexp(*joint.T), fitted.score_samples(X[400:, :6]), rtol=1e-10)
    np.testing.assert_allclose(np.exp(joint - joint.max(axis=1, keepdims=True)).argmax(axis=1),
                               fitted.predict_proba(X[400:, :6]).argmax(axis=1))  # fmt: skip


@pytest.mark.parametrize("model", ["naive", "additive", "full"])
def test_a_cell_far_out_is_novel_to_every_model(model, rng):
    x = rng.normal(size=(1500, 6)) @ rng.normal(size=(6, 6))
    y = (x[:, 0] + rng.normal(size=1500) > 0).astype(int)
    deciding = BayesDecision(BayesClassifier(model=model), reject=Novelty(0.01), random_state=0).fit(x, y)
    far = x[:100].copy()
    far[:, 2] = 1e9
    assert deciding.predict(far).tolist() == ["reject"] * 100
    assert np.mean(deciding.predict(x) == "reject") < 0.02


def test_explanations_of_impossible_rows_add_up():
    rows = [["a", "u"], ["b", "v"], ["a", "u"]]
    model = BayesClassifier(Categorical(), estimate="mle", prior={"p": 0.3, "q": 0.7}).fit(rows, ["p", "q", "p"])
    found = model.explain([["a", "v"], ["a", "u"]])
    log_p = model.predict_log_proba([["a", "v"]])[0]
    assert found.of[0] == model.predict([["a", "v"]])[0] == "q"
    assert found.prior[0] + found.evidence[0].sum() == pytest.approx(log_p[1] - log_p[0])
    assert found.evidence[1].sum() == np.inf


def test_numbers_whose_squares_vanish_are_refused(rng):
    x, y = rng.normal(size=(60, 2)) * 1e-200, np.arange(60) % 2
    with pytest.raises(DataError, match=r"Column 0 has class means .*MultivariateNormal squares.*Rescale"):
        BayesClassifier(MultivariateNormal()).fit(x, y)


def test_a_singular_covariance_is_refused_with_eigenvalue_and_tolerance():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(SingularError, match=r"class 0 .* smallest eigenvalue is [-\d.e]+, and tol is 0\.0001"):
        QuadraticDiscriminantAnalysis().fit(np.c_[X, X[:, 0]], y)
