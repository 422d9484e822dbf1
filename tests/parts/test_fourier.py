"""Random Fourier features in the default model."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

from suffice import BayesClassifier, load
from suffice.errors import ModelFileError
from suffice.parts import fourier_ridge
from suffice.parts.fourier import Fourier
from suffice.parts.kept_rows import KeptRows
from suffice.persist.model_file import load as read_model
from suffice.persist.model_file import save


def digits():
    """Real rows of 64 numbers, with a column of categories and with holes."""
    x, y = load_digits(return_X_y=True)
    images = x.reshape(-1, 2, 4, 8).sum(axis=(2, 3))
    table = pd.DataFrame(x, columns=[f"pixel {j}" for j in range(64)])
    table.loc[np.random.default_rng(0).random(len(y)) < 0.05, "pixel 20"] = np.nan
    return table.assign(heavier=np.where(images[:, 0] > images[:, 1], "top", "bottom")), y


@pytest.fixture(scope="module")
def made():
    x, y = digits()
    return BayesClassifier().fit(x[::2], y[::2]), x[::2], y[::2], (x[1::2], y[1::2])


def smooth(model):
    return model.model_.weighted_parts.part(Fourier)


def loss(model, x, y):
    return -np.log(model.predict_proba(x)[np.arange(len(y)), y]).mean()


def test_it_is_kept_where_it_helps(made, monkeypatch):
    model, x, y, fresh = made
    gain = smooth(model).gain
    assert gain.rows == len(y)
    assert gain.after < 0.96 * gain.before
    monkeypatch.setattr("suffice.parts.forests.fourier_ridges", lambda *_: [])
    others = BayesClassifier().fit(x, y)
    assert smooth(others) is None
    assert loss(model, *fresh) < 0.97 * loss(others, *fresh)
    assert loss(others, *fresh) - loss(model, *fresh) == pytest.approx(gain.before - gain.after, abs=0.02)


@pytest.mark.parametrize("choice", ["additive", "weighted", "naive"])
def test_other_models_have_none(made, choice):
    _, x, y, _ = made
    weighted_parts = BayesClassifier(model=choice).fit(x, y).model_.weighted_parts
    assert weighted_parts is None or weighted_parts.part(Fourier) is None


def test_shuffled_labels_have_none(made):
    _, x, y, _ = made
    for seed in range(2):
        assert smooth(BayesClassifier().fit(x, np.random.default_rng(seed).permutation(y))) is None


@pytest.mark.parametrize("ridge", [0.1, 3.0])
def test_a_row_is_left_out_as_if_it_had_not_been_there(ridge, monkeypatch):
    """The closed form against regressions without each row: whole, or one of its two observations."""
    rng = np.random.default_rng(0)
    n, classes = 60, 3
    z = rng.normal(size=(n, 4)).astype(np.float32)
    angle = z @ rng.normal(size=(4, 20)).astype(np.float32)
    features = np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
    weight = rng.integers(1, 3, n).astype(float)
    y = rng.integers(0, classes, n).astype(np.int32)
    p = rng.dirichlet(np.ones(classes), n)
    residual, curvature = np.eye(classes)[y] - p, (p * (1 - p)).sum(axis=1)
    rows = KeptRows(y, weight, np.minimum(weight, 1.0), np.arange(n), np.arange(n, dtype=np.uint64), True)
    monkeypatch.setattr(fourier_ridge, "_RIDGES", (ridge,))
    coefficients, left_out = fourier_ridge._fitted(features, residual, curvature, rows)

    def regression(w):
        phi = features.astype(float) / np.sqrt(20)
        gram = (phi * (w * curvature)[:, None]).T @ phi + ridge * np.eye(40)
        return fourier_ridge._STEP_FACTOR * phi @ np.linalg.solve(gram, phi.T @ (w[:, None] * residual))

    np.testing.assert_allclose(features @ coefficients, regression(weight), atol=1e-3)
    for i in range(0, n, 7):
        np.testing.assert_allclose(left_out[i], regression(weight - np.eye(n)[i])[i], atol=1e-3)


def test_order_weights_and_threads_change_nothing(made):
    model, x, y, (fresh, _) = made
    p = model.predict_proba(fresh)
    at = np.random.default_rng(0).permutation(len(y))
    for other in (
        BayesClassifier().fit(x.iloc[at], y[at]),
        BayesClassifier().fit(x, y, sample_weight=np.full(len(y), 3.0)),
        BayesClassifier().fit(pd.concat([x, x]), np.concatenate([y, y])),
    ):
        assert smooth(other) is not None
        np.testing.assert_allclose(other.predict_proba(fresh), p, atol=1e-9)
    # scores in single precision are summed in another order, with and without waves
    other = BayesClassifier().fit(x[x.columns[::-1]], y)
    np.testing.assert_allclose(other.predict_proba(fresh), p, atol=1e-5)
    for jobs in (1, 3):
        other = BayesClassifier(n_jobs=jobs).fit(x, y)
        for name in ("frequencies", "coefficients"):
            np.testing.assert_array_equal(getattr(smooth(other), name), getattr(smooth(model), name))


def test_rows_alone_and_together_score_alike(made):
    model, _, _, (fresh, _) = made
    p = model.predict_proba(fresh)
    for rows in (slice(0, 1), slice(5, 12), slice(0, 700)):
        np.testing.assert_allclose(model.predict_proba(fresh.iloc[rows]), p[rows], atol=1e-7)


def test_a_forgotten_row_leaves_no_trace(made):
    _, x, y, (fresh, _) = made
    whole = BayesClassifier().fit(x, y)
    whole.forget(x.iloc[:50], y[:50])
    rest = BayesClassifier().fit(x.iloc[50:], y[50:])
    np.testing.assert_allclose(whole.predict_proba(fresh), rest.predict_proba(fresh), atol=1e-9)


def test_evidence_adds_up_and_names_columns(made):
    model, _, _, (fresh, _) = made
    few, part = fresh.iloc[:40], smooth(model)
    read = model.model_.tables(model.model_.read(model._open(few, reset=False), 1))
    joint = np.zeros((40, 10))
    part.add_to(joint, read, 1)
    names, parts = part.evidence(read, [*few.columns])
    assert names == ["(calibration)", *few.columns]
    np.testing.assert_allclose(parts.sum(axis=1), joint, atol=1e-12)
    # in the middle of all scores there is nothing to split, and a missing cell is in the middle
    middle = part.coefficients[: part.frequencies.shape[1]].sum(axis=0)
    np.testing.assert_allclose(parts[:, 0], np.tile(middle, (40, 1)), atol=1e-4)
    hole = few["pixel 20"].isna().to_numpy()
    assert hole.any()
    assert not parts[hole, 21].any()
    # along the path each column has the integral of its gradient
    z = part.scores.scores(read).astype(float)
    steps = (np.arange(4000) + 0.5) / 4000
    angle = z[0] @ part.frequencies * steps[:, None]
    slope = np.concatenate([-np.sin(angle), np.cos(angle)], axis=1).mean(axis=0)[:, None] * part.coefficients
    by_score = z[0][:, None] * (np.tile(part.frequencies, 2).astype(float) @ slope)
    np.testing.assert_allclose(parts[0, 1:], part.scores.by_column(by_score), atol=1e-5)
    why = model.explain(few, of=1, against=0)
    p = np.log(model.predict_proba(few))
    np.testing.assert_allclose(why.log_odds, p[:, 1] - p[:, 0], atol=1e-9)


def test_it_is_in_the_file_and_in_a_stripped_model(made, tmp_path):
    model, _, _, (fresh, _) = made
    model.save(tmp_path / "m.model")
    p = model.predict_proba(fresh)
    np.testing.assert_array_equal(load(tmp_path / "m.model").predict_proba(fresh), p)
    np.testing.assert_array_equal(model.stripped().predict_proba(fresh), p)


def test_damaged_waves_are_refused(made, tmp_path):
    model, part = made[0].model_, smooth(made[0])
    for changed in (
        replace(part, coefficients=part.coefficients[:-2]),
        replace(part, frequencies=part.frequencies[:-1]),
        replace(part, coefficients=part.coefficients[:, :2]),
    ):
        weighted_parts = replace(model.weighted_parts, parts=(changed,))
        save(replace(model.current, fitted=weighted_parts), tmp_path / "m.model")
        with pytest.raises(ModelFileError):
            read_model(tmp_path / "m.model")


def test_describe_names_the_gain(made):
    gain = smooth(made[0]).gain
    (line,) = [line for line in str(made[0].describe()).splitlines() if "Fourier features" in line]
    assert f"on 899 held-out rows they change the log-loss from {gain.before:.4f} to {gain.after:.4f}." in line
