"""Models of densities whose parameters are given, beside scipy's densities."""

import numpy as np
import pytest
from scipy import stats

from suffice import (
    BayesClassifier,
    Bernoulli,
    Categorical,
    Exponential,
    Gamma,
    Gaussian,
    MultivariateNormal,
    Poisson,
    load,
)
from suffice.decision import decide
from suffice.errors import DataError, ParameterError
from suffice.plot import DensityDisplay

X = np.array([0.5, 1.0, 2.5, 4.0])
COUNTS = np.array([0, 1, 3, 6])
GIVEN = {
    "gaussian": (Gaussian.given(mean={"a": 1, "b": 2}, sd={"a": 0.5, "b": 3}), X,
                 [stats.norm(1, 0.5).logpdf(X), stats.norm(2, 3).logpdf(X)]),
    "gaussian, one sd": (Gaussian.given(mean={"a": 1, "b": 2}, sd=0.7), X,
                         [stats.norm(1, 0.7).logpdf(X), stats.norm(2, 0.7).logpdf(X)]),
    "poisson": (Poisson.given({"a": 0.5, "b": 3}), COUNTS,
                [stats.poisson(0.5).logpmf(COUNTS), stats.poisson(3).logpmf(COUNTS)]),
    "exponential": (Exponential.given({"a": 0.5, "b": 3}), X, [stats.expon(0, 2).logpdf(X), stats.expon(0, 1 / 3).logpdf(X)]),
    "gamma": (Gamma.given(shape={"a": 0.5, "b": 3}, scale={"a": 2, "b": 1}), X,
              [stats.gamma(0.5, 0, 2).logpdf(X), stats.gamma(3, 0, 1).logpdf(X)]),
    "bernoulli": (Bernoulli.given({"a": 0.25, "b": 0.9}), np.array([0, 1, 1, 0]),
                  [np.log([0.75, 0.25, 0.25, 0.75]), np.log([0.1, 0.9, 0.9, 0.1])]),
}  # fmt: skip


@pytest.mark.parametrize("name", GIVEN)
def test_the_log_joint_is_the_given_density_times_the_prior(name):
    known, x, expected = GIVEN[name]
    model = BayesClassifier.from_densities({"x": known}, prior={"a": 0.3, "b": 0.7})
    joint = np.array(expected).T + np.log([0.3, 0.7])
    np.testing.assert_allclose(model.predict_joint_log_proba({"x": x}), joint, rtol=1e-9, atol=1e-9)


def test_bivariate_normals_of_a_given_covariance():
    covariance = {"a": [[2, 0.8], [0.8, 1]], "b": [[1, -0.3], [-0.3, 0.5]]}
    known = MultivariateNormal.given(mean={"a": [0, 1], "b": [1, -1]}, covariance=covariance)
    rows = np.random.default_rng(0).normal(size=(20, 2))
    expected = np.stack(
        [
            stats.multivariate_normal([0, 1], covariance["a"]).logpdf(rows),
            stats.multivariate_normal([1, -1], covariance["b"]).logpdf(rows),
        ],
        axis=1,
    ) + np.log(0.5)
    of_array = BayesClassifier.from_densities(known)
    np.testing.assert_allclose(of_array.predict_joint_log_proba(rows), expected, rtol=1e-9)
    named = BayesClassifier.from_densities({("u", "v"): known})
    np.testing.assert_allclose(named.predict_joint_log_proba({"u": rows[:, 0], "v": rows[:, 1]}), expected, rtol=1e-9)
    shared = MultivariateNormal.given(mean={"a": [0, 1], "b": [1, -1]}, covariance=np.eye(2))
    nearest = BayesClassifier.from_densities(shared).predict(rows)
    distance = ((rows[:, None] - [[0, 1], [1, -1]]) ** 2).sum(axis=2)
    assert nearest.tolist() == np.array(["a", "b"])[distance.argmin(axis=1)].tolist()


