"""What is loaded is what was saved: the same answers to the last bit, and the same sums to go on from."""

import datetime

import numpy as np
import pytest
import safetensors.numpy

import suffice
from persist.cases import ALL, Saved, judged
from suffice import BayesClassifier, Density, families, statistics
from suffice.errors import ModelFileError, NotSavableError
from suffice.estimators.estimator_kinds import ESTIMATORS
from suffice.estimators.held_out_kind import load_held_out
from suffice.persist import load_model
from suffice.persist.model_kinds import FAMILIES, STATISTICS

OUTSIDE = {families.Density, statistics.Fitted}  # they keep objects of others


def test_every_family_and_statistic_has_its_place():
    named = {getattr(statistics, name) for name in statistics.__all__} - {statistics.Statistic, statistics.Tally}
    assert {kind.type for kind in FAMILIES.values()} == set(families.FAMILIES) - OUTSIDE
    assert {kind.type for kind in STATISTICS.values()} == named - OUTSIDE


def test_every_estimator_has_its_place():
    public = {*suffice.naive_bayes.__all__, *suffice.discriminant_analysis.__all__, *suffice.linear_model.__all__}
    assert set(ESTIMATORS) == {"BayesClassifier", "Designed", *public}


def again(estimator, folder):
    estimator.save(folder / "a.model")
    return suffice.load(folder / "a.model")


def settings(estimator):
    return {name: value for name, value in estimator.get_params().items() if not hasattr(value, "fit")}


def same_bits(a, b, x):
    for method in ("predict", "predict_proba", "predict_joint_log_proba", "decision_function"):
        if hasattr(a, method):
            np.testing.assert_array_equal(getattr(a, method)(x), getattr(b, method)(x))


@pytest.mark.parametrize("case", ALL, ids=str)
def test_loaded_is_saved(case: Saved, tmp_path):
    model = case.fitted()
    x, y = case.rows(np.random.default_rng(2))
    loaded = again(model, tmp_path)
    assert type(loaded) is type(model)
    np.testing.assert_equal(settings(loaded), settings(model))
    same_bits(loaded, model, x)
    first = (tmp_path / "a.model").read_bytes()
    loaded.save(tmp_path / "a.model")
    assert (tmp_path / "a.model").read_bytes() == first
    if not case.adds:
        return
    same_bits(loaded.partial_fit(x, y), model.partial_fit(x, y), x)
    same_bits(loaded.merge(case.fitted(3)), model.merge(case.fitted(3)), x)
    same_bits(again(loaded, tmp_path), model, x)  # stale refinements and grown vocabularies too
    same_bits(loaded.forget(x, y), model.forget(x, y), x)
    same_bits(again(loaded, tmp_path), model, x)


LABELS = {
    "text": ["a", "b"],
    "truth": [False, True],
    "whole": np.array([3, 7], np.int16),
    "real": [0.0, 2.0],
    "large": np.array([2**63, 2**64 - 1], np.uint64),
    "bytes": np.array([b"a", b"b"]),
    "dates": np.array(["2026-01-01", "2026-01-02"], "M8[D]"),
    "objects": np.array([datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)], object),
    "tuples": None,
    "half a character": ["a", "\udcff"],
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_keep_their_type(kind, tmp_path):
    y = np.empty(2, object)
    y[:] = [("a", 1), ("b", 2)]
    y = y if LABELS[kind] is None else np.asarray(LABELS[kind])
    model = BayesClassifier().fit(np.array([[0.0], [1.0]] * 5), np.tile(y, 5))
    loaded = again(model, tmp_path)
    assert loaded.classes_.dtype == model.classes_.dtype
    assert [(type(c), c) for c in loaded.model_.classes] == [(type(c), c) for c in model.model_.classes]
    np.testing.assert_array_equal(loaded.classes_, model.classes_)


def test_many_levels_and_columns(tmp_path):
    rng = np.random.default_rng(0)
    rows = [{f"c{j}": f"level {rng.integers(500)}" for j in range(30)} for _ in range(300)]
    model = BayesClassifier().fit(rows, rng.integers(0, 2, 300))
    same_bits(again(model, tmp_path), model, rows)


def test_a_model_that_forgot_everything(tmp_path):
    x, y = np.array([[0.0], [1.0]]), [0, 1]
    loaded = again(BayesClassifier().fit(x, y).forget(x, y), tmp_path)
    assert loaded.partial_fit(x, y).predict(x).tolist() == y


def test_answers_to_held_out_rows_go_with_the_model_they_are_of(tmp_path):
    model = BayesClassifier(model="naive").fit(np.array([[0.0], [1.0]] * 5), [0, 1] * 5)
    assert load_held_out(_saved(model, tmp_path)) is None
    model.held_out_ = judged()
    for name in ("posterior", "codes", "chance"):
        found = getattr(load_held_out(_saved(model, tmp_path)), name)
        np.testing.assert_array_equal(found, getattr(model.held_out_, name))
    assert not hasattr(model.stripped(), "held_out_")
    assert not hasattr(again(model, tmp_path).partial_fit([[0.5]], [1]), "held_out_")
    assert not hasattr(again(model, tmp_path).forget([[0.0]], [0]), "held_out_")
    assert not hasattr(again(model, tmp_path).decay(0.5), "held_out_")
    model.held_out_ = judged(classes=3)
    with pytest.raises(ModelFileError, match="is inconsistent"):
        again(model, tmp_path)


def _saved(model, folder):
    model.save(folder / "a.model")
    return folder / "a.model"


def test_scoring_without_the_estimator(tmp_path):
    case = next(c for c in ALL if c.name == "mixed")
    model = case.fitted()
    model.save(tmp_path / "a.model")
    assert load_model(tmp_path / "a.model").classes == tuple(model.classes_)


def test_other_readers_of_safetensors_find_the_arrays(tmp_path):
    model = BayesClassifier().fit(np.array([[0.0], [1.0]] * 5), [0, 1] * 5)
    model.save(tmp_path / "a.model")
    arrays = safetensors.numpy.load_file(tmp_path / "a.model")
    assert any(np.array_equal(a, model.model_.tally.weight) for a in arrays.values())


class Outside:
    def fit(self, x): ...

    def score_samples(self, x):
        return np.zeros(len(x))


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (BayesClassifier(Density(Outside())), r"BayesClassifier\.families.* is a Density"),
        (
            BayesClassifier({0: Density({0: Outside(), 1: Outside()})}, model="naive"),
            r"BayesClassifier\.families\[0\] is a Density",
        ),
        (suffice.LogisticRegression(random_state=np.random.RandomState(0)), r"random_state is a RandomState"),
        (suffice.BayesDecision(BayesClassifier()), "no model file"),
    ],
)
def test_outside_objects_are_refused_by_name(model, named, tmp_path):
    model.fit(np.array([[0.0], [1.0]] * 5), [0, 1] * 5)
    with pytest.raises(NotSavableError, match=named):
        suffice.estimators.model_file.save(model, tmp_path / "a.model")
    assert not list(tmp_path.iterdir())


def test_what_is_not_fitted_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        BayesClassifier().save(tmp_path / "a.model")
