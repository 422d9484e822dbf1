"""LogisticRegression: the optimum is scikit-learn's, whichever way it is reached."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import logsumexp
from sklearn import linear_model as theirs
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from suffice.estimators.linear_model.logistic.narrow import Narrow
from suffice.estimators.linear_model.logistic.problem import Batch, InMemory, LogisticProblem
from suffice.estimators.linear_model.logistic.row_space import RowSpace
from suffice.estimators.linear_model.logistic.start import gaussian_table, null_table, null_value
from suffice.estimators.linear_model.logistic.wide import Wide
from suffice.linear_model import LogisticRegression
from suffice.numerics.descent import descend
from versions import since_scikit_learn_1_9

DATA = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}


def objective(model, X, y, weight=None, C=1.0):
    """C Σ w (−log p) + ½ |coef|², from the coefficients alone."""
    scores = X @ model.coef_.T + model.intercept_
    scores = np.column_stack([np.zeros(len(y)), scores]) if scores.shape[1] == 1 else scores
    own = scores[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    w = np.ones(len(y)) if weight is None else weight
    return C * (w * (logsumexp(scores, axis=1) - own)).sum() + 0.5 * (model.coef_**2).sum()


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_optimum(rng, data, C, intercept, weighted):
    X, y = DATA[data](return_X_y=True)
    w = rng.random(len(y)) if weighted else None
    us = LogisticRegression(C=C, fit_intercept=intercept, tol=1e-8).fit(X, y, w)
    them = theirs.LogisticRegression(C=C, fit_intercept=intercept, tol=1e-10, max_iter=1000, solver="newton-cholesky")
    them.fit(X, y, w)
    total = len(y) if w is None else w.sum()
    ours, other = objective(us, X, y, w, C), objective(them, X, y, w, C)
    assert ours <= other * (1 + 1e-8)
    assert us.loss_ == pytest.approx(ours / (C * total), rel=1e-9)
    assert us.gradient_size_ <= 1e-8
    np.testing.assert_allclose(us.predict_proba(X), them.predict_proba(X), atol=1e-5)
    assert us.coef_.shape == them.coef_.shape
    assert us.intercept_.shape == them.intercept_.shape
    assert us.n_iter_.shape == (1,)


def tall(rng):
    """More rows than cells of the table."""
    X, y = make_classification(600, 20, n_informative=8, n_classes=4, random_state=0)
    return sp.csr_array(np.where(rng.random(X.shape) < 0.6, X, 0.0)), y


def wide(rng):
    """Far more columns than rows, and some classes rarer than others."""
    X = sp.random_array((90, 2000), density=0.03, format="csr", random_state=rng)
    return X, rng.choice(3, 90, p=[0.6, 0.3, 0.1])


@pytest.mark.parametrize("data", [tall, wide])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_way_to_write_the_weights_leads_there(rng, data, classes, intercept, weighted):
    X, y = data(rng)
    y = np.minimum(y, classes - 1).astype(np.int32)
    weight = rng.random(len(y)) if weighted else None
    factors = np.array([1.0, 2.0, 0.5])[:classes]
    totals = factors * np.bincount(y, weight)
    ridge = np.append(np.full(X.shape[1], 0.5 / totals.sum()), 0.0)
    batch, dense = Batch(X, y, weight), Batch(X.toarray(), y, weight)
    ends = []
    for rows in (batch, dense):
        problem = LogisticProblem(InMemory(rows), len(y), X.shape[1], totals, factors, ridge, intercept, 2)
        spaces = [Narrow(problem)] if data is tall else []
        spaces += [Wide(problem), RowSpace(problem, batch)]
        for space in spaces:
            start = space.point(space.flat(null_table(problem)))
            assert start.value == pytest.approx(null_value(problem), rel=1e-12)
            end = descend(start, space.point, space.direction_rule(), tol=1e-9, max_steps=500, slope_ratio=space.turn)
            assert end.converged
            ends.append((end.point.value, space.table(end.point.x)))
    for value, table in ends[1:]:
        assert value == pytest.approx(ends[0][0], rel=1e-12)
        np.testing.assert_allclose(table, ends[0][1], atol=2e-5)


def test_the_gradients_size_is_scikit_learns(rng):
    """The largest derivative with respect to any class's weights: what tol is compared with there."""
    X, y = load_wine(return_X_y=True)
    model = LogisticRegression(max_iter=3, tol=0.0)
    with pytest.warns(ConvergenceWarning, match="failed to converge after 3 iteration"):
        model.fit(X, y)
    truth = np.eye(3)[y]
    residuals = (model.predict_proba(X) - truth) / len(y)
    gradient = np.column_stack([residuals.T @ X + model.coef_ / len(y), residuals.sum(axis=0)])
    assert model.gradient_size_ == pytest.approx(np.abs(gradient).max(), rel=1e-9)


