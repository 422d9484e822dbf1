"""log p(row) of every model: the mixture of its classes' densities, integrated and drawn from."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from suffice import BayesClassifier, BayesDecision, Categorical, MultivariateNormal, QuadraticDiscriminantAnalysis
from suffice.decision import Novelty
from suffice.errors import DataError, SingularError


@pytest.mark.parametrize("model", ["naive", "weighted", "additive", "full"])
def test_score_samples_integrates_to_one(model, rng):
    x = rng.normal(size=1200)
    y = (x + rng.normal(size=1200) > 0).astype(int)
    fitted = BayesClassifier(model=model).fit(x[:, None], y)
    u = np.linspace(-12, 12, 400_001)
    at = np.sinh(u)
    got = np.trapezoid(np.exp(fitted.score_samples(at[:, None])) * np.cosh(u), u)
    assert got == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("model", ["naive", "additive", "full"])
def test_the_joint_is_the_posterior_times_the_density(model):
    X, y = load_breast_cancer(return_X_y=True)
    fitted = BayesClassifier(model=model).fit(X[:400, :6], y[:400])
    joint = fitted.predict_joint_log_proba(X[400:, :6])
    np.testing.assert_allclose(np.logaddexp(*joint.T), fitted.score_samples(X[400:, :6]), rtol=1e-10)
    np.testing.assert_allclose(np.exp(joint - joint.max(axis=1, keepdims=True)).argmax(axis=1),
                               fitted.predict_proba(X[400:, :6]).argmax(axis=1))  # fmt: skip


@pytest.mark.parametrize("model", ["naive", "additive", "full"])
def test_a_cell_far_out_is_novel_to_every_model(model, rng):
    x = rng.normal(size=(1500, 6)) @ rng.normal(size=(6, 6))
    y = (x[:, 0] + rng.normal(size=1500) > 0).astype(int)
    deciding = BayesDecision(BayesClassifier(model=model), reject=Novelty(0.01)).fit(x, y)
    far = x[:100].copy()
    far[:, 2] = 1e9
    assert deciding.predict(far).tolist() == ["reject"] * 100
    assert np.mean(deciding.predict(x) == "reject") < 0.02


def test_explanations_of_impossible_rows_add_up():
    rows = [["a", "u"], ["b", "v"], ["a", "u"]]
    model = BayesClassifier(Categorical(), estimate="mle", prior={"p": 0.3, "q": 0.7}).fit(rows, ["p", "q", "p"])
    found = model.explain([["a", "v"], ["a", "u"]])
    log_p = model.predict_log_proba([["a", "v"]])[0]
    assert found.of[0] == model.predict([["a", "v"]])[0] == "q"
    assert found.prior[0] + found.evidence[0].sum() == pytest.approx(log_p[1] - log_p[0])
    assert found.evidence[1].sum() == np.inf


def test_numbers_whose_squares_vanish_are_refused(rng):
    x, y = rng.normal(size=(60, 2)) * 1e-200, np.arange(60) % 2
    with pytest.raises(DataError, match=r"Column 0 has class means .*MultivariateNormal squares.*Rescale"):
        BayesClassifier(MultivariateNormal()).fit(x, y)


def test_a_singular_covariance_is_refused_with_eigenvalue_and_tolerance():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(SingularError, match=r"class 0 .* smallest eigenvalue is [-\d.e]+, and tol is 0\.0001"):
        QuadraticDiscriminantAnalysis().fit(np.c_[X, X[:, 0]], y)