def test_the_blood_test_of_the_course(tmp_path):
    """p(50 | healthy) = .11, p(50 | ill) = .42, prior .8 and .2: p(ill | 50) = .084 / .172."""
    blood = Categorical.given({"healthy": {"50": 0.11, "other": 0.89}, "ill": {"50": 0.42, "other": 0.58}})
    model = BayesClassifier.from_densities({"blood": blood}, prior={"healthy": 0.8, "ill": 0.2})
    p = model.predict_proba({"blood": ["50"]})
    np.testing.assert_allclose(p, [[0.088 / 0.172, 0.084 / 0.172]], rtol=1e-12)
    assert model.predict({"blood": ["50"]}).tolist() == ["healthy"]
    missed = {("ill", "healthy"): 1.05, ("healthy", "ill"): 1.0}
    assert decide(p, missed, classes=model.classes_).actions.tolist() == ["ill"]
    model.save(tmp_path / "blood.suffice")
    np.testing.assert_array_equal(load(tmp_path / "blood.suffice").predict_proba({"blood": ["50"]}), p)
    rows, labels = model.sample(4000, random_state=0)
    assert np.mean([row["blood"] == "50" for row, y in zip(rows, labels, strict=True) if y == "ill"]) == pytest.approx(
        0.42, abs=0.05
    )


def test_what_is_given_is_read_off_explained_and_not_changed_by_rows():
    known = Gaussian.given(mean={"a": 1, "b": 2}, sd={"a": 0.5, "b": 3})
    model = BayesClassifier.from_densities({"x": known, "n": Poisson.given({"a": 0.5, "b": 3})}, prior=[0.4, 0.6])
    at = model.thresholds("x")
    found = model.explain({"x": [2.0], "n": [1]})
    log_p = model.predict_log_proba({"x": [2.0], "n": [1]})[0]
    assert found.prior[0] + found.evidence[0].sum() == pytest.approx(log_p.max() - log_p.min())
    assert len(at) > 0
    before = model.predict_proba({"x": X, "n": COUNTS})
    model.partial_fit({"x": X, "n": COUNTS}, ["a", "b", "a", "b"])
    np.testing.assert_allclose(model.predict_proba({"x": X, "n": COUNTS}), before, rtol=1e-9)


@pytest.mark.parametrize(
    ("wrong", "error", "match"),
    [
        (lambda: Gaussian.given(mean=0, sd=1), ParameterError, "without classes"),
        (lambda: Gaussian.given(mean={"a": 0, "b": 1}, sd={"a": 1}), DataError, "sd of 'a'"),
        (lambda: Gaussian.given(mean={"a": 0, "b": 1}, sd=0), DataError, "sd 0; it must be larger than 0"),
        (lambda: Bernoulli.given({"a": 1.5, "b": 0.1}), DataError, "p 1.5; it must be from 0 to 1"),
        (lambda: Categorical.given({"a": {"u": 0.5}, "b": {"u": 1.0}}), DataError, "add up to 1 in each class"),
        (lambda: MultivariateNormal.given({"a": [0, 0]}, [[1, 2], [2, 1]]), DataError, "smallest eigenvalue -1"),
        (lambda: MultivariateNormal.given({"a": [0, 0]}, [1, 1]), DataError, "covariances of shape"),
        (lambda: BayesClassifier.from_densities({"x": Gaussian()}), ParameterError, "the result of given of a family"),
        (
            lambda: BayesClassifier.from_densities({"x": Poisson.given({"a": 1}), "y": Poisson.given({"b": 1})}),
            DataError,
            "others have densities of 'a'",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_a_parameter_is_refused(wrong, error, match):
    with pytest.raises(error, match=match):
        wrong()


def test_its_picture_is_drawn_over_rows_drawn_from_it():
    known = Gaussian.given(mean={"a": 1, "b": 2}, sd={"a": 0.5, "b": 3})
    model = BayesClassifier.from_densities({"x": known})
    display = DensityDisplay.from_estimator(model, *model.sample(200, random_state=0), column="x")
    expected = [stats.norm(1, 0.5).pdf(display.points), stats.norm(2, 3).pdf(display.points)]
    np.testing.assert_allclose(display.density, np.array(expected).T, rtol=1e-9)
