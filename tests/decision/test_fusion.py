"""Posteriors of models trained apart, brought together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice import BayesClassifier, Bernoulli, Gaussian
from suffice.decision import correct_priors, fuse


@pytest.fixture
def sensors(rng):
    """Two models over different columns, and one over all."""
    y = rng.choice(["cold", "flu", "well"], size=400, p=[0.3, 0.1, 0.6])
    shift = (y == "flu")[:, None] * 1.5 + (y == "cold")[:, None]
    left, right = rng.normal(shift, size=(400, 2)), rng.normal(shift, size=(400, 3)) > 0.5
    one, two = BayesClassifier(Gaussian()).fit(left, y), BayesClassifier(Bernoulli()).fit(right, y)
    families = {(0, 1): Gaussian(), (2, 3, 4): Bernoulli()}
    both = BayesClassifier(families, model="naive").fit(np.hstack([left, right]), y)
    return one, left, two, right, both, y


def prior_of(model):
    return np.exp(model.model_.log_prior)


def test_fusion_equals_the_joint_model(sensors):
    one, left, two, right, both, _ = sensors
    fused = fuse([one.predict_proba(left), two.predict_proba(right)], prior_of(one))
    np.testing.assert_allclose(fused, both.predict_proba(np.hstack([left, right])), rtol=1e-12)


def test_in_logarithms_too(sensors):
    one, left, two, right, both, _ = sensors
    fused = fuse([one.predict_log_proba(left), two.predict_log_proba(right)], prior_of(one), log=True)
    np.testing.assert_allclose(fused, both.predict_log_proba(np.hstack([left, right])), rtol=1e-11, atol=1e-12)


def test_logarithms_keep_what_underflows(rng):
    """Either source alone says zero where the other does not: the answer is in what underflowed."""
    log_p = np.array([[-2000.0, 0.0]])
    log_q = np.array([[0.0, -1999.0]])
    assert fuse([np.exp(log_p), np.exp(log_q)], [0.5, 0.5]).tolist() == [[0.5, 0.5]]  # contradiction: the prior
    assert np.exp(fuse([log_p, log_q], [0.5, 0.5], log=True)) == pytest.approx(np.array([[1, np.e]]) / (1 + np.e))


def test_a_source_may_be_missing_for_a_row(sensors):
    one, left, two, right, both, _ = sensors
    p, q = one.predict_proba(left), two.predict_proba(right)
    p[1], q[2], p[3], q[3] = np.nan, np.nan, np.nan, np.nan
    fused = fuse([p, q], prior_of(one))
    np.testing.assert_allclose(fused[0], both.predict_proba(np.hstack([left, right])[:1])[0], rtol=1e-12)
    np.testing.assert_allclose(fused[1], q[1], rtol=1e-12)
    np.testing.assert_allclose(fused[2], p[2], rtol=1e-12)
    np.testing.assert_allclose(fused[3], prior_of(one), rtol=1e-12)
    # as the joint model does with missing cells
    rows = np.hstack([left, right]).astype(float)
    rows[1, :2] = rows[2, 2:] = np.nan
    np.testing.assert_allclose(fused[:3], both.predict_proba(rows[:3]), rtol=1e-12)


SIMPLEX = st.lists(st.integers(1, 50), min_size=3, max_size=3).map(lambda w: np.array(w) / sum(w))


@given(SIMPLEX, SIMPLEX, SIMPLEX, st.floats(0, 3), st.floats(0, 3))
def test_weights_are_exponents(p, q, prior, a, b):
    expected = prior * (p / prior) ** a * (q / prior) ** b
    np.testing.assert_allclose(fuse([p[None], q[None]], prior, weights=[a, b])[0], expected / expected.sum(), rtol=1e-9)


@given(SIMPLEX, SIMPLEX, SIMPLEX, SIMPLEX)
def test_the_order_and_the_grouping_do_not_matter(p, q, r, prior):
    p, q, r = p[None], q[None], r[None]
    whole = fuse([p, q, r], prior)
    np.testing.assert_allclose(fuse([r, p, q], prior), whole, rtol=1e-12)
    np.testing.assert_allclose(fuse([fuse([p, q], prior), r], prior), whole, rtol=1e-11)
    np.testing.assert_allclose(fuse([p], prior), p, rtol=1e-12)
    np.testing.assert_allclose(fuse([p, prior[None]], prior), p, rtol=1e-12)  # the prior says nothing new


def test_sources_with_other_priors_are_brought_to_one_first(sensors):
    one, left, _, right, _, y = sensors
    even = BayesClassifier(Bernoulli(), prior="uniform").fit(right, y)
    shared = prior_of(one)
    q = correct_priors(even.predict_proba(right), [1 / 3] * 3, shared)
    fused = fuse([one.predict_proba(left), q], shared)
    direct = one.predict_proba(left) * even.predict_proba(right)
    np.testing.assert_allclose(fused, direct / direct.sum(axis=1, keepdims=True), rtol=1e-12)


def test_zeros():
    prior = [0.5, 0.3, 0.2]
    assert fuse([[[0.0, 1.0, 0.0]], [[0.2, 0.5, 0.3]]], prior).tolist() == [[0.0, 1.0, 0.0]]
    assert fuse([[[0.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]]], prior)[0] == pytest.approx(prior)  # they rule out every class
    assert fuse([[[0.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]]], prior, weights=[1, 0]).tolist() == [[0.0, 1.0, 0.0]]
    assert fuse([[[0.5, 0.5, 0.0]]], [0.5, 0.5, 0.0]).tolist() == [[0.5, 0.5, 0.0]]
