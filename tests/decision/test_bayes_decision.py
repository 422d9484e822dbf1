"""The meta-estimator: any classifier below, costs and refusal and priors on top, changed without training again."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from lightgbm import LGBMClassifier
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut, cross_val_score
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB
from sklearn.naive_bayes import MultinomialNB as TheirMultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import BayesClassifier, BayesDecision, GaussianNB, Given
from suffice.decision import (
    REJECT,
    Chow,
    Costs,
    DensityFloor,
    ErrorBudget,
    Novelty,
    RiskLimit,
    Workload,
    conformal,
    correct_priors,
    decide,
    learn_reject,
)

CLASSIFIERS = {
    "ours": BayesClassifier(),
    "scikit-learn's": make_pipeline(StandardScaler(), LogisticRegression()),
    "trees": HistGradientBoostingClassifier(max_iter=20),
    "LightGBM's": LGBMClassifier(n_estimators=20, verbose=-1, num_threads=1),
}


@pytest.fixture(scope="module")
def wine():
    data = load_wine()
    return data.data, data.target_names[data.target]


@pytest.fixture(scope="module")
def cancer():
    data = load_breast_cancer()
    return data.data, data.target_names[data.target]


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_any_classifier_with_probabilities(name, wine):
    X, y = wine
    plain = clone(CLASSIFIERS[name]).fit(X, y)
    model = BayesDecision(CLASSIFIERS[name]).fit(X, y)
    assert np.array_equal(model.predict(X), plain.predict(X))
    assert np.array_equal(model.predict_proba(X), plain.predict_proba(X))
    assert model.score(X, y) == plain.score(X, y)
    costs = Costs(1 - np.eye(3) + 3 * np.eye(3)[::-1], classes=model.classes_)
    model.set_params(costs=costs, reject=Chow(0.05))
    expected = decide(plain.predict_proba(X), costs, reject=Chow(0.05), classes=plain.classes_)
    assert np.array_equal(model.predict(X), expected.actions)
    assert np.array_equal(model.decide(X).risk, expected.risk)
    calibrated = clone(model).set_params(calibrate="platt", costs=None, reject=ErrorBudget(0.1), cv=5).fit(X, y)
    answers = calibrated.predict(X)
    assert (answers == y)[answers != REJECT].mean() > 0.9


def test_costs_reject_and_priors_change_without_training(cancer):
    X, y = cancer
    model = BayesDecision(GaussianNB(), cv=0.3, random_state=0).fit(X, y)
    before, fitted = model.estimator_, pickle.dumps(model.estimator_)
    answers = {
        "0-1": model.predict(X),
        "costs": model.set_params(costs={("malignant", "benign"): 30, ("benign", "malignant"): 1}).predict(X),
        "reject": model.set_params(reject=Workload(0.1)).predict(X),
        "priors": model.set_params(priors={"malignant": 0.01, "benign": 0.99}).predict(X),
    }
    model.costs = None  # as an attribute, too
    answers["again"] = model.predict(X)
    assert model.estimator_ is before
    assert pickle.dumps(model.estimator_) == fitted
    assert len({a.tobytes() for a in answers.values()}) == len(answers)
    model.set_params(reject=None, priors=None)
    assert np.array_equal(model.predict(X), answers["0-1"])


def test_costs_changed_in_place_are_seen(cancer):
    X, y = cancer
    costs = {("malignant", "benign"): 1.0, ("benign", "malignant"): 1.0}
    model = BayesDecision(GaussianNB(), costs=costs, reject=Workload(0.2), cv=0.5, random_state=0).fit(X, y)
    first = model.reject_
    assert model.reject_ is first or model.reject_ == first
    costs["malignant", "benign"] = 1000.0
    assert model.reject_ != first


def test_limits_are_those_of_the_held_out_rows(cancer):
    X, y = cancer
    model = BayesDecision(GaussianNB(), reject=[ErrorBudget(0.1), Novelty(0.1)], cv=0.4, random_state=3).fit(X, y)
    held = model.held_out_
    assert len(held.codes) == 228
    labels = model.classes_[held.codes]
    expected = tuple(
        learn_reject(rule, held.posterior, labels, classes=model.classes_, log_density=held.log_density)
        for rule in model.reject
    )
    assert model.reject_ == expected
    assert [type(rule) for rule in expected] == [RiskLimit, DensityFloor]
    sets = conformal(held.posterior, labels, 0.95, classes=model.classes_)
    assert np.array_equal(model.predict_set(X, 0.95), sets(model.predict_proba(X)))
    far = X[:1] * 100
    assert model.predict(far).tolist() == [REJECT]


def test_held_out_rows_are_not_learned_from(cancer):
    X, y = cancer
    model = BayesDecision(GaussianNB(), cv=0.3, random_state=0).fit(X, y)
    assert model.estimator_.class_count_.sum() == len(y) - len(model.held_out_.codes)
    folds = BayesDecision(GaussianNB(), cv=5).fit(X, y)
    assert folds.estimator_.class_count_.sum() == len(folds.held_out_.codes) == len(y)


def test_leave_one_out():
    X, y = np.array([[0.0], [0.2], [0.9], [1.1], [0.1], [1.0]]), np.array([0, 0, 1, 1, 0, 1])
    model = BayesDecision(BayesClassifier(), cv=LeaveOneOut()).fit(X, y)
    for i in range(6):
        others = np.arange(6) != i
        expected = BayesClassifier().fit(X[others], y[others]).predict_proba(X[[i]])
        assert model.held_out_.posterior[[i]] == pytest.approx(expected)


def test_out_of_fold_posteriors_of_a_class_that_a_fold_lacks():
    X, y = np.arange(12.0)[:, None], np.array(["a"] * 4 + ["b"] * 4 + ["c"] * 4)
    model = BayesDecision(BayesClassifier(), cv=KFold(3)).fit(X, y)
    assert model.held_out_.posterior[:4, 0].tolist() == [0.0] * 4
    assert model.held_out_.posterior.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("freeze", [False, True])
def test_a_classifier_that_is_fitted_already(cancer, freeze):
    X, y = cancer
    fitted = GaussianNB().fit(X[:300], y[:300])
    estimator = FrozenEstimator(fitted) if freeze else fitted
    model = BayesDecision(estimator, reject=ErrorBudget(0.1), cv="prefit").fit(X[300:], y[300:])
    assert model.estimator_ is estimator
    assert np.array_equal(model.held_out_.posterior, fitted.predict_proba(X[300:]))


class TestPriors:
    def test_equal_the_model_with_that_prior(self, wine):
        X, y = wine
        true = {"class_0": 0.9, "class_1": 0.09, "class_2": 0.01}
        model = BayesDecision(BayesClassifier(model="naive"), priors=true).fit(X, y)
        right = BayesClassifier(model="naive", prior=Given(true)).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X), right.predict_proba(X), rtol=1e-11)
        np.testing.assert_allclose(model.predict_log_proba(X), right.predict_log_proba(X), rtol=1e-9, atol=1e-11)

    @pytest.mark.parametrize(
        ("estimator", "expected"),
        [
            (BayesClassifier(prior="mle"), [2 / 5, 3 / 5]),
            (BayesClassifier(), [3 / 7, 4 / 7]),
            (GaussianNB(priors=[0.1, 0.9]), [0.1, 0.9]),
            (TheirGaussianNB(priors=[0.1, 0.9]), [0.1, 0.9]),
            (TheirMultinomialNB(), [2 / 5, 3 / 5]),
            (LinearDiscriminantAnalysis(priors=[0.3, 0.7]), [0.3, 0.7]),
            (LogisticRegression(), [2 / 5, 3 / 5]),
            (LogisticRegression(class_weight="balanced"), [1 / 2, 1 / 2]),
            (LogisticRegression(class_weight={"no": 3, "yes": 1}), [6 / 9, 3 / 9]),
            (
                make_pipeline(StandardScaler(with_mean=False), LogisticRegression(class_weight="balanced")),
                [1 / 2, 1 / 2],
            ),
        ],
        ids=lambda v: str(v)[:40],
    )
    def test_of_training_are_known(self, estimator, expected):
        X, y = [[1.0], [2.0], [3.0], [4.0], [6.0]], ["no", "yes", "no", "yes", "yes"]
        assert BayesDecision(estimator).fit(X, y).trained_prior_ == pytest.approx(expected)

    def test_of_training_mind_the_weights(self):
        X, y, w = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], [3.0, 3.0, 1.0, 1.0]
        assert BayesDecision(LogisticRegression()).fit(X, y, sample_weight=w).trained_prior_ == pytest.approx(
            [0.75, 0.25]
        )

    def test_of_training_may_be_given(self, wine):
        X, y = wine
        model = BayesDecision(GaussianNB(), trained=[0.2, 0.3, 0.5], priors=[0.5, 0.3, 0.2]).fit(X, y)
        expected = correct_priors(model.estimator_.predict_proba(X), [0.2, 0.3, 0.5], [0.5, 0.3, 0.2])
        assert np.array_equal(model.predict_proba(X), expected)

    def test_are_estimated_from_rows_without_labels(self, rng):
        X, y = rng.normal(size=(4000, 2)), np.arange(4000) % 2
        model = BayesDecision(GaussianNB()).fit(X + 1.5 * y[:, None], y)
        new = rng.normal(size=(10_000, 2)) + 1.5 * (rng.random((10_000, 1)) < 0.1)
        found = model.estimate_priors(new)
        assert abs(found.priors[1] - 0.1) < 4 * found.standard_error[1]
        assert found.p_value < 1e-6
        model.set_params(priors=found.priors)
        assert model.predict_proba(new).mean(axis=0) == pytest.approx(found.priors, abs=1e-6)
        assert np.array_equal(model.estimate_priors(new).priors, found.priors)  # whatever is set

    def test_change_what_the_future_looks_like(self, rng):
        """A workload of 10 % where the doubtful class is common is a smaller one where it is rare."""
        y = rng.integers(0, 2, 6000)
        x = rng.normal(np.where(y == 1, 1.0, -1.0))[:, None]
        model = BayesDecision(GaussianNB(), reject=Workload(0.1), cv=0.5, random_state=0).fit(x, y)
        model.set_params(priors=[0.95, 0.05])
        rare = (rng.random(20_000) < 0.05).astype(int)
        new = rng.normal(np.where(rare == 1, 1.0, -1.0))[:, None]
        assert 0.06 < (model.predict(new) == REJECT).mean() < 0.1


class TestCalibration:
    @pytest.mark.parametrize("method", ["temperature", "platt", "vector", "isotonic"])
    def test_naive_bayes_is_made_honest(self, method, cancer):
        X, y = cancer
        X = np.hstack([X, X, X])  # counts its evidence three times over
        train, test = np.arange(569) % 3 > 0, np.arange(569) % 3 == 0
        losses = [
            -np.log(
                m.predict_proba(X[test])[np.arange(test.sum()), np.searchsorted(m.classes_, y[test])].clip(1e-9)
            ).mean()
            for m in (
                GaussianNB().fit(X[train], y[train]),
                BayesDecision(GaussianNB(), calibrate=method, cv=5, random_state=0).fit(X[train], y[train]),
            )
        ]
        assert losses[1] < 0.5 * losses[0]

    def test_of_a_balanced_classifier_brings_back_the_prior_of_the_rows(self, rng):
        y = (rng.random(8000) < 0.1).astype(int)
        x = rng.normal(1.5 * y)[:, None]
        balanced = LogisticRegression(class_weight="balanced")
        model = BayesDecision(balanced, calibrate="temperature", random_state=0).fit(x, y)
        assert model.trained_prior_ == pytest.approx([0.5, 0.5])
        assert model.estimator_.predict_proba(x)[:, 1].mean() > 0.2
        assert model.predict_proba(x)[:, 1].mean() == pytest.approx(0.1, abs=0.015)
        model.set_params(priors=[0.5, 0.5])
        assert model.predict_proba(x)[:, 1].mean() == pytest.approx(
            model.estimator_.predict_proba(x)[:, 1].mean(), abs=0.02
        )

    def test_limits_are_learned_from_rows_that_calibration_has_not_seen(self, cancer):
        X, y = cancer
        plain, calibrated = (
            BayesDecision(GaussianNB(), calibrate=method, cv=0.5, random_state=0).fit(X, y)
            for method in (None, "temperature")
        )
        assert len(calibrated.held_out_.codes) == len(plain.held_out_.codes) // 2

    @pytest.mark.filterwarnings("ignore:The least populated class")
    def test_of_a_class_that_the_calibration_rows_lack(self, rng):
        X, y = rng.normal(size=(60, 1)), np.array([0, 1] * 29 + [2, 2])
        model = BayesDecision(BayesClassifier(), calibrate="platt", cv=5, random_state=0).fit(X + y[:, None], y)
        assert model.predict_proba([[9.0]])[0, 2] > 0


class TestFace:
    def test_clone_and_pickle(self, cancer):
        X, y = cancer
        model = BayesDecision(
            GaussianNB(),
            costs=[[0, 1], [5, 0]],
            reject=[Workload(0.2), Novelty(0.1)],
            calibrate="platt",
            random_state=0,
        ).fit(X, y)
        copy = pickle.loads(pickle.dumps(model))
        assert np.array_equal(copy.predict(X), model.predict(X))
        assert copy.reject_ == model.reject_
        again = clone(model).fit(X, y)
        assert np.array_equal(again.predict(X), model.predict(X))

    def test_frames_and_their_names(self):
        frame = pd.DataFrame({"size": [1.0, 1.2, 3.1, 2.9] * 5, "colour": ["red", "red", "blue", None] * 5})
        y = ["s", "s", "l", "l"] * 5
        model = BayesDecision(BayesClassifier(), reject=ErrorBudget(0.5), cv=2).fit(frame, y)
        assert model.n_features_in_ == 2
        assert model.feature_names_in_.tolist() == ["size", "colour"]
        assert set(model.predict(frame)) <= {"s", "l", REJECT}

    def test_names_of_columns_are_those_of_the_last_fit(self):
        frame, y = pd.DataFrame({"size": [1.0, 1.2, 3.1, 2.9]}), ["s", "s", "l", "l"]
        model = BayesDecision(BayesClassifier()).fit(frame, y)
        assert model.feature_names_in_.tolist() == ["size"]
        assert not hasattr(model.fit(frame.to_numpy(), y), "feature_names_in_")

    @pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame, pa.table, dict, list])
    def test_rows_of_every_form_can_be_held_out(self, form):
        columns = {"size": [1.0, 1.2, 3.1, 2.9] * 5, "colour": ["red", "red", "blue", None] * 5}
        rows = pd.DataFrame(columns).to_dict("records") if form is list else form(columns)
        y = ["s", "s", "l", "l"] * 5
        model = BayesDecision(BayesClassifier(), calibrate="temperature", cv=4, random_state=0).fit(rows, y)
        assert model.predict(rows).tolist() == y

    def test_a_fit_that_fails_changes_nothing(self, cancer):
        X, y = cancer
        model = BayesDecision(GaussianNB(), cv=0.3, random_state=0).fit(X, y)
        before = model.__dict__.copy()
        with pytest.raises(ValueError, match="labels"):
            model.fit(X, y[:-1])
        assert model.__dict__ == before

    def test_the_name_of_the_label_column(self):
        frame = pd.DataFrame({"size": [1.0, 1.2, 3.1, 2.9], "kind": ["s", "s", "l", "l"]})
        assert BayesDecision(BayesClassifier()).fit(frame, "kind").predict(frame[["size"]]).tolist() == [
            "s",
            "s",
            "l",
            "l",
        ]

    def test_costs_of_every_row_at_prediction(self):
        X, y = [[0.0], [1.0], [4.0], [5.0]], ["good", "good", "bad", "bad"]
        model = BayesDecision(GaussianNB()).fit(X, y)
        costs = {("bad", "pay"): [1.0, 1e6], ("bad", "stop"): 0, ("good", "pay"): 0, ("good", "stop"): 1}
        assert model.predict([[2.0], [2.0]], costs=costs).tolist() == ["pay", "stop"]
        assert model.score([[2.0], [2.0]], ["good", "bad"], costs=costs) == 1.0

    def test_score_is_one_minus_the_mean_cost(self, cancer):
        X, y = cancer
        model = BayesDecision(GaussianNB(), costs=[[0, 3], [1, 0]], reject=Chow(0.2)).fit(X, y)
        decision = model.decide(X)
        paid = np.where(decision.rejected, 0.2, np.where(decision.actions == y, 0.0, np.where(y == "benign", 3.0, 1.0)))
        assert model.score(X, y) == pytest.approx(1 - paid.mean())

    def test_in_a_search(self, cancer):
        X, y = cancer
        search = GridSearchCV(
            BayesDecision(GaussianNB(), costs=[[0, 1], [20, 0]]), {"estimator__var_smoothing": [1e-9, 0.1]}, cv=3
        )
        search.fit(X, y)
        assert np.ptp(search.cv_results_["mean_test_score"]) > 0

    def test_weights_reach_the_classifier(self, cancer):
        X, y = cancer
        w = np.where(y == "benign", 5.0, 1.0)
        model = BayesDecision(GaussianNB(), cv=3).fit(X, y, sample_weight=w)
        assert np.array_equal(model.predict_proba(X), GaussianNB().fit(X, y, sample_weight=w).predict_proba(X))
        shared = BayesDecision(GaussianNB(), cv=0.25, random_state=0).fit(X, y, sample_weight=w)
        assert shared.estimator_.class_count_.max() > len(y)

    def test_metadata_routing(self, cancer):
        X, y = cancer
        w = np.where(y == "benign", 5.0, 1.0)
        with sklearn.config_context(enable_metadata_routing=True):
            asks = BayesDecision(GaussianNB().set_fit_request(sample_weight=True)).fit(X, y, sample_weight=w)
            with pytest.raises(ValueError, match="sample_weight"):
                BayesDecision(GaussianNB()).fit(X, y, sample_weight=w)
            amounts = np.ones((len(y), 2, 2)) - np.eye(2)
            amounts[:, 1, 0] = np.linspace(0, 100, len(y))
            model = BayesDecision(GaussianNB()).set_score_request(costs=True)
            scores = cross_val_score(model, X, y, params={"costs": amounts}, cv=3)
        assert np.array_equal(asks.predict_proba(X), GaussianNB().fit(X, y, sample_weight=w).predict_proba(X))
        assert not np.allclose(scores, cross_val_score(BayesDecision(GaussianNB()), X, y, cv=3))

    def test_learned_things_can_be_read(self, cancer):
        X, y = cancer
        model = BayesDecision(
            GaussianNB(), costs={("malignant", "benign"): 9, ("benign", "malignant"): 1}, reject=Workload(0.1), cv=0.5
        ).fit(X, y)
        assert model.costs_.values.tolist() == [[0.0, 1.0], [9.0, 0.0]]
        assert model.costs_.actions.tolist() == ["benign", "malignant"]
        (limit,) = model.reject_
        assert 0 < limit.most < np.inf
        assert model.calibration_ is None
