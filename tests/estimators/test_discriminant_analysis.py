"""The discriminant analyses against scikit-learn's, and what they do beyond it."""

import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn import discriminant_analysis as theirs
from sklearn.base import clone
from sklearn.covariance import OAS
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from suffice import BayesClassifier, MultivariateNormal
from suffice.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from suffice.errors import DataError, NotAdditiveError, NotLinearError, ParameterError, SingularError
from versions import since_scikit_learn_1_9

LINEAR = [
    {"solver": s, "shrinkage": k, "priors": p}
    for s, k in [("svd", None), ("lsqr", None), ("lsqr", 0.3), ("eigen", None), ("eigen", "auto"), ("lsqr", "auto")]
    for p in (None, [0.2, 0.5, 0.3])
] + [{"solver": "eigen", "covariance_estimator": OAS()}]
QUADRATIC = [
    {},
    {"reg_param": 0.1},
    {"solver": "eigen"},
    {"solver": "eigen", "shrinkage": 0.3},
    {"solver": "eigen", "shrinkage": "auto"},
    {"solver": "eigen", "covariance_estimator": OAS(), "priors": [0.2, 0.5, 0.3]},
]


@pytest.fixture(params=["iris", "wine"])
def table(request):
    return {"iris": load_iris, "wine": load_wine}[request.param](return_X_y=True)


@since_scikit_learn_1_9
@pytest.mark.parametrize("settings", LINEAR, ids=str)
def test_linear_agrees(table, settings):
    X, y = table
    a = LinearDiscriminantAnalysis(store_covariance=True, **settings).fit(X, y)
    b = theirs.LinearDiscriminantAnalysis(store_covariance=True, **settings).fit(X, y)
    for name in ("coef_", "intercept_", "means_", "priors_", "covariance_", "explained_variance_ratio_", "xbar_"):
        assert hasattr(a, name) == hasattr(b, name), name
        if hasattr(b, name):
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-6, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-8)
    np.testing.assert_array_equal(a.predict(X), b.predict(X))
    if settings["solver"] != "lsqr":
        np.testing.assert_allclose(np.abs(a.transform(X)), np.abs(b.transform(X)), rtol=1e-5, atol=1e-6)


@since_scikit_learn_1_9
def test_linear_agrees_on_two_classes():
    X, y = load_breast_cancer(return_X_y=True)
    a, b = LinearDiscriminantAnalysis().fit(X, y), theirs.LinearDiscriminantAnalysis().fit(X, y)
    assert a.coef_.shape == b.coef_.shape
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-5)
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-5)


@since_scikit_learn_1_9
@pytest.mark.parametrize("settings", QUADRATIC, ids=str)
def test_quadratic_agrees(table, settings):
    X, y = table
    a = QuadraticDiscriminantAnalysis(store_covariance=True, tol=1e-9, **settings).fit(X, y)
    b = theirs.QuadraticDiscriminantAnalysis(store_covariance=True, tol=1e-9, **settings).fit(X, y)
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), rtol=1e-8, atol=1e-7)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-8)
    for name in ("means_", "priors_", "covariance_", "scalings_"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-7, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(np.abs(a.rotations_), np.abs(b.rotations_), atol=1e-6)


BOTH = [LinearDiscriminantAnalysis(), LinearDiscriminantAnalysis("eigen", 0.2), QuadraticDiscriminantAnalysis(tol=1e-9)]


@pytest.mark.parametrize("estimator", BOTH, ids=str)
def test_streaming_merging_and_forgetting_are_fitting(table, estimator):
    X, y = table
    order = np.random.default_rng(3).permutation(len(X))
    X, y = X[order], y[order]
    whole = clone(estimator).fit(X, y)
    parts = np.array_split(np.arange(len(X)), 3)
    streamed = clone(estimator)
    for part in parts:
        streamed.partial_fit(X[part], y[part], classes=[0, 1, 2])
    merged = clone(estimator).fit(X[:90], y[:90]).merge(clone(estimator).fit(X[90:], y[90:]))
    more = clone(estimator).fit(np.concatenate([X, X[:20] + 1]), np.concatenate([y, y[:20]]))
    more.forget(X[:20] + 1, y[:20])
    kept = pickle.loads(pickle.dumps(whole))
    for other in (streamed, merged, more, kept):
        np.testing.assert_allclose(other.predict_proba(X), whole.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("estimator", BOTH, ids=str)
def test_weights_are_repeated_rows(table, estimator, rng):
    X, y = table
    w = rng.integers(1, 4, len(X))
    weighted = clone(estimator).fit(X, y, sample_weight=w)
    repeated = clone(estimator).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-9)


def test_missing_cells(rng):
    X, y = load_iris(return_X_y=True)
    holes = X.copy()
    holes[::7, 2] = np.nan
    complete = ~np.isnan(holes).any(axis=1)
    for estimator in (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()):
        a = clone(estimator).fit(holes, y)
        b = clone(estimator).set_params(priors=np.bincount(y) / len(y)).fit(X[complete], y[complete])
        np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-10)
        p = a.predict_proba(holes)
        assert np.isfinite(p).all()
        assert np.isfinite(a.decision_function(holes)).all()
        # without the third column: the marginal of the others
        rest = [0, 1, 3]
        block = a.gaussian_block().density
        one = [
            stats.multivariate_normal.logpdf(
                X[0, rest], block.mean[c, rest], block.covariance(c).full()[np.ix_(rest, rest)]
            )
            for c in range(3)
        ]
        joint = np.array(one) + np.log(a.priors_)
        np.testing.assert_allclose(p[0], np.exp(joint - joint.max()) / np.exp(joint - joint.max()).sum())


