"""Families and class priors under scikit-learn's searches."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from families.cases import CASES
from suffice import (
    BayesClassifier,
    BayesDecision,
    Categorical,
    Density,
    Dirichlet,
    Empirical,
    Gaussian,
    Given,
    LogNormal,
    MultivariateNormal,
    Text,
    Uniform,
)
from suffice.errors import ParameterError

VALUES = [
    *(case.family for case in CASES),
    Categorical(alpha={"red": 2.0, "blue": 1.0}, levels=["red", "blue"]),
    MultivariateNormal(pattern=[("a", "b")], shrinkage="oas"),
    Text("multinomial", stop_words=["the", "a"], vocabulary={"tea", "milk"}, use_idf=True),
    Dirichlet({"a": 1.0, "b": 2.0}),
    Empirical(),
    Given({"a": 0.2, "b": 0.8}),
    Uniform(),
]


@pytest.fixture
def colours(rng):
    """A thousand rows in which one level is rare and clear, so that smoothing matters."""
    y = rng.integers(0, 2, 1000)
    rare = rng.random((1000, 5)) < 0.02
    return np.where(rare, y[:, None] + 2, rng.integers(0, 2, (1000, 5))), y


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_parameters_make_the_value(value):
    assert value.set_params(**value.get_params(deep=False)) == value
    assert value.set_params(**value.get_params()) == value
    assert clone(value) == value


def test_those_of_parameters_are_listed_under_their_names():
    listed = BayesClassifier(LogNormal(Gaussian(variance=4.0)), prior=Dirichlet(2.0)).get_params()
    assert listed["families__on_log__variance"] == 4.0
    assert listed["prior__alpha"] == 2.0
    assert not any("__" in name for name in BayesClassifier(Gaussian()).get_params(deep=False))


def test_nobody_else_changes():
    shared = Categorical(alpha=1.0)
    one, other = BayesClassifier(shared), BayesClassifier(shared)
    fitted = BayesClassifier(shared).fit({"colour": ["red", "blue"]}, [0, 1])
    one.set_params(families__alpha=3.0)
    assert one.families == Categorical(alpha=3.0)
    assert other.families is shared
    assert shared == Categorical(alpha=1.0)
    assert fitted.model_.blocks[0].family.alpha == 1.0
    kernel = KernelDensity()
    assert Density(kernel).set_params(estimator__bandwidth=2.0).estimator.bandwidth == 2.0
    assert kernel.bandwidth == 1.0


def test_a_search_finds_the_best_smoothing(colours):
    X, y = colours
    alphas, priors = [1e-3, 1.0, 300.0], [1.0, 1e6]
    grid = {"families__alpha": alphas, "prior__alpha": priors}
    model = BayesClassifier(Categorical(), prior=Dirichlet())
    search = GridSearchCV(model, grid, scoring="neg_log_loss", cv=5).fit(X, y)
    by_hand = {
        (a, p): cross_val_score(
            BayesClassifier(Categorical(a), prior=Dirichlet(p)), X, y, scoring="neg_log_loss", cv=5
        ).mean()
        for a in alphas
        for p in priors
    }
    found = search.cv_results_
    for params, score in zip(found["params"], found["mean_test_score"], strict=True):
        assert score == pytest.approx(by_hand[params["families__alpha"], params["prior__alpha"]], rel=1e-12)
    assert search.best_estimator_.families == Categorical(search.best_params_["families__alpha"])
    assert model.families == Categorical()


def test_a_search_reaches_an_outside_density():
    X, y = load_iris(return_X_y=True)
    grid = {"families__estimator__bandwidth": [0.05, 0.3, 5.0]}
    search = GridSearchCV(BayesClassifier(Density(KernelDensity())), grid, scoring="neg_log_loss").fit(X, y)
    assert search.best_params_ == {"families__estimator__bandwidth": 0.3}


def test_inside_of_others():
    inner = BayesClassifier(Gaussian())
    outer = BayesDecision(make_pipeline(FunctionTransformer(), inner))
    outer.set_params(estimator__bayesclassifier__families__variance=2.0)
    assert inner.families == Gaussian(variance=2.0)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"families__alfa": 1.0}, "Categorical has no parameter 'alfa'; its parameters are 'alpha', 'levels'"),
        ({"families__alpha": -1.0}, "alpha"),
        ({"prior__alpha": 1.0}, "prior__alpha is to be set, but prior is None"),
        ({"families__alpha__beta": 1.0}, "alpha__beta is to be set, but alpha is 1.0"),
    ],
)
def test_what_cannot_be_set_is_refused_and_nothing_changes(params, message):
    model = BayesClassifier(Categorical())
    before = model.get_params()
    with pytest.raises(ParameterError, match=message):
        model.set_params(n_jobs=1, **params)
    assert model.get_params() == before


def test_unknown_names_are_refused_in_the_words_of_scikit_learn():
    with pytest.raises(ValueError, match="Invalid parameter 'family' for estimator BayesClassifier"):
        BayesClassifier(Categorical()).set_params(family__alpha=1.0)
