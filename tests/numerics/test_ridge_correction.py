"""A correction against the optimum that scipy finds, and how much of it to believe against scipy's search."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special

from suffice.numerics.ridge_correction import correction_weight, correction_weights, fit_correction


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from([0.01, 1.0, 30.0, 1000.0]))
def test_the_share_is_scipys(seed, classes, size):
    rng = np.random.default_rng(seed)
    y, weight = rng.integers(0, classes, 200).astype(np.int32), rng.random(200)
    said, more = rng.normal(size=(200, classes)), size * rng.normal(size=(200, classes))
    more[np.arange(200), y] += size * rng.normal()

    def loss(beta):
        return beta**2 / 2 - weight @ special.log_softmax(said + beta * more, axis=1)[np.arange(200), y]

    theirs = optimize.minimize_scalar(loss, bounds=(0.0, 3.0), method="bounded", options={"xatol": 1e-6}).x
    assert correction_weight(said, more, y, weight) == pytest.approx(theirs, abs=0.02)


def test_weights_come_from_both_halves_of_the_rows():
    """A stride of two would meet one half only, and so one of the two corrections."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 6_000).astype(np.int32)
    sign = np.where(y == 1, 1.0, -1.0) * np.where(np.arange(len(y)) % 2, 1.0, -1.0)
    correction = np.stack([-sign, sign], axis=1)[None]
    one = np.ones(len(y))
    assert correction_weights(np.zeros((len(y), 2)), correction, y, one)[1][0] == pytest.approx(0.0, abs=0.05)
    assert correction_weights(np.zeros((3_000, 2)), correction[:, 1::2], y[1::2], one[1::2])[1][0] > 1


def scores_of_labels(rng, y, classes, strength):
    """Noise, and the class of the row as much as it is strong."""
    out = rng.normal(size=(len(y), classes))
    out[np.arange(len(y)), y] += strength
    return out


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 4))
def test_weights_are_those_of_any_other_search(seed, classes, count):
    rng = np.random.default_rng(seed)
    y, weight = rng.integers(0, classes, 300).astype(np.int32), rng.random(300)
    offset = scores_of_labels(rng, y, classes, 1.0)
    corrections = np.stack([scores_of_labels(rng, y, classes, rng.normal()) for _ in range(count)])

    def loss(at):
        log_p = special.log_softmax(at[0] * offset + np.tensordot(at[1:], corrections, 1), axis=1)
        apart = at[1:] - at[1:].mean()
        penalty = (at[0] - 1) ** 2 + at[1:].mean() ** 2 + 10 * apart @ apart
        return penalty / 2 - weight @ log_p[np.arange(300), y]

    w, beta = correction_weights(offset, corrections, y, weight)
    bounds = [(0.0, 1.0)] + [(0.0, 3.0)] * count
    theirs = optimize.minimize(loss, np.full(count + 1, 0.5), method="SLSQP", bounds=bounds, options={"ftol": 1e-12})
    np.testing.assert_allclose([w, *beta], theirs.x, atol=2e-3)


def test_a_correction_that_is_noise_loses_its_weight_to_one_that_is_not():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 3_000).astype(np.int32)
    corrections = np.stack([scores_of_labels(rng, y, 3, strength) for strength in (0.0, 1.0)])
    _, (noise, signal) = correction_weights(np.zeros((len(y), 3)), corrections, y, np.ones(len(y)))
    assert noise < 0.1
    assert signal == pytest.approx(1.0, abs=0.1)  # of two normals a unit apart the score is the difference itself


@pytest.mark.parametrize("classes", [2, 4])
def test_a_few_steps_gain_most_of_what_the_optimum_does(classes):
    rng = np.random.default_rng(3)
    n, width, ridge = 1_500, 60, 0.5
    x = sp.random_array((n, width), density=0.2, random_state=rng, format="csr")
    x = sp.csr_array((x.data, x.indices.astype(np.int32), x.indptr.astype(np.int64)), x.shape)
    offset = rng.normal(size=(n, classes))
    truth = offset + x @ (2 * rng.normal(size=(width, classes)))
    y = (truth + rng.gumbel(size=truth.shape)).argmax(axis=1).astype(np.int32)
    weight = rng.random(n) + 0.5

    def loss(at):
        table = at.reshape(width + 1, classes)
        log_p = special.log_softmax(offset + x @ table[:-1] + table[-1], axis=1)
        away = weight[:, None] * (np.exp(log_p) - np.eye(classes)[y])
        gradient = np.vstack([x.T @ away + ridge * table[:-1], away.sum(axis=0)])
        return 0.5 * ridge * (table[:-1] ** 2).sum() - weight @ log_p[np.arange(n), y], gradient.ravel()

    v, b = fit_correction(x, y, weight, offset, ridge, 1)
    start = np.zeros((width + 1) * classes)
    best = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).fun
    before, after = loss(start)[0], loss(np.vstack([v, b]).ravel())[0]
    assert before - best > 50
    assert after - best < 0.1 * (before - best)
