"""The multivariate normal against scipy's, numpy's and scikit-learn's, and the forms of its covariance."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from suffice import BayesClassifier, Gaussian, MultivariateNormal
from suffice.errors import DataError, ParameterError

KINDS = ["full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical"]


@pytest.fixture
def wine():
    X, y = load_wine(return_X_y=True)
    return X[:, :5], y


def log_density(family, rule, x, y, at):
    model = BayesClassifier(family, estimate=rule, prior="uniform").fit(x, y)
    return model.predict_joint_log_proba(at) + np.log(len(model.classes_))


def shaped(kind, covariances, weights):
    if kind.startswith("tied"):
        covariances = [np.average(covariances, axis=0, weights=weights)] * len(covariances)
    if "diagonal" in kind:
        covariances = [np.diag(np.diag(c)) for c in covariances]
    if "spherical" in kind:
        covariances = [np.trace(c) / len(c) * np.eye(len(c)) for c in covariances]
    return covariances


@pytest.mark.parametrize("kind", KINDS)
def test_mle(wine, kind):
    x, y = wine
    classes = [x[y == c] for c in np.unique(y)]
    covariances = shaped(kind, [np.cov(c.T, bias=True) for c in classes], [len(c) for c in classes])
    expected = [
        stats.multivariate_normal.logpdf(x, c.mean(axis=0), s) for c, s in zip(classes, covariances, strict=True)
    ]
    np.testing.assert_allclose(log_density(MultivariateNormal(kind, floor=0.0), "mle", x, y, x), np.transpose(expected))


@pytest.mark.parametrize("rule", ["mean", "map", "predictive"])
def test_with_its_normal_inverse_wishart_prior(wine, rule):
    x, y = wine
    d, k0, w0 = 5, 2.0, 3.0
    nu0, psi0, mu0 = w0 + d + 1, w0 * np.diag(x.var(axis=0)), x.mean(axis=0)
    expected = []
    for c in (x[y == k] for k in np.unique(y)):
        n, m = len(c), c.mean(axis=0)
        kn, nun = k0 + n, nu0 + n
        mun = (k0 * mu0 + n * m) / kn
        psi = psi0 + n * np.cov(c.T, bias=True) + k0 * n / kn * np.outer(m - mu0, m - mu0)
        if rule == "predictive":
            scale = psi * (kn + 1) / (kn * (nun - d + 1))
            expected.append(stats.multivariate_t.logpdf(x, mun, scale, nun - d + 1))
        else:
            covariance = psi / (nun - d - 1) if rule == "mean" else psi / (nun + d + 2)
            expected.append(stats.multivariate_normal.logpdf(x, mun, covariance))
    family = MultivariateNormal(mean_weight=k0, covariance_weight=w0, floor=0.0)
    np.testing.assert_allclose(log_density(family, rule, x, y, x), np.transpose(expected))


def test_it_is_discriminant_analysis():
    X, y = load_iris(return_X_y=True)
    quadratic = BayesClassifier(MultivariateNormal("full", floor=0.0), estimate="mle").fit(X, y)
    # scikit-learn divides by n − 1, which the posterior feels a little
    theirs = QuadraticDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(quadratic.predict_proba(X), theirs.predict_proba(X), atol=0.02)
    linear = BayesClassifier(MultivariateNormal("tied", floor=0.0), estimate="mle").fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    np.testing.assert_allclose(linear.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


def test_the_diagonal_is_the_naive_gaussian(wine):
    x, y = wine
    np.testing.assert_allclose(
        log_density(MultivariateNormal("diagonal", floor=0.0), "mle", x, y, x), log_density(Gaussian(), "mle", x, y, x)
    )


@pytest.mark.parametrize("rule", ["mle", "predictive"])
def test_missing_cells_are_summed_out(wine, rule):
    x, y = wine
    model = BayesClassifier(MultivariateNormal(), estimate=rule).fit(x, y)
    some = [0, 3]
    density = model.model_.densities[0]
    holes = np.full_like(x, np.nan)
    holes[:, some] = x[:, some]
    for c in range(3):
        mean, scale = density.mean[c, some], density.scale[c][np.ix_(some, some)]
        if rule == "mle":
            expected = stats.multivariate_normal.logpdf(x[:, some], mean, scale)
        else:
            expected = stats.multivariate_t.logpdf(x[:, some], mean, scale, density.dof[c])
        joint = model.predict_joint_log_proba(holes)[:, c] - model.model_.log_prior[c]
        np.testing.assert_allclose(joint, expected)
    nothing = model.predict_proba(np.full((1, 5), np.nan))
    np.testing.assert_allclose(nothing[0], np.exp(model.model_.log_prior))


def test_samples_refit_to_the_parameters(wine):
    x, y = wine
    model = BayesClassifier(MultivariateNormal("tied"), estimate="mle").fit(x, y)
    drawn, labels = model.sample(60_000, random_state=0)
    again = BayesClassifier(MultivariateNormal("tied"), estimate="mle").fit(drawn, labels)
    a, b = model.model_.densities[0], again.model_.densities[0]
    deviation = np.sqrt(np.diagonal(a.scale[0]))
    assert np.abs((a.mean - b.mean) / deviation).max() < 0.05
    assert np.abs((a.scale - b.scale) / np.outer(deviation, deviation)).max() < 0.05


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_would_be_singular(kind, rule, rng):
    base = rng.normal(size=(30, 2))
    doubled = np.column_stack([base, base[:, 0], np.full(30, 3.0), base.sum(axis=1)])
    y = np.arange(30) % 3
    few = [doubled, doubled[:3], np.eye(6)[:4], np.concatenate([doubled, doubled[:1] + 1])]
    for x in few:
        labels = np.arange(len(x)) % 3 if len(x) != 30 else y
        model = BayesClassifier(MultivariateNormal(kind), estimate=rule).fit(x, labels)
        p = model.predict_proba(np.concatenate([x, x + 0.1, 1e6 * x]))
        np.testing.assert_allclose(p.sum(axis=1), 1)
        assert np.isfinite(p).all()


def test_blocks_side_by_side(wine):
    x, y = wine
    pairs = BayesClassifier({(0, 1): MultivariateNormal(), (2, 3): MultivariateNormal("tied")}).fit(x, y)
    assert [tuple(b.columns) for b in pairs.model_.blocks] == [(0, 1), (2, 3), (4,)]
    apart = sum(
        BayesClassifier(family, prior="uniform").fit(x[:, c], y).predict_joint_log_proba(x[:, c]) + np.log(3)
        for family, c in ((MultivariateNormal(), [0, 1]), (MultivariateNormal("tied"), [2, 3]), (Gaussian(), [4]))
    )
    np.testing.assert_allclose(pairs.predict_joint_log_proba(x), apart + pairs.model_.log_prior)


def test_bad_settings_and_values():
    with pytest.raises(ParameterError, match="covariance is 'round'"):
        MultivariateNormal("round")
    with pytest.raises(DataError, match="Column 1 has 1 infinite values; MultivariateNormal"):
        BayesClassifier(MultivariateNormal()).fit([[1.0, np.inf], [2.0, 3.0]], [0, 1])
    with pytest.raises(DataError, match="at most 4096 can go together"):
        BayesClassifier(MultivariateNormal()).fit(np.ones((2, 5000)), [0, 1])
