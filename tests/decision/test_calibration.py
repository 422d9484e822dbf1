"""Posteriors that mean what they say, and how to tell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, softmax
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from suffice.decision import brier_decomposition, calibrate, calibration_error, reliability

METHODS = ["temperature", "platt", "vector", "isotonic"]


def distorted(rng, n, classes=3, slope=3.0, bias=0.0):
    """True posteriors, those of a classifier that is too sure of itself, and labels."""
    true = rng.dirichlet(np.ones(classes), n)
    y = (true.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)
    return true, softmax(slope * np.log(true) + bias, axis=1), y


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("classes", [2, 4])
def test_every_method_undoes_overconfidence(method, classes, rng):
    true, sure, y = distorted(rng, 20_000, classes)
    calibrated = calibrate(sure, y, method)(sure)
    assert np.abs(calibrated - true).mean() < 0.03 < np.abs(sure - true).mean()
    assert calibrated.sum(axis=1) == pytest.approx(1)
    assert log_loss(y, calibrated) < log_loss(y, sure) - 0.1
    assert calibration_error(calibrated, y) < 0.02 < calibration_error(sure, y)


@pytest.mark.parametrize("method", ["platt", "vector"])
def test_slopes_and_biases_are_recovered(method, rng):
    _, sure, y = distorted(rng, 200_000, slope=3.0, bias=[0.5, -0.2, 0.0])
    found = calibrate(sure, y, method)
    # what undoes slope · log p + bias, up to a constant in the logarithms
    assert found.temperature == pytest.approx([3.0] * 3, rel=0.03)
    undone = -np.array([0.5, -0.2, 0.0]) / 3.0
    assert found.bias - found.bias.mean() == pytest.approx(undone - undone.mean(), abs=0.03)


def test_platt_is_logistic_regression_on_the_log_odds(rng):
    """scikit-learn's, with the same unit prior on the slope (around one, so on what is left of it) and on the bias."""
    p = rng.beta(0.5, 0.5, 500).clip(1e-9, 1 - 1e-9)
    y = (rng.random(500) < expit(0.6 * np.log(p / (1 - p)) + 0.4)).astype(int)
    found = calibrate(np.column_stack([1 - p, p]), y, "platt")
    z = np.log(p / (1 - p))
    free = LogisticRegression(C=np.inf, tol=1e-10).fit(z[:, None], y)
    assert found.slope[0] == found.slope[1] == pytest.approx(free.coef_[0, 0], abs=0.02)
    assert found.bias[1] - found.bias[0] == pytest.approx(free.intercept_[0], abs=0.02)


@pytest.mark.parametrize("method", METHODS[:3])
def test_the_penalised_likelihood_is_at_its_top(method, rng):
    """No small step in any direction that the method allows makes it better."""
    _, sure, y = distorted(rng, 300)
    found = calibrate(sure, y, method)

    def loss(slope, bias):
        free = {"temperature": (slope[0] - 1) ** 2, "platt": (slope[0] - 1) ** 2 + bias @ bias}
        penalty = free.get(method, (slope - 1) @ (slope - 1) + bias @ bias)
        log_p = np.log(softmax(slope * np.log(sure) + bias, axis=1))
        return -log_p[np.arange(len(y)), y].sum() + 0.5 * penalty

    best = loss(found.slope, found.bias)
    for _ in range(30):
        step = rng.normal(size=6) * 1e-3
        slope = found.slope + (step[:3] if method == "vector" else step[0])
        bias = found.bias + (0 if method == "temperature" else step[3:])
        assert loss(slope, bias) > best


def test_isotonic_against_scikit_learn(rng):
    true, _, y = distorted(rng, 2000)
    sure = rng.multinomial(64, true) / 64  # with many ties, and zeros
    new = distorted(rng, 500)[1]
    theirs = np.column_stack(
        [IsotonicRegression(out_of_bounds="clip").fit(sure[:, c], y == c).predict(new[:, c]) for c in range(3)]
    )
    np.testing.assert_allclose(
        calibrate(sure, y, "isotonic")(new), theirs / theirs.sum(axis=1, keepdims=True), atol=1e-12
    )


def test_isotonic_of_two_classes_needs_no_normalising(rng):
    _, sure, y = distorted(rng, 1000, classes=2)
    first, second = calibrate(sure, y, "isotonic").knots
    np.testing.assert_allclose(1 - np.interp(sure[:, 0], *first), np.interp(sure[:, 1], *second), atol=1e-12)


