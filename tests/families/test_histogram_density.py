"""The density of a histogram: it integrates to one, falls off beyond the rows, and is what samples are drawn from."""

import numpy as np
import pytest

from suffice import BayesClassifier, BayesDecision, Gaussian, Histogram
from suffice.columns.blocks import Numbers
from suffice.decision import Novelty


def normal(rng):
    x = rng.normal(5, 2, 2000)
    return x, x + rng.normal(size=2000) > 5


def long_tail(rng):
    x = np.r_[np.zeros(1500), np.exp(rng.normal(0, 2, 500))]
    return x, rng.random(2000) < 0.5


def codes(rng, most=300):
    x = rng.choice(rng.permutation(most)[:300], 6000).astype(float)
    return x, rng.random(6000) < 1 / (1 + np.exp(-rng.normal(0, 1.5, most)[x.astype(int)]))


def scattered_codes(rng):
    return codes(rng, 3000)


def integral(density, klass):
    """By rectangles between the points at which it may jump, and by Gauss and Legendre over the tails."""
    (low, high), cells = density.tails[0], np.r_[density.grids[0][0], density.ends[0]]
    jumps = np.unique(np.r_[density.cuts[0], cells, low.edge, high.edge])

    def p(x):
        return np.exp(density.log_density(Numbers(["x"], x[:, None]))[:, klass])

    inside = float(p((jumps[1:] + jumps[:-1]) / 2) @ np.diff(jumps))
    u, w = np.polynomial.legendre.leggauss(200)
    u, w = (u + 1) / 2, w / 2  # x = scale · u / (1 − u)
    beyond = [
        float(p(tail.edge + tail.sign * tail.scale * u / (1 - u)) @ (w * tail.scale / (1 - u) ** 2))
        for tail in (low, high)
    ]
    return inside + sum(beyond)


@pytest.mark.parametrize("table", [normal, long_tail, codes, scattered_codes])
def test_it_integrates_to_one_in_every_class(table, rng):
    x, y = table(rng)
    density = BayesClassifier(Histogram()).fit(x[:, None], y).model_.densities[0]
    for klass in (0, 1):
        assert integral(density, klass) == pytest.approx(1, abs=1e-9)


def test_a_constant_column_has_a_density_too():
    density = BayesClassifier(Histogram()).fit(np.full((20, 1), 3.0), np.arange(20) % 2).model_.densities[0]
    assert integral(density, 0) == pytest.approx(1, abs=1e-9)


def test_beyond_the_rows_odds_stay_and_the_density_falls(rng):
    x, y = normal(rng)
    model = BayesClassifier(Histogram()).fit(x[:, None], y)
    out = x.max() + np.array([0.0, 1.0, 10.0, 1e9, 1e300])
    p = model.predict_proba(out[:, None])
    np.testing.assert_allclose(p, p[:1].repeat(5, axis=0), atol=1e-12)
    assert (np.diff(model.score_samples(out[:, None])) < 0).all()
    assert np.isfinite(model.score_samples(out[:, None])).all()


@pytest.mark.parametrize("family", [Histogram(), Gaussian()], ids=repr)
def test_a_cell_far_out_is_novel(family, rng):
    x = rng.normal(size=(1500, 8))
    y = (x[:, 0] + rng.normal(size=1500) > 0).astype(int)
    model = BayesDecision(BayesClassifier(family), reject=Novelty(0.01), random_state=0).fit(x, y)
    far = x[:300].copy()
    far[:, 3] = 1e9
    assert model.predict(far).tolist() == ["reject"] * 300


@pytest.mark.parametrize("table", [normal, long_tail, codes])
def test_samples_have_the_mass_of_each_bin(table, rng):
    x, y = table(rng)
    model = BayesClassifier(Histogram()).fit(x[:, None], y)
    density = model.model_.densities[0]
    drawn = np.asarray(density.sample(1, 40_000, rng)[0])
    column, start = density.columns[0], density.start
    mass = np.exp(density.table[1, start[0] : start[1]]) * column.counts.sum(axis=0)
    mass /= mass.sum()
    got = np.bincount(np.searchsorted(density.cuts[0], drawn, side="right"), minlength=len(mass)) / len(drawn)
    np.testing.assert_allclose(got, mass, atol=5 * np.sqrt(mass.max() / len(drawn)) + 1e-3)


def test_samples_are_spread_within_their_cell_and_whole_where_rows_are(rng):
    x = np.c_[rng.normal(size=2000), rng.integers(-40, 40, 2000), np.r_[np.zeros(1000), rng.exponential(size=1000)]]
    drawn = BayesClassifier(Histogram()).fit(x, np.arange(2000) % 2).sample(4000, random_state=0)[0]
    assert len(np.unique(drawn[:, 0])) == 4000
    np.testing.assert_array_equal(drawn[:, 1], np.rint(drawn[:, 1]))
    assert np.mean(drawn[:, 2] == 0) == pytest.approx(0.5, abs=0.03)
    assert set(np.unique(x[:, 1])) <= set(np.unique(drawn[:, 1]))
