"""The drop-ins give scikit-learn's answers, and keep their word where scikit-learn's own do not."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import naive_bayes as theirs
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from suffice import naive_bayes as ours

NAMES = ["GaussianNB", "BernoulliNB", "CategoricalNB", "MultinomialNB", "ComplementNB"]
DATA = {"iris": load_iris, "wine": load_wine, "digits": load_digits, "breast cancer": load_breast_cancer}


def weighted_variance(X, w):
    return np.average((X - np.average(X, axis=0, weights=w)) ** 2, axis=0, weights=w)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("weighted", [False, True])
def test_same_answers(name, data, weighted, rng):
    X, y = DATA[data](return_X_y=True)
    w = rng.random(len(y)) if weighted else None
    us, them = getattr(ours, name)().fit(X, y, w), getattr(theirs, name)().fit(X, y, w)
    np.testing.assert_array_equal(us.classes_, them.classes_)
    if name == "GaussianNB" and weighted:
        # scikit-learn's smoothing forgets the weights, so a row of weight 2 is not that row twice; ours does not forget
        assert us.epsilon_ == pytest.approx(1e-9 * weighted_variance(X, w).max())
        them.var_ += us.epsilon_ - them.epsilon_
    np.testing.assert_allclose(us.predict_joint_log_proba(X), them.predict_joint_log_proba(X), rtol=1e-7)
    np.testing.assert_allclose(us.predict_proba(X), them.predict_proba(X), atol=1e-8)
    assert (us.predict(X) == them.predict(X)).mean() > 0.999


ATTRIBUTES = {
    "GaussianNB": ["class_count_", "class_prior_", "classes_", "epsilon_", "n_features_in_", "theta_", "var_"],
    "BernoulliNB": ["class_count_", "class_log_prior_", "feature_count_", "feature_log_prob_", "n_features_in_"],
    "MultinomialNB": ["class_count_", "class_log_prior_", "feature_count_", "feature_log_prob_", "n_features_in_"],
    "ComplementNB": ["class_count_", "class_log_prior_", "feature_all_", "feature_count_", "feature_log_prob_"],
    "CategoricalNB": ["category_count_", "class_count_", "class_log_prior_", "feature_log_prob_", "n_categories_"],
}


@pytest.mark.parametrize("name", NAMES)
def test_same_attributes(name):
    X, y = load_digits(return_X_y=True)
    us, them = getattr(ours, name)().fit(X, y), getattr(theirs, name)().fit(X, y)
    for attribute in ATTRIBUTES[name]:
        mine, other = getattr(us, attribute), getattr(them, attribute)
        for a, b in zip(mine, other, strict=True) if isinstance(other, list) else [(mine, other)]:
            np.testing.assert_allclose(a, b, rtol=1e-9, err_msg=attribute)
    for attribute in ATTRIBUTES[name]:
        assert not hasattr(getattr(ours, name)(), attribute)


@pytest.mark.parametrize("name", ["BernoulliNB", "MultinomialNB", "ComplementNB", "PoissonNB"])
def test_sparse_is_dense(name):
    X, y = load_digits(return_X_y=True)
    model = getattr(ours, name)().fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(model.predict_proba(sp.csr_matrix(X)), getattr(ours, name)().fit(X, y).predict_proba(X))


@pytest.mark.parametrize("name", [*NAMES, "PoissonNB"])
def test_streaming_merging_and_forgetting(name):
    X, y = load_iris(return_X_y=True)
    new = getattr(ours, name)
    whole = new().fit(X[::2], y[::2])
    stream = new().partial_fit(X[::4], y[::4], classes=[0, 1, 2]).partial_fit(X[2::4], y[2::4])
    merged = new().fit(X[::4], y[::4]) + new().fit(X[2::4], y[2::4])
    forgotten = new().fit(X, y).forget(X[1::2], y[1::2])
    for model in (stream, merged, forgotten):
        np.testing.assert_allclose(
            model.predict_joint_log_proba(X), whole.predict_joint_log_proba(X), rtol=0, atol=1e-9
        )


def test_gaussian_partial_fit_is_fit_where_theirs_is_not():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (50, 2)), rng.normal(0, 1000, (50, 2))])
    y = np.tile([0, 1], 50)
    smooth = {"var_smoothing": 1e-3}  # of a variance that differs between the batches
    stream = ours.GaussianNB(**smooth).partial_fit(X[50:], y[50:], [0, 1]).partial_fit(X[:50], y[:50])
    np.testing.assert_allclose(stream.var_, ours.GaussianNB(**smooth).fit(X, y).var_)
    drifting = theirs.GaussianNB(**smooth).partial_fit(X[50:], y[50:], [0, 1]).partial_fit(X[:50], y[:50])
    assert not np.allclose(drifting.var_, theirs.GaussianNB(**smooth).fit(X, y).var_)


def test_nan_is_a_missing_cell():
    X = np.array([[1.0, np.nan], [2.0, 5.0], [7.0, 1.0], [np.nan, 2.0]])
    for name in [*NAMES, "PoissonNB"]:
        model = getattr(ours, name)().fit(X, [0, 0, 1, 1])
        assert np.isfinite(model.predict_proba([[np.nan, np.nan], [1.0, np.nan]])).all()


def test_no_alpha_gives_no_nan():
    X, y = np.array([[1, 0], [1, 1]]), np.array([0, 1])
    for name in ["BernoulliNB", "MultinomialNB", "CategoricalNB", "ComplementNB"]:
        p = getattr(ours, name)(alpha=0.0).fit(X, y).predict_proba([[1, 0], [0, 1], [0, 0]])
        np.testing.assert_allclose(p.sum(axis=1), 1)


def test_they_live_in_pipelines_and_searches():
    X, y = load_digits(return_X_y=True)
    pipeline = make_pipeline(MinMaxScaler(), ours.MultinomialNB())
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.8
    search = GridSearchCV(ours.GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}, cv=3).fit(X, y)
    assert search.best_params_["var_smoothing"] == 1e-2
