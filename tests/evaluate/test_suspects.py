"""Wrong labels are found by models without their rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from suffice import BayesClassifier, GaussianNB
from suffice.errors import DataError, ParameterError
from suffice.evaluate import leave_one_out, suspects
from suffice.parts import fitting


def _flipped(y, share, rng):
    """Some labels replaced by another one, and which."""
    classes, codes = np.unique(y, return_inverse=True)
    wrong = rng.random(len(y)) < share
    moved = (codes + rng.integers(1, len(classes), len(y))) % len(classes)
    return classes[np.where(wrong, moved, codes)], wrong


def _mixed(rng, rows):
    """Numbers, levels and holes that tell two classes apart with others in between."""
    y = rng.integers(0, 2, rows)
    frame = pd.DataFrame(
        {
            "dose": rng.normal(size=rows) + 1.5 * y,
            "ward": np.where(rng.random(rows) < 0.3 + 0.5 * y, "north", rng.choice(["south", "east"], rows)),
            "age": rng.normal(size=rows) - y,
        }
    )
    return frame.mask(rng.random(frame.shape) < 0.1), np.array(["no", "yes"])[y]


@pytest.mark.parametrize("model", [None, "additive", "weighted", "naive"])
def test_flipped_labels_come_first(rng, model):
    X, clean = load_breast_cancer(return_X_y=True)
    y, wrong = _flipped(clean, 0.1, rng)
    found = suspects(BayesClassifier(model=model), X, y)
    assert roc_auc_score(wrong, -found.log_probability) > 0.95
    assert wrong[found.rows[: wrong.sum()]].mean() > 0.75
    first = found[0]
    assert (first.label, first.instead) == (y[first.row], clean[first.row])
    assert first.probability == pytest.approx(np.exp(found.log_probability[first.row]))


@pytest.mark.parametrize("share", [0.05, 0.1])
def test_one_fit_finds_what_folds_find(share):
    """Beside out-of-fold probabilities of the same model; the mean over draws, as one draw is a matter of luck."""
    ours, folds = [], []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, clean = _mixed(rng, 1500)
        y, wrong = _flipped(clean, share, rng)
        ours.append(roc_auc_score(wrong, -suspects(None, X, y).log_probability))
        p = cross_val_predict(BayesClassifier(), X, y, cv=5, method="predict_proba")
        folds.append(roc_auc_score(wrong, -p[np.arange(len(y)), (y == "yes").astype(int)]))
    assert np.mean(ours) > np.mean(folds) - 0.005


def test_textbook_models_leave_rows_out_in_closed_form(rng):
    X, clean = load_breast_cancer(return_X_y=True)
    y, _ = _flipped(clean, 0.05, rng)
    found = suspects(GaussianNB(), X, y)
    for row in found.rows[:3]:
        others = np.arange(len(y)) != row
        p = GaussianNB().fit(X[others], y[others]).predict_log_proba(X[row : row + 1])[0, y[row]]
        assert found.log_probability[row] == pytest.approx(p, abs=1e-6)


@pytest.mark.parametrize("model", [None, "additive"])
def test_labels_of_noise_are_not_learned_by_heart(rng, model):
    """No row helps to predict its own label: the loss is that of the shares of the classes."""
    X, y = rng.normal(size=(6000, 4)).round(1), rng.integers(0, 10, 6000)
    found = leave_one_out(BayesClassifier(model=model), X, y)  # weights are fitted on 4,000 of the rows
    loss = -found.log_posterior[np.arange(6000), found.codes]
    for rows in (slice(0, 4000), slice(4000, 6000)):
        assert loss[rows].mean() == pytest.approx(np.log(10), abs=0.01)


@pytest.mark.parametrize("model", [None, "additive"])
def test_rows_that_weights_are_not_fitted_on_are_scored_in_any_runs(monkeypatch, model):
    X, y = load_digits(return_X_y=True)
    X, y = X[:, 10:30], y
    monkeypatch.setattr(fitting, "_MIN_FITTED_ROWS", 700)
    monkeypatch.setattr(fitting, "_MAX_ROW_CLASSES", 1)
    whole = leave_one_out(BayesClassifier(model=model), X, y)
    of_runs = fitting.Fitting.joint_of_others

    def short(self, parts, found):
        with monkeypatch.context() as patch:
            patch.setattr(fitting, "_MAX_SCORES", 100 * len(self.classes) * self.scores)
            runs = list(of_runs(self, parts, found))
        assert len(runs) > 5
        yield from runs

    monkeypatch.setattr(fitting.Fitting, "joint_of_others", short)
    again = leave_one_out(BayesClassifier(model=model), X, y)
    np.testing.assert_allclose(again.log_posterior, whole.log_posterior, atol=1e-4)
    assert whole.accuracy.value > 0.8  # by 20 of 64 pixels


def test_more_rows_than_are_kept_are_left_out_in_parts(rng):
    X, clean = _mixed(rng, 2000)
    y, wrong = _flipped(clean, 0.1, rng)
    found = suspects(BayesClassifier(model="additive", keep_rows=500), X, y)
    assert roc_auc_score(wrong, -found.log_probability) > 0.85
    fitted = BayesClassifier(model="additive", keep_rows=500).fit(X, y)
    with pytest.raises(DataError, match=r"1,\d\d\d of 2,000 rows are not among those .* keeps.*not fitted"):
        fitted.suspects(X, y)
    with pytest.raises(ParameterError, match="keeps no rows"):
        fitted.stripped().suspects(X, y)


def test_a_fitted_model_answers_for_rows_it_learned(rng):
    X, clean = _mixed(rng, 1200)
    y, _ = _flipped(clean, 0.1, rng)
    model = BayesClassifier().fit(X, y)
    all_rows = suspects(BayesClassifier(), X, y)
    np.testing.assert_allclose(model.suspects(X, y).log_probability, all_rows.log_probability, atol=1e-9)
    some = model.suspects(X[100:300], y[100:300])
    np.testing.assert_allclose(some.log_probability, all_rows.log_probability[100:300], atol=1e-9)
    with pytest.raises(DataError, match="1 of 1 rows are not among those"):
        model.suspects(X[:1].assign(dose=77.0), y[:1])
    with pytest.raises(DataError, match="'maybe' was never learned"):
        model.suspects(X[:2], ["maybe", "no"])


def test_weights_count_rows(rng):
    X, clean = _mixed(rng, 900)
    y, _ = _flipped(clean, 0.1, rng)
    twice = pd.concat([X, X[:300]], ignore_index=True), np.concatenate([y, y[:300]])
    weight = np.where(np.arange(900) < 300, 2.0, 1.0)
    one = leave_one_out(BayesClassifier(model="additive"), X, y, weight)
    other = leave_one_out(BayesClassifier(model="additive"), *twice)
    np.testing.assert_allclose(one.log_posterior, other.log_posterior[:900], atol=1e-9)


def test_texts_among_textbook_columns(rng):
    y = rng.integers(0, 2, 400)
    words = [["cheap", "pills", "win"], ["lunch", "noon", "agenda"]]
    text = [" ".join(rng.choice(words[1 - k] * 4 + words[k], 6)) for k in y]
    frame = pd.DataFrame(
        {"said": [f"{t} number {i % 7}" for i, t in enumerate(text)], "size": rng.normal(size=400) + 2 * y}
    )
    wrong = y.copy()
    wrong[5] = 1 - y[5]
    for model in (None, "naive"):
        found = suspects(BayesClassifier(model=model), frame, wrong)
        assert 5 in found.rows[:3]
        assert found.assessment.accuracy.value > 0.9
