"""Least squares as a classifier and as a regression, against scikit-learn and the textbooks' closed forms."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.linear_model import BayesianRidge, LinearRegression, Ridge

from suffice.errors import DataError, ForgetError, MergeError, ParameterError
from suffice.linear_model import LeastSquaresClassifier, LinearGaussianRegressor


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_one_hot_regression(load, alpha):
    X, y = load(return_X_y=True)
    model = LeastSquaresClassifier(alpha=alpha).fit(X, y)
    line = (Ridge(alpha=alpha) if alpha else LinearRegression()).fit(X, np.eye(3)[y])
    np.testing.assert_allclose(model.coef_, line.coef_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.fitted_values(X), line.predict(X), atol=1e-8)
    np.testing.assert_allclose(model.fitted_values(X).sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(X), line.predict(X).argmax(axis=1))


def test_it_streams_merges_and_forgets():
    X, y = load_wine(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    whole = LeastSquaresClassifier().fit(X, y)
    streamed = LeastSquaresClassifier().partial_fit(X[:50], y[:50], classes=[0, 1, 2]).partial_fit(X[50:], y[50:])
    merged = LeastSquaresClassifier().fit(X[:90], y[:90]) + LeastSquaresClassifier().fit(X[90:], y[90:])
    less = LeastSquaresClassifier().fit(np.concatenate([X, X[:9]]), np.concatenate([y, y[:9]])).forget(X[:9], y[:9])
    for other in (streamed, merged, less):
        np.testing.assert_allclose(other.fitted_values(X), whole.fitted_values(X), atol=1e-8)


def test_what_has_no_single_solution_has_an_answer(rng):
    x = rng.normal(size=(40, 3))
    y = (x[:, 0] > 0).astype(int)
    for X in (np.column_stack([x, x[:, 0], np.ones(40)]), np.column_stack([x, rng.normal(size=(40, 60))])):
        model = LeastSquaresClassifier().fit(X, y)
        assert np.isfinite(model.coef_).all()
        expected = LinearRegression().fit(X, np.eye(2)[y]).predict(X)
        np.testing.assert_allclose(model.fitted_values(X), expected, atol=1e-8)
    wide = rng.normal(size=(40, 1500))
    np.testing.assert_allclose(LeastSquaresClassifier().fit(wide, y).fitted_values(wide), np.eye(2)[y], atol=1e-8)
    with pytest.raises(ParameterError, match="alpha is -1"):
        LeastSquaresClassifier(alpha=-1).fit(x, y)


# — regression —


@pytest.fixture
def line():
    X, y = load_diabetes(return_X_y=True)
    return X, y


def test_maximum_likelihood(line):
    X, y = line
    model, other = LinearGaussianRegressor().fit(X, y), LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-8)
    assert model.intercept_ == pytest.approx(other.intercept_)
    assert model.sigma_ == pytest.approx(np.sqrt(np.mean((y - other.predict(X)) ** 2)))
    expected = stats.norm.logpdf(y, other.predict(X), model.sigma_)
    np.testing.assert_allclose(model.log_density(X, y), expected)
    mean, deviation = model.predict(X, return_std=True)
    np.testing.assert_allclose(mean, other.predict(X))
    np.testing.assert_allclose(deviation, model.sigma_)


def test_ridge(line):
    X, y = line
    model, other = LinearGaussianRegressor(alpha=0.5).fit(X, y), Ridge(alpha=0.5).fit(X, y)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-8)
    assert model.sigma_ == pytest.approx(np.sqrt(np.mean((y - other.predict(X)) ** 2)))


def test_weights_are_repeated_rows(line, rng):
    X, y = line
    w = rng.integers(1, 4, len(y))
    a = LinearGaussianRegressor().fit(X, y, sample_weight=w)
    b = LinearGaussianRegressor().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(a.coef_, b.coef_)
    assert a.sigma_ == pytest.approx(b.sigma_)


def test_parts_make_the_whole(line):
    X, y = line
    whole = LinearGaussianRegressor().fit(X, y)
    streamed = LinearGaussianRegressor().partial_fit(X[:100], y[:100]).partial_fit(X[100:], y[100:])
    merged = LinearGaussianRegressor().fit(X[:100], y[:100]).merge(LinearGaussianRegressor().fit(X[100:], y[100:]))
    for other in (streamed, merged):
        np.testing.assert_allclose(other.coef_, whole.coef_, rtol=1e-9)
        assert other.sigma_ == pytest.approx(whole.sigma_)
    half = LinearGaussianRegressor().fit(X[:100], y[:100])
    np.testing.assert_allclose(whole.forget(X[100:], y[100:]).coef_, half.coef_, rtol=1e-8)
    with pytest.raises(ForgetError):
        half.forget(X, y)
    with pytest.raises(MergeError, match="One was fitted with 10 columns and the other with 3"):
        half.merge(LinearGaussianRegressor().fit(X[:, :3], y))


def test_intervals_are_the_textbooks(rng):
    x = rng.normal(size=12)
    y = 3 + 2 * x + rng.normal(size=12)
    low, high = LinearGaussianRegressor().fit(x[:, None], y).predict_interval([[0.7]], 0.9)
    fit = stats.linregress(x, y)
    s = np.sqrt(((y - fit.intercept - fit.slope * x) ** 2).sum() / 10)
    half = stats.t.ppf(0.95, 10) * s * np.sqrt(1 + 1 / 12 + (0.7 - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum())
    np.testing.assert_allclose([low[0], high[0]], fit.intercept + 0.7 * fit.slope + np.array([-half, half]))


def test_intervals_hold_what_they_promise(rng):
    inside = []
    for _ in range(400):
        x = rng.normal(size=(9, 2))
        y = x @ [1.0, -2.0] + rng.normal(size=9)
        at = rng.normal(size=(1, 2))
        low, high = LinearGaussianRegressor().fit(x, y).predict_interval(at, 0.8)
        inside.append(low[0] <= at[0] @ [1.0, -2.0] + rng.normal() <= high[0])
    assert abs(np.mean(inside) - 0.8) < 0.08  # four standard errors


def test_with_the_ridge_known_it_is_bayesian_regression(line):
    """The mean of the posterior of w under the same prior, as scikit-learn's BayesianRidge ends up with."""
    X, y = line
    other = BayesianRidge(alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0, tol=1e-12, max_iter=1000).fit(X, y)
    model = LinearGaussianRegressor(alpha=other.lambda_ / other.alpha_).fit(X, y)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-6)


def test_too_few_rows(rng):
    X, y = rng.normal(size=(5, 8)), rng.normal(size=5)
    model = LinearGaussianRegressor().fit(X, y)
    np.testing.assert_allclose(model.predict(X), y)
    with pytest.raises(DataError, match="5 rows for 8 columns"):
        model.predict_interval(X)
    low, high = LinearGaussianRegressor(alpha=1.0).fit(X, y).predict_interval(X)
    assert (low < high).all()
    assert np.isfinite(LinearGaussianRegressor().fit(rng.normal(size=(20, 1400)), rng.normal(size=20)).coef_).all()
