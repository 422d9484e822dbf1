"""Where the decision changes along a column: against closed forms, and against what is predicted on a fine grid."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import suffice
from suffice import BayesClassifier, Gaussian, GaussianNB, Histogram, LogNormal, MultivariateNormal, Poisson
from suffice.errors import ParameterError


def agree(model, column, found, points):
    """Every class that is predicted along the column is the one between two thresholds."""
    predicted = model.predict(pd.DataFrame({column: points}))
    places = np.searchsorted([t.at for t in found], points, side="left")
    classes = np.array([found[0].below, *(t.above for t in found)])
    np.testing.assert_array_equal(predicted, classes[places])


FAMILIES = [
    (Gaussian(), {}),
    (Gaussian(), {"estimate": "predictive"}),
    (MultivariateNormal(), {}),
    (LogNormal(), {}),
    (Histogram(), {}),
    (None, {"model": "naive"}),
    (None, {"model": "additive"}),
    (None, {}),
]


@pytest.mark.parametrize(("family", "settings"), FAMILIES, ids=str)
def test_what_is_predicted_lies_between_thresholds(family, settings):
    X, y = load_iris(return_X_y=True, as_frame=True)
    column = "petal width (cm)"
    model = BayesClassifier(family, missing_columns="marginalise", **settings).fit(X, y)
    found = model.thresholds(column)
    assert [t.at for t in found] == sorted(t.at for t in found)
    points = np.random.default_rng(0).uniform(0.01, 4, 4000)
    agree(model, column, found, points)


def test_two_normals_by_hand():
    """p(x) σ equal, priors 0.4 and 0.6: x = (μ₁ + μ₂) / 2 + σ² log(0.4 / 0.6) / (μ₂ − μ₁)."""
    x = np.r_[np.array([-1.0, 1.0]) + 0, np.array([-1.0, 1.0]) + 3]
    model = BayesClassifier(Gaussian(), estimate="mle", prior=[0.4, 0.6]).fit(x[:, None], [0, 0, 1, 1])
    (found,) = model.thresholds(0)
    assert found.at == pytest.approx(1.5 + np.log(0.4 / 0.6) / 3, rel=1e-12)
    assert (found.below, found.above) == (0, 1)


def test_a_narrow_spike_is_found():
    rng = np.random.default_rng(0)
    x = np.r_[rng.normal(0, 1, 1000), rng.normal(0.5, 1e-9, 1000)]
    y = np.repeat(["wide", "narrow"], 1000)
    found = BayesClassifier(Gaussian(), estimate="mle").fit(x[:, None], y).thresholds(0)
    assert [(t.below, t.above) for t in found] == [("wide", "narrow"), ("narrow", "wide")]
    assert 0 < found[1].at - found[0].at < 1e-3
    spiked = np.r_[rng.normal(size=3000), np.full(600, 0.25)]
    model = BayesClassifier(Histogram()).fit(spiked[:, None], np.repeat([0, 1], [3000, 600]))
    low, high = (t.at for t in model.thresholds(0))
    assert low < 0.25 <= high
    assert high - low < 0.01


def test_counts_change_between_whole_numbers(rng):
    x, y = np.r_[rng.poisson(2, 500), rng.poisson(9, 500)], np.repeat([0, 1], 500)
    model = BayesClassifier(Poisson()).fit(x[:, None], y)
    (found,) = model.thresholds(0)
    assert found.at == int(found.at)
    assert model.predict([[found.at], [found.at + 1]]).tolist() == [0, 1]


def test_levels_have_none():
    model = BayesClassifier(model="naive").fit([{"c": "u"}, {"c": "v"}] * 5, [0, 1] * 5)
    with pytest.raises(ParameterError, match=r"Column 'c' has levels .* thresholds are numbers"):
        model.thresholds("c")
    with pytest.raises(ParameterError, match="There is no column 'd'"):
        GaussianNB().fit([[0.0], [1.0], [2.0], [3.5]], [0, 0, 1, 1]).thresholds("d")


def test_log_sum_exp_is_public():
    assert suffice.log_sum_exp([[-1000.0, -1000.0], [0.0, -np.inf]]) == pytest.approx([np.log(2) - 1000, 0.0])
