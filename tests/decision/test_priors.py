"""Changed priors: corrected exactly, estimated without labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from suffice import BayesClassifier, Bernoulli, Gaussian, Given
from suffice.decision import correct_priors, estimate_priors

MEANS, TRAINED = np.array([0.0, 1.5, 3.0]), np.array([0.5, 0.3, 0.2])


def shifted(rng, n, true):
    """Posteriors made with the trained prior, of rows from three Gaussians under another."""
    x = rng.normal(MEANS[rng.choice(3, n, p=true)])
    joint = np.exp(-0.5 * (x[:, None] - MEANS) ** 2) * TRAINED
    return joint / joint.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("family", [Gaussian(), Bernoulli()])
def test_correction_equals_the_model_with_the_true_prior(family, rng):
    X, y = rng.normal(size=(300, 4)) + np.arange(300)[:, None] % 3, np.arange(300) % 3
    true = Given([0.98, 0.019, 0.001])
    balanced, right = (BayesClassifier(family, prior=prior).fit(X, y) for prior in ("uniform", true))
    corrected = correct_priors(balanced.predict_proba(X), [1 / 3] * 3, [0.98, 0.019, 0.001])
    np.testing.assert_allclose(corrected, right.predict_proba(X), rtol=1e-12, atol=0)


def test_in_logarithms_nothing_underflows(rng):
    X, y = rng.normal(size=(50, 3000)) + np.arange(50)[:, None] % 2 * 2, np.arange(50) % 2
    even, right = (BayesClassifier(Gaussian(), prior=prior).fit(X, y) for prior in ("uniform", Given([0.99, 0.01])))
    assert even.predict_proba(X).min() == 0
    corrected = correct_priors(even.predict_log_proba(X), [0.5, 0.5], [0.99, 0.01], log=True)
    np.testing.assert_allclose(corrected, right.predict_log_proba(X), rtol=1e-12)


def test_labels_may_name_the_priors():
    by_name = correct_priors([[0.1, 0.9]], {"b": 0.4, "a": 0.6}, {"a": 0.9, "b": 0.1}, classes=["a", "b"])
    assert np.array_equal(by_name, correct_priors([[0.1, 0.9]], [0.6, 0.4], [0.9, 0.1]))


POSITIVE = st.lists(st.integers(1, 50), min_size=3, max_size=3).map(lambda w: np.array(w) / sum(w))


@given(POSITIVE, POSITIVE, POSITIVE, POSITIVE)
def test_corrections_compose_and_undo(posterior, first, second, third):
    p = posterior[None]
    once = correct_priors(correct_priors(p, first, second), second, third)
    np.testing.assert_allclose(once, correct_priors(p, first, third), rtol=1e-12)
    np.testing.assert_allclose(correct_priors(once, third, first), p, rtol=1e-12)
    assert np.array_equal(correct_priors(p, first, first), correct_priors(p, second, second))


def test_zeros_have_defined_answers():
    p = [[0.0, 0.4, 0.6], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    out = correct_priors(p, [0.2, 0.4, 0.4], [0.5, 0.5, 0.0])
    assert out.tolist() == [
        [0.0, 1.0, 0.0],
        [0.5, 0.5, 0.0],
        [1.0, 0.0, 0.0],
    ]  # the second is left with nothing: the prior
    # a class that neither prior nor posterior knows stays away
    assert correct_priors([[0.5, 0.5, 0.0]], [0.5, 0.5, 0.0], [0.2, 0.2, 0.6]).tolist() == [[0.5, 0.5, 0.0]]


@pytest.mark.parametrize("true", [[0.2, 0.3, 0.5], [0.9, 0.1, 0.0], [0.0, 0.0, 1.0], [0.5, 0.3, 0.2]])
def test_estimate_is_the_fixed_point_of_em(true, rng):
    """… and the maximum of the likelihood, on the edge too."""
    p = shifted(rng, 3000, true)
    found = estimate_priors(p, TRAINED).priors
    corrected = correct_priors(p, TRAINED, found).mean(axis=0)
    np.testing.assert_allclose(corrected, found, atol=1e-9)

    def loss(free):
        q = np.append(free, 1 - free.sum())
        return -np.log((p / TRAINED) @ q).sum() if (q > 0).all() else np.inf

    start = np.full(2, 1 / 3)
    best = optimize.minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9, "maxiter": 4000})
    assert -np.log((p / TRAINED) @ found).sum() <= best.fun + 1e-6
    np.testing.assert_allclose(found[:2], best.x, atol=1e-4)


def test_em_itself_gets_there(rng):
    p, q = shifted(rng, 1000, [0.2, 0.3, 0.5]), TRAINED
    for _ in range(3000):
        q = correct_priors(p, TRAINED, q).mean(axis=0)
    np.testing.assert_allclose(estimate_priors(p, TRAINED).priors, q, atol=1e-9)


def test_standard_error_is_that_of_the_observed_information(rng):
    """By finite differences of the likelihood in two free parameters."""
    p = shifted(rng, 500, [0.3, 0.3, 0.4])
    found = estimate_priors(p, TRAINED)
    to_all = np.array([[1, 0], [0, 1], [-1, -1]])

    def log_likelihood(step):
        return np.log((p / TRAINED) @ (found.priors + to_all @ step)).sum()

    h = 1e-4
    e = np.eye(2) * h
    information = -np.array(
        [
            [
                (log_likelihood(a + b) - log_likelihood(a - b) - log_likelihood(b - a) + log_likelihood(-a - b))
                / (4 * h * h)
                for b in e
            ]
            for a in e
        ]
    )
    covariance = to_all @ np.linalg.inv(information) @ to_all.T
    np.testing.assert_allclose(found.standard_error, np.sqrt(np.diag(covariance)), rtol=1e-4)


def test_perfectly_told_apart_it_is_the_error_of_a_share():
    y = np.array([0] * 30 + [1] * 70)
    found = estimate_priors(np.eye(2)[y], [0.5, 0.5])
    assert found.priors == pytest.approx([0.3, 0.7])
    assert found.standard_error == pytest.approx(np.sqrt(0.3 * 0.7 / 100))
    statistic = 2 * (30 * np.log(0.3 / 0.5) + 70 * np.log(0.7 / 0.5))
    assert found.statistic == pytest.approx(statistic)
    assert found.p_value == pytest.approx(stats.chi2.sf(statistic, 1))


def test_has_it_changed(rng):
    assert estimate_priors(shifted(rng, 2000, TRAINED), TRAINED).p_value > 0.05
    assert estimate_priors(shifted(rng, 2000, [0.4, 0.3, 0.3]), TRAINED).p_value < 1e-6


def test_what_cannot_be_told_apart_has_no_end_of_error():
    found = estimate_priors([[0.5, 0.3, 0.2]] * 10, [0.5, 0.3, 0.2])
    assert np.isinf(found.standard_error).all()
    assert found.p_value == 1.0
    # two of three look alike: the third is known
    half = estimate_priors([[0.4, 0.4, 0.2], [0.1, 0.1, 0.8]] * 50, [0.25, 0.25, 0.5])
    assert np.isinf(half.standard_error).tolist() == [True, True, False]
    assert np.isfinite(half.priors).all()


def test_one_class_and_classes_that_never_occur():
    assert estimate_priors([[1.0], [1.0]], [1.0]).priors.tolist() == [1.0]
    assert estimate_priors([[1.0], [1.0]], [1.0]).p_value == 1.0
    found = estimate_priors([[0.9, 0.1, 0.0], [0.1, 0.9, 0.0]], [0.5, 0.5, 0.0])
    assert found.priors == pytest.approx([0.5, 0.5, 0.0])
    assert found.standard_error[2] == 0.0


def test_balanced_training_then_correction_with_an_estimated_prior(rng):
    """Trained one to one, used where one in ten is ill, nobody having said so."""
    X, y = rng.normal(size=(2000, 1)), np.arange(2000) % 2
    model = BayesClassifier(Gaussian(), prior="uniform").fit(X + 2 * y[:, None], y)
    ill = rng.random(20_000) < 0.1
    new = rng.normal(2.0 * ill)[:, None]
    found = estimate_priors(model.predict_proba(new), [0.5, 0.5])
    assert found.priors[1] == pytest.approx(0.1, abs=0.015)
    corrected = correct_priors(model.predict_proba(new), [0.5, 0.5], found.priors)
    errors = [np.mean(p.argmax(axis=1) != ill) for p in (model.predict_proba(new), corrected)]
    assert errors[1] < 0.5 * errors[0]