def test_what_scikit_learn_cannot_solve(rng):
    """Duplicated and constant columns, collinear one-hot columns, more columns than rows."""
    base = rng.normal(size=(60, 3))
    y = np.arange(60) % 3
    base[:, 0] += y
    hot = np.eye(4)[rng.integers(0, 4, 60)]
    for X in (
        np.column_stack([base, base[:, 0]]),
        np.column_stack([base, np.full(60, 7.0)]),
        np.column_stack([base, hot]),
        np.column_stack([base, rng.normal(size=(60, 100))]),
    ):
        for solver in ("svd", "lsqr", "eigen"):
            p = LinearDiscriminantAnalysis(solver).fit(X, y).predict_proba(X)
            assert np.isfinite(p).all()
        with pytest.raises(SingularError, match=r"The covariance matrix of class 0 is not full rank.*BayesClassifier"):
            QuadraticDiscriminantAnalysis().fit(X, y)
        p = BayesClassifier(MultivariateNormal()).fit(X, y).predict_proba(X)
        assert np.isfinite(p).all()


@since_scikit_learn_1_9
def test_what_scikit_learns_default_can_solve(rng):
    """Duplicated and constant columns."""
    base = rng.normal(size=(60, 3))
    y = np.arange(60) % 3
    base[:, 0] += y
    X = np.column_stack([base, base[:, 0], np.full(60, 7.0)])
    a, b = LinearDiscriminantAnalysis().fit(X, y), theirs.LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-10)
    np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-10)


@since_scikit_learn_1_9
def test_far_more_columns_than_rows(rng):
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 1300))
    X[:, :30] += y[:, None]
    X[:, 31] = 3.0
    for ours in (LinearDiscriminantAnalysis().fit(X, y), LinearDiscriminantAnalysis().fit(X[:30], y[:30])):
        if ours.class_count_.sum() == 30:
            ours.merge(LinearDiscriminantAnalysis().fit(X[30:], y[30:]))
        other = theirs.LinearDiscriminantAnalysis().fit(X, y)
        at = rng.normal(size=(20, 1300))
        np.testing.assert_allclose(ours.decision_function(at), other.decision_function(at), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(ours.predict_proba(at), other.predict_proba(at), atol=1e-7)
        np.testing.assert_allclose(np.abs(ours.transform(at)), np.abs(other.transform(at)), rtol=1e-6, atol=1e-6)


def test_a_column_far_from_zero_keeps_its_digits(rng):
    X, y = load_iris(return_X_y=True)
    near, far = LinearDiscriminantAnalysis().fit(X, y), LinearDiscriminantAnalysis().fit(X + 1e7, y)
    np.testing.assert_allclose(far.predict_proba(X + 1e7), near.predict_proba(X), atol=1e-6)


@since_scikit_learn_1_9
def test_digits_with_their_constant_pixels():
    X, y = load_digits(return_X_y=True)
    a, b = LinearDiscriminantAnalysis().fit(X, y), theirs.LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-7)


def test_what_does_not_add_says_so():
    X, y = load_iris(return_X_y=True)
    model = LinearDiscriminantAnalysis("lsqr", "auto").fit(X, y)
    for change in (
        lambda: model.partial_fit(X, y),
        lambda: model.forget(X[:3], y[:3]),
        lambda: model.merge(model),
    ):
        with pytest.raises(NotAdditiveError, match=r"are not additive\. Use a number for shrinkage"):
            change()
    with pytest.raises(ParameterError, match="take no weights"):
        model.fit(X, y, sample_weight=np.ones(len(y)))


