"""Where the decision changes along a column: against closed forms, and against what is predicted on a fine grid."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import special
from sklearn.datasets import load_iris

import suffice
from suffice import (
    BayesClassifier,
    Exponential,
    Gamma,
    Gaussian,
    GaussianNB,
    Histogram,
    LogNormal,
    MultivariateNormal,
    Poisson,
)
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


def between(found, points, first):
    """The class that thresholds give each point; ``first`` where there are none."""
    places = np.searchsorted([t.at for t in found], points, side="left")
    return np.array([found[0].below if found else first, *(t.above for t in found)])[places]


AMOUNTS = [Exponential(), Gamma(), LogNormal()]
LINES = [Gaussian(), MultivariateNormal(), MultivariateNormal("tied"), MultivariateNormal("diagonal")]


@pytest.mark.parametrize("estimate", ["mle", "mean", "predictive"])
@pytest.mark.parametrize("family", AMOUNTS + LINES, ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_thresholds_are_all_changes_on_a_dense_grid(family, estimate, seed):
    """Of 2 to 5 classes with unequal priors; some have a spike a thousandth as wide as the others."""
    rng = np.random.default_rng([seed, 7])
    classes = 2 + seed
    width = np.where(np.arange(classes) % 3 == 1, 1e-3, rng.uniform(0.3, 2, classes))
    middle, n = rng.uniform(-2, 2, classes), 40 + 9 * np.arange(classes)
    x, y = rng.normal(np.repeat(middle, n), np.repeat(width, n)), np.repeat(np.arange(classes), n)
    x = np.exp(x) if family in AMOUNTS else x
    model = BayesClassifier(family, estimate=estimate).fit(x[:, None], y)
    found = model.thresholds(0)
    near = x[rng.integers(len(x), size=3000)] * (1 + rng.normal(0, 1e-3, 3000))
    wide = np.exp(rng.uniform(-25, 25, 3000)) * (1 if family in AMOUNTS else rng.choice([-1, 1], 3000))
    points = np.concatenate([near, wide, x])
    predicted = model.predict(points[:, None])
    np.testing.assert_array_equal(between(found, points, predicted[0]), predicted)
    for t in found:  # each is one, to the last digits
        sides = model.predict([[t.at * (1 - 1e-9)], [t.at], [np.nextafter(t.at, np.inf)], [t.at * (1 + 1e-9)]])
        assert {t.below, t.above} <= set(sides)


def test_gammas_cross_where_lambert_says():
    """a log x − b x + c = 0 has the roots −(a/b) W(−(b/a) exp(−c/a)), one for each real branch."""
    shape, scale, prior = np.array([9.0, 2.0]), np.array([0.5, 4.0]), np.array([0.3, 0.7])
    given = Gamma.given(shape=dict(enumerate(shape)), scale=dict(enumerate(scale)))
    model = BayesClassifier.from_densities({"x": given}, prior={0: 0.3, 1: 0.7})
    a, b = shape[0] - shape[1], 1 / scale[0] - 1 / scale[1]
    c = np.diff(special.gammaln(shape) + shape * np.log(scale))[0] + np.log(prior[0] / prior[1])
    roots = [-(a / b) * special.lambertw(-(b / a) * np.exp(-c / a), k).real for k in (0, -1)]
    found = model.thresholds("x")
    assert [t.at for t in found] == pytest.approx(roots, rel=1e-9)
    assert [(t.below, t.above) for t in found] == [(1, 0), (0, 1)]


def test_exponentials_cross_once():
    """λ e^(−λx) of rates 2 and 0.5 at equal priors: x = log 4 / 1.5."""
    model = BayesClassifier.from_densities(
        {"x": Exponential.given(rate={"short": 2.0, "long": 0.5})}, prior={"short": 0.5, "long": 0.5}
    )
    (found,) = model.thresholds("x")
    assert found.at == pytest.approx(np.log(4) / 1.5, rel=1e-12)
    assert (found.below, found.above) == ("short", "long")


@pytest.mark.parametrize("width", [1e-3, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("family", [Gamma(), LogNormal(), MultivariateNormal(), Gaussian()], ids=repr)
def test_a_spike_of_parameters_integrated_out_is_found(family, width):
    """A thousand numbers in a spike among a thousand that are spread out; the spike ends where both are as probable."""
    rng = np.random.default_rng(1)
    x = np.r_[rng.gamma(4.0, 2.0, 1000), 8 * (1 + width * rng.normal(size=1000))]
    model = BayesClassifier(family, estimate="predictive").fit(x[:, None], np.repeat(["wide", "spike"], 1000))
    found = model.thresholds(0)
    inside = [(t, u) for t, u in pairwise(found) if t.at < 8 < u.at]
    assert [(t.below, t.above, u.above) for t, u in inside] == [("wide", "spike", "wide")]
    for t in inside[0]:
        low, high = model.predict_joint_log_proba([[t.at]])[0]
        assert low == pytest.approx(high, abs=1e-3 if width < 1e-9 else 1e-6)


@pytest.mark.parametrize("estimate", ["mle", "mean", "predictive"])
@pytest.mark.parametrize("rates", [(1.0, 1.01), (2.0, 9.0), (0.5, 400.0), (30.0, 30.5)])
def test_counts_change_however_far_out(rates, estimate):
    """With unequal priors two like rates change at a count that no row is near to."""
    rng = np.random.default_rng(2)
    n = np.array([4000, 60])
    x, y = np.concatenate([rng.poisson(r, k) for r, k in zip(rates, n, strict=True)]), np.repeat([0, 1], n)
    model = BayesClassifier(Poisson(), estimate=estimate).fit(x[:, None], y)
    found = model.thresholds(0)
    counts = np.arange(20_000)
    predicted = model.predict(counts[:, None])
    np.testing.assert_array_equal(between([t for t in found if t.at < counts[-1]], counts, predicted[0]), predicted)


def test_classes_alike_have_no_threshold():
    x, y = np.r_[np.arange(1.0, 9), np.arange(1.0, 9)], np.repeat([0, 1], 8)
    for family in [*AMOUNTS, *LINES, Poisson(), Histogram()]:
        for estimate in ("mean", "predictive")[: 1 + family.has_rule]:
            model = BayesClassifier(family, estimate=estimate, prior=[0.4, 0.6]).fit(x[:, None], y)
            assert model.thresholds(0) == ()


@pytest.mark.parametrize(
    ("seed", "scale"),
    [(3, 1.0), (4, 1.0), (6, 1.0), (7, 1.0), (9, 1.0), (13, 1.0), (4, 2.0**-480), (4, 2.0**300), (7, 2.0**480)],
)
@pytest.mark.parametrize("estimate", ["mle", "mean", "predictive"])
@pytest.mark.parametrize("family", [Gaussian(), Exponential()], ids=repr)
def test_one_crossing_is_one_threshold_in_every_unit(family, estimate, seed, scale):
    """Next to it rounding makes now one class and now the other the larger; a power of two rounds nothing."""
    rng = np.random.default_rng(seed)
    x = np.r_[rng.normal(0, 1, 300), rng.normal(1, 0.2, 200), rng.normal(5, 3, 100)]
    x, y = np.exp(x) if family in AMOUNTS else x, np.repeat([0, 1, 2], [300, 200, 100])

    def fitted(unit):
        return BayesClassifier(family, estimate=estimate).fit(unit * x[:, None], y)

    dense = np.linspace(0.01 if family in AMOUNTS else -300, 300, 300_001)
    changes = np.flatnonzero(np.diff(fitted(1.0).predict(dense[:, None])))
    with np.errstate(over="raise"):
        found = np.array([t.at / scale for t in fitted(scale).thresholds(0)])
    assert len(found) == len(changes)
    assert (dense[changes] <= found).all()
    assert (found <= dense[changes + 1]).all()