def test_isotonic_row_without_any_class_gets_the_prior():
    p = np.array([[0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9], [0.4, 0.3, 0.3]])
    calibrated = calibrate(p, [0, 1, 2, 0], "isotonic")
    assert calibrated([[0.05, 0.05, 0.9]]).tolist() == [[0.0, 0.0, 1.0]]
    nowhere = calibrate([[0.5, 0.5, 0.0], [0.4, 0.4, 0.2]], [2, 2], "isotonic")
    assert nowhere([[0.5, 0.5, 0.0]]).tolist() == [[0.0, 0.0, 1.0]]


@pytest.mark.parametrize("method", METHODS)
def test_rows_told_apart_without_an_error_do_not_run_off(method):
    y = np.arange(40) % 2
    p = np.where(y[:, None] == [0, 1], 0.7, 0.3)
    found = calibrate(p, y, method)
    out = found(p)
    assert np.isfinite(out).all()
    assert (out[np.arange(40), y] > 0.7).all()
    if method != "isotonic":
        assert np.isfinite(found.slope).all()
        assert out.max() < 1


@pytest.mark.parametrize("method", METHODS)
def test_zeros(method):
    """A class given no probability stays without; a row whose own class had none is left out."""
    p = np.array([[1.0, 0.0], [0.0, 1.0], [0.7, 0.3], [0.3, 0.7], [0.6, 0.4], [1.0, 0.0]])
    out = calibrate(p, [0, 1, 0, 1, 1, 1], method)(p)
    assert np.isfinite(out).all()
    assert out.sum(axis=1) == pytest.approx(1)
    if method != "isotonic":
        assert out[0].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("method", METHODS)
def test_calibrated_posteriors_are_left_alone(method, rng):
    true, _, y = distorted(rng, 50_000)
    assert np.abs(calibrate(true, y, method)(true) - true).mean() < 0.01


def test_labels_are_names(rng):
    _, sure, y = distorted(rng, 500)
    names = np.array(["x", "y", "z"])
    by_name = calibrate(sure, names[y], "vector", classes=names)
    assert np.array_equal(by_name.slope, calibrate(sure, y, "vector").slope)


def test_reliability_against_scikit_learn(rng):
    _, sure, y = distorted(rng, 3000, classes=2)
    curve = reliability(sure, y, of=1, bins=15)
    observed, predicted = calibration_curve(y, sure[:, 1], n_bins=15)
    assert curve.observed == pytest.approx(observed)
    assert curve.predicted == pytest.approx(predicted)
    assert curve.count.sum() == 3000
    assert ((curve.low <= curve.observed) & (curve.observed <= curve.high)).all()


def test_expected_calibration_error_by_hand():
    p = np.array([[0.95, 0.05], [0.85, 0.15], [0.85, 0.15], [0.45, 0.55]])
    y = [0, 0, 1, 0]
    assert calibration_error(p, y) == pytest.approx((1 * 0.05 + 2 * 0.35 + 1 * 0.55) / 4)
    assert calibration_error(p, y, bins=1) == pytest.approx(abs(np.mean([0.95, 0.85, 0.85, 0.55]) - 0.5))
    assert calibration_error(p, y, of=1) == pytest.approx((0.05 + 2 * abs(0.15 - 0.5) + 0.55) / 4)


def test_bins_may_be_edges():
    p = np.array([[0.999, 0.001], [0.998, 0.002], [0.99, 0.01], [0.95, 0.05]])
    curve = reliability(p, [0, 0, 0, 1], of=1, bins=[0, 0.0015, 0.005, 0.02, 1])
    assert curve.count.tolist() == [1, 1, 1, 1]
    assert curve.predicted == pytest.approx([0.001, 0.002, 0.01, 0.05])


WEIGHTS = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), min_size=1, max_size=30)


@given(WEIGHTS, st.integers(1, 12), st.randoms())
def test_the_parts_of_the_brier_score_add_up(weights, bins, random):
    p = np.array(weights, dtype=float) / np.sum(weights, axis=1, keepdims=True)
    y = [random.randrange(3) for _ in weights]
    parts = brier_decomposition(p, y, bins=bins)
    assert parts.score == pytest.approx(((p - np.eye(3)[y]) ** 2).sum(axis=1).mean())
    total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    assert total == pytest.approx(parts.score, abs=1e-12)
    assert min(parts.reliability, parts.resolution, parts.uncertainty) >= 0


def test_binned_forecasts_have_nothing_within(rng):
    p = rng.choice([0.05, 0.25, 0.45, 0.85], 500)
    y = (rng.random(500) < p).astype(int)
    parts = brier_decomposition(np.column_stack([1 - p, p]), y)
    assert parts.within == pytest.approx(0, abs=1e-14)
    assert parts.score == pytest.approx(2 * brier_score_loss(y, p))