def test_distances_correlations_and_outliers(rng):
    X, y = load_iris(return_X_y=True)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    for c in range(3):
        inverse = np.linalg.inv(np.cov(X[y == c].T, bias=True))
        away = X - X[y == c].mean(axis=0)
        expected = np.sqrt(np.einsum("ij,jk,ik->i", away, inverse, away))
        np.testing.assert_allclose(model.mahalanobis(X)[:, c], expected)
        np.testing.assert_allclose(model.correlations()[c], np.corrcoef(X[y == c].T))
    drawn, _ = model.sample(4000, random_state=1)
    score = model.outlier_score(drawn)
    assert ((score >= 0) & (score <= 1)).all()
    assert abs((score > 0.95).mean() - 0.05) < 0.015  # five in a hundred lie outside the ellipse that holds 95
    assert model.outlier_score([[50.0, 50, 50, 50]])[0] > 1 - 1e-12
    np.testing.assert_allclose(
        model.outlier_score(X), stats.chi2.cdf((model.mahalanobis(X) ** 2).min(axis=1), 4), atol=1e-12
    )
    wide_tails = BayesClassifier(MultivariateNormal(), estimate="predictive").fit(X, y).gaussian_block()
    assert wide_tails.outlier_score([[50.0, 50, 50, 50]])[0] > 0.99
    with pytest.raises(NotLinearError, match="Each class has its own covariance"):
        model.gaussian_block().axes()
    with pytest.raises(ParameterError, match="0 such blocks"):
        BayesClassifier().fit(X, y).gaussian_block()


def test_axes_whiten_the_classes_and_keep_the_posterior():
    X, y = load_wine(return_X_y=True)
    model = BayesClassifier(MultivariateNormal("tied"), estimate="mle").fit(X, y)
    z = model.gaussian_block().transform(X)
    assert z.shape == (len(X), 2)
    within = sum((z[y == c] - z[y == c].mean(axis=0)).T @ (z[y == c] - z[y == c].mean(axis=0)) for c in range(3)) / len(
        X
    )
    np.testing.assert_allclose(within, np.eye(2), atol=1e-6)
    again = BayesClassifier(MultivariateNormal("tied"), estimate="mle").fit(z, y)
    np.testing.assert_allclose(again.predict_proba(z), model.predict_proba(X), atol=1e-6)


def test_bad_input():
    X, y = load_iris(return_X_y=True)
    bad = X.copy()
    bad[0, 1] = np.inf
    with pytest.raises(DataError, match="Column 1 has 1 infinite values"):
        LinearDiscriminantAnalysis().fit(bad, y)
    with pytest.raises(DataError, match="Got 1 class"):
        QuadraticDiscriminantAnalysis().fit(X, np.zeros(len(X)))
    for estimator, message in (
        (LinearDiscriminantAnalysis(solver="magic"), "solver is 'magic'; it must be one of 'svd', 'lsqr', 'eigen'"),
        (LinearDiscriminantAnalysis("lsqr", 2.0), "shrinkage is 2.0; it must be 'auto', None or from 0 to 1"),
        (LinearDiscriminantAnalysis(tol=-1), "tol is -1"),
        (LinearDiscriminantAnalysis(n_components=0), "n_components is 0"),
        (QuadraticDiscriminantAnalysis(reg_param=3), "reg_param is 3; it must be a number from 0 to 1"),
        (QuadraticDiscriminantAnalysis(priors=[0.5, 0.5]), "Number of priors must match number of classes"),
    ):
        with pytest.raises(ParameterError, match=message):
            estimator.fit(X, y)
    model = QuadraticDiscriminantAnalysis().partial_fit(X[:1], y[:1], classes=[0, 1, 2])
    with pytest.raises(SingularError):  # the rows of the other classes may still come
        model.predict(X)
    whole = QuadraticDiscriminantAnalysis().fit(X, y)
    np.testing.assert_array_equal(model.partial_fit(X[1:], y[1:]).predict(X), whole.predict(X))


@since_scikit_learn_1_9
def test_small_probabilities_of_two_classes_are_kept(rng):
    """log(1 − p) = −log(1 + e^d) by the log-odds d, on which both agree; scikit-learn's subtracts p from 1."""
    X, y = np.concatenate([rng.normal(size=(100, 2)), rng.normal(5, 1, (100, 2))]), np.repeat([0, 1], 100)
    far = np.array([[9.0, 9.0], [14.0, 14.0]])
    ours, sklearns = LinearDiscriminantAnalysis().fit(X, y), theirs.LinearDiscriminantAnalysis().fit(X, y)
    d = sklearns.decision_function(far)
    assert (d > 40).all()
    np.testing.assert_allclose(ours.predict_log_proba(far)[:, 0], -np.logaddexp(0, d), rtol=1e-9)
    assert (sklearns.predict_log_proba(far)[:, 0] < -700).all()