def test_it_starts_from_the_shared_covariance_model(rng):
    """Where that is true, its weights are all but there at once."""
    y = rng.integers(0, 3, 40_000).astype(np.int32)
    mix = rng.normal(size=(6, 6))
    X = (rng.normal(size=(40_000, 6)) + rng.normal(size=(3, 6))[y]) @ mix
    problem = LogisticProblem(
        InMemory(Batch(X, y, None)), len(y), 6, np.bincount(y) * 1.0, np.ones(3), np.zeros(7), True, 2
    )
    table = gaussian_table(problem)
    space = Narrow(problem)
    best = LogisticRegression(C=np.inf, tol=1e-9).fit(X, y).loss_
    assert space.point(space.flat(table)).value - best < 1e-2 * (null_value(problem) - best)
    assert LogisticRegression().fit(X, y).n_iter_[0] <= 3


def test_digits_converge_where_lbfgs_does_not():
    X, y = load_digits(return_X_y=True)
    model = LogisticRegression().fit(X, y)
    assert model.gradient_size_ <= 1e-4
    with pytest.warns(ConvergenceWarning):
        theirs.LogisticRegression().fit(X, y)


def test_a_penalised_intercept_is_liblinears():
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X) + 1.0
    for scaling in (1.0, 10.0):
        settings = {"solver": "liblinear", "intercept_scaling": scaling, "tol": 1e-8, "max_iter": 10_000}
        us = LogisticRegression(**settings).fit(X, y)
        them = theirs.LogisticRegression(**settings).fit(X, y)
        np.testing.assert_allclose(us.coef_, them.coef_, atol=1e-5)
        np.testing.assert_allclose(us.intercept_, them.intercept_, atol=1e-5)


@since_scikit_learn_1_9
def test_class_weights_are_scikit_learns(rng):
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    labels, w = np.array(["red", "white", "rosé"])[y], rng.random(len(y))
    for weights in ("balanced", {"red": 3.0, "rosé": 0.5}, {"red": 1, "white": 1, "rosé": 2}):
        us = LogisticRegression(class_weight=weights, tol=1e-9).fit(X, labels, w)
        them = theirs.LogisticRegression(class_weight=weights, tol=1e-9, max_iter=1000).fit(X, labels, w)
        np.testing.assert_allclose(us.coef_, them.coef_, atol=1e-6)
        np.testing.assert_array_equal(us.classes_, them.classes_)


def test_the_same_bytes_for_any_number_of_threads(rng):
    X, y = make_classification(20_000, 12, n_informative=8, n_classes=3, random_state=1)
    for rows in (X, np.asfortranarray(X), X.astype(np.float32), sp.csr_array(np.where(np.abs(X) > 1, X, 0))):
        answers = {LogisticRegression(n_jobs=jobs).fit(rows, y).coef_.tobytes() for jobs in (1, 2, 4)}
        assert len(answers) == 1
    sparse = sp.random_array((200, 5000), density=0.02, format="csr", random_state=rng)
    assert len({LogisticRegression(n_jobs=jobs).fit(sparse, y[:200]).coef_.tobytes() for jobs in (1, 2, 4)}) == 1


def test_every_kind_of_number_is_read_without_being_copied_first(rng):
    X, y = make_classification(500, 8, n_informative=5, n_classes=3, random_state=2)
    X = np.round(10 * X)
    expected = LogisticRegression().fit(X, y)
    for dtype in (np.int64, np.int16, np.float32):
        model = LogisticRegression().fit(X.astype(dtype), y)
        assert model.coef_.dtype == (np.float32 if dtype == np.float32 else np.float64)
        np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-5)
        assert model.predict_proba(X.astype(dtype)).dtype == np.float64


def test_a_warm_start_is_where_the_last_fit_ended(capsys):
    X, y = load_wine(return_X_y=True)
    model = LogisticRegression(warm_start=True, tol=1e-6, verbose=1).fit(X, y)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == model.n_iter_[0] + 1
    assert printed[-1].startswith(f"step {model.n_iter_[0]}: loss 0.0622357")
    model.fit(X, y)
    assert model.n_iter_[0] == 0
    model.set_params(C=0.5).sparsify().fit(X, y)
    assert model.n_iter_[0] > 0
    again = LogisticRegression(C=0.5, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(model.coef_, again.coef_, atol=1e-4)
    sparse = sp.random_array((50, 1500), density=0.05, format="csr", random_state=np.random.default_rng(0))
    model = LogisticRegression(warm_start=True, tol=1e-7).fit(sparse, y[50:100])
    steps = model.n_iter_[0]
    assert model.fit(sparse, y[50:100]).n_iter_[0] < steps
