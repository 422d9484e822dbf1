"""The multivariate normal against scipy's, numpy's and scikit-learn's, and the forms of its covariance."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.covariance import oas
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from suffice import BayesClassifier, Gaussian, MultivariateNormal
from suffice.errors import DataError, ForgetError, ParameterError
from suffice.families.multivariate_normal import family
from suffice.families.multivariate_normal.shrinkage import leave_one_out
from suffice.numerics.covariances import FullCovariance, LowRankCovariance
from suffice.statistics import WideScatter

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


def constrained(kind, rule, x, y, k0=2.0, w0=3.0):
    """log p under the conjugate prior of the covariance: one inverse χ² for each column, or one for all of them."""
    d, tied = x.shape[1], kind.startswith("tied")
    mu0, s0 = x.mean(axis=0), x.var(axis=0)
    groups = [x[y == k] for k in np.unique(y)]
    n, means = np.array([len(g) for g in groups]), [g.mean(axis=0) for g in groups]
    squares = [
        ((g - m) ** 2).sum(axis=0) + k0 * len(g) / (k0 + len(g)) * (m - mu0) ** 2
        for g, m in zip(groups, means, strict=True)
    ]
    expected = []
    for c, m in enumerate(means):
        rows, own = (n.sum(), np.sum(squares, axis=0)) if tied else (n[c], squares[c])
        sharing = len(n) if tied else 1  # means whose prior has the variance in it
        kn = k0 + n[c]
        mun, wider = (k0 * mu0 + n[c] * m) / kn, 1 + 1 / kn
        if "spherical" in kind:
            a, b = (w0 * d + 2 + rows * d) / 2, (w0 * s0.sum() + own.sum()) / 2
            if rule == "predictive":
                expected.append(stats.multivariate_t.logpdf(x, mun, np.eye(d) * b / a * wider, 2 * a))
                continue
            variance = np.full(d, b / (a - 1) if rule == "mean" else b / (a + 1 + sharing * d / 2))
        else:
            a, b = (w0 + 2 + rows) / 2, (w0 * s0 + own) / 2
            if rule == "predictive":
                expected.append(stats.t.logpdf(x, 2 * a, mun, np.sqrt(b / a * wider)).sum(axis=1))
                continue
            variance = b / (a - 1) if rule == "mean" else b / (a + 1 + sharing / 2)
        expected.append(stats.norm.logpdf(x, mun, np.sqrt(variance)).sum(axis=1))
    return np.transpose(expected)


@pytest.mark.parametrize("rule", ["mean", "map", "predictive"])
@pytest.mark.parametrize("kind", ["diagonal", "tied_diagonal", "spherical", "tied_spherical"])
def test_constrained_covariances_have_priors_of_their_own(wine, kind, rule):
    x, y = wine
    family = MultivariateNormal(kind, mean_weight=2.0, covariance_weight=3.0)
    np.testing.assert_allclose(log_density(family, rule, x, y, x), constrained(kind, rule, x, y), rtol=1e-10)


def test_the_mode_of_a_shared_covariance_has_a_mean_of_every_class(wine):
    """By maximising log p(μ, Σ | rows) over Σ at the means: the gradient is zero there."""
    x, y = wine
    d, k0, w0 = 5, 2.0, 3.0
    model = BayesClassifier(MultivariateNormal("tied", mean_weight=k0, covariance_weight=w0), estimate="map").fit(x, y)
    density = model.model_.densities[0]
    sigma, mu0 = density.covariances[0].full(), x.mean(axis=0)
    psi = w0 * np.diag(x.var(axis=0)) + sum(
        (x[y == c] - mu).T @ (x[y == c] - mu) + k0 * np.outer(mu - mu0, mu - mu0) for c, mu in enumerate(density.mean)
    )
    exponent = len(x) + 3 + (w0 + d + 1) + d + 1  # rows, three means, and the inverse Wishart
    inverse = np.linalg.inv(sigma)
    gradient = -0.5 * exponent * inverse + 0.5 * inverse @ psi @ inverse
    np.testing.assert_allclose(gradient, 0, atol=1e-9 * np.abs(exponent * inverse).max())


def test_the_floor_acts_only_where_nothing_varies(wine):
    x, y = wine
    for kind in KINDS:
        low, high = (log_density(MultivariateNormal(kind, floor=f), "mle", x, y, x) for f in (0.0, 1e-4))
        np.testing.assert_array_equal(low, high)
    twice = np.column_stack([x, x[:, :1]])
    low, high = (log_density(MultivariateNormal(floor=f), "mle", twice, y, twice) for f in (0.0, 1e-4))
    assert (low.max(axis=1) > high.max(axis=1) + 1).all()


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
        mean, scale = density.mean[c, some], density.covariances[c].columns(some).full()
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
    a_matrix, b_matrix = a.covariances[0].full(), b.covariances[0].full()
    deviation = np.sqrt(np.diagonal(a_matrix))
    assert np.abs((a.mean - b.mean) / deviation).max() < 0.05
    assert np.abs((a_matrix - b_matrix) / np.outer(deviation, deviation)).max() < 0.05


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
    pairs = BayesClassifier({(0, 1): MultivariateNormal(), (2, 3): MultivariateNormal("tied")}, model="naive").fit(x, y)
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
    with pytest.raises(ParameterError, match="pooling is 2; it must be a number from 0 to 1"):
        MultivariateNormal(pooling=2)
    with pytest.raises(ParameterError, match="shrinkage is 'some'"):
        MultivariateNormal(shrinkage="some")


# — patterns —


def matrices(x, y, rule="mle", **settings):
    model = BayesClassifier(MultivariateNormal(floor=0.0, **settings), estimate=rule).fit(x, y)
    return [c.full() for c in model.model_.densities[0].covariances]


def test_a_pattern_is_the_maximum_of_the_likelihood(wine):
    x, y = wine
    pairs = [(0, 1), (1, 2), (2, 3)]  # a chain: no closed form
    allowed = np.eye(5, dtype=bool)
    for a, b in pairs:
        allowed[a, b] = allowed[b, a] = True
    for c, fit in enumerate(matrices(x, y, pattern=pairs)):
        seen = np.cov(x[y == c].T, bias=True)
        assert (fit[~allowed] == 0).all()
        assert np.linalg.eigvalsh(fit).min() > 0
        # the score equations of a covariance graph: Σ⁻¹ − Σ⁻¹ S Σ⁻¹ vanishes wherever Σ may differ from zero
        inverse = np.linalg.inv(fit)
        gradient = (inverse - inverse @ seen @ inverse) * np.sqrt(np.outer(np.diag(seen), np.diag(seen)))
        np.testing.assert_allclose(gradient[allowed], 0, atol=1e-7)


def test_patterns_are_by_name(wine):
    x, y = wine
    frame = pd.DataFrame(x, columns=list("abcde"))
    by_name = BayesClassifier(MultivariateNormal(pattern=[("a", "d")])).fit(frame, y)
    by_place = BayesClassifier(MultivariateNormal(pattern=[(0, 3)])).fit(x, y)
    np.testing.assert_array_equal(by_name.predict_proba(frame), by_place.predict_proba(x))
    with pytest.raises(ParameterError, match="The pattern names 'z'; the columns of the block are 'a', 'b'"):
        BayesClassifier(MultivariateNormal(pattern=[("a", "z")])).fit(frame, y)
    for bad in (["ab"], [(1, 1)], [(1, 2, 3)], "ab"):
        with pytest.raises(ParameterError, match="pattern"):
            MultivariateNormal(pattern=bad)
    with pytest.raises(ParameterError, match="only 'full' and 'tied' have correlations"):
        MultivariateNormal("diagonal", pattern=[(0, 1)])


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_patterns_are_positive_definite_by_construction(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(12, 5)) @ rng.normal(size=(5, 5))
    pairs = [(i, j) for i in range(5) for j in range(i) if rng.random() < 0.5]
    for fit in matrices(x, np.arange(12) % 2, pattern=pairs):
        assert np.linalg.eigvalsh(fit).min() > 0


# — between pooled and own, between correlated and not —


def test_pooling_runs_from_each_its_own_to_one_for_all(wine):
    x, y = wine
    np.testing.assert_allclose(matrices(x, y, pooling=0.0), matrices(x, y))
    for one in matrices(x, y, pooling=1.0):
        np.testing.assert_allclose(one, matrices(x, y, covariance="tied")[0])
    n, total = np.bincount(y), len(y)
    own, shared = matrices(x, y), matrices(x, y, covariance="tied")[0]
    for c, between in enumerate(matrices(x, y, pooling=0.3)):  # Friedman 1989, eq. 16
        expected = (0.7 * n[c] * own[c] + 0.3 * total * shared) / (0.7 * n[c] + 0.3 * total)
        np.testing.assert_allclose(between, expected)


def test_fixed_shrinkage_takes_that_share_of_the_correlations(wine):
    x, y = wine
    for full, shrunk in zip(matrices(x, y), matrices(x, y, shrinkage=0.25), strict=True):
        np.testing.assert_allclose(np.diag(shrunk), np.diag(full))
        np.testing.assert_allclose(shrunk[0, 1:], 0.75 * full[0, 1:])


def test_oas_is_that_of_scikit_learn_on_standardised_columns(wine):
    x, y = wine
    for c, shrunk in enumerate(matrices(x, y, shrinkage="oas")):
        deviation = x[y == c].std(axis=0)
        z = (x[y == c] - x[y == c].mean(axis=0)) / deviation
        np.testing.assert_allclose(shrunk, oas(z)[0] * np.outer(deviation, deviation), rtol=1e-10)


@pytest.mark.parametrize("rows", [12, 40, 400])
def test_leave_one_out_shrinkage_is_near_the_best_of_refitting(rows, rng):
    x = rng.normal(size=(rows, 8)) @ np.linalg.cholesky(0.6 * np.ones((8, 8)) + 0.4 * np.eye(8)).T

    def loss(share):
        total = 0.0
        for i in range(rows):
            rest = np.delete(x, i, axis=0)
            s = np.cov(rest.T, bias=True)
            s = (1 - share) * s + share * np.diag(np.diag(s))
            total -= stats.multivariate_normal.logpdf(x[i], rest.mean(axis=0), s)
        return total / rows

    shares = [1e-4, 0.01, 0.05, *np.linspace(0.1, 1, 10)]
    chosen = leave_one_out(FullCovariance(rows * np.cov(x.T, bias=True)), rows)
    # the mean distance stands for that of each row, which costs a little when there are hardly more rows than columns
    assert loss(chosen) < min(loss(s) for s in shares) + (0.1 if rows < 20 else 0.005)
    assert rows > 20 or loss(chosen) < loss(0.01) - 2


def test_choosing_shrinkage_helps_where_rows_are_few(rng):
    x, y = rng.normal(size=(4000, 30)), np.arange(4000) % 2
    x[y == 1] *= 1.5
    train, test = slice(0, 100), slice(100, None)

    def loss(**settings):
        model = BayesClassifier(MultivariateNormal(**settings), estimate="mle").fit(x[train], y[train])
        return -model.predict_log_proba(x[test])[np.arange(3900), y[test]].mean()

    assert loss(shrinkage="loo") < loss() / 2
    assert loss(shrinkage="oas") < loss() / 2


# — far more columns than rows —


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
@pytest.mark.parametrize(
    "settings", [{"covariance": k} for k in KINDS] + [{"shrinkage": "loo"}, {"pooling": 0.4}], ids=str
)
def test_wide_blocks_are_the_same_model(settings, rule, rng, monkeypatch):
    x, y = rng.normal(size=(40, 6)) @ rng.normal(size=(6, 6)), np.arange(40) % 3
    at = np.concatenate([x, rng.normal(size=(5, 6))])
    at[-1, 2] = at[-2, 4] = np.nan
    whole = BayesClassifier(MultivariateNormal(**settings), estimate=rule).fit(x, y)
    monkeypatch.setattr(family, "WIDE", 3)
    wide = BayesClassifier(MultivariateNormal(**settings), estimate=rule).fit(x, y)
    assert isinstance(wide.model_.tally.statistics[0], WideScatter)
    np.testing.assert_allclose(wide.predict_joint_log_proba(at), whole.predict_joint_log_proba(at), rtol=1e-8)
    np.testing.assert_allclose(wide.predict_proba(at), whole.predict_proba(at), atol=1e-8)
    a, b = (m.model_.densities[0] for m in (wide, whole))
    if rule == "predictive" and "diagonal" in settings.get("covariance", ""):  # a product of t's
        np.testing.assert_allclose(a.curvature, b.curvature, rtol=1e-9, atol=1e-12)
    else:
        np.testing.assert_allclose(a.covariance(1).full(), b.covariance(1).full(), rtol=1e-9, atol=1e-12)


def test_wide_blocks_learn_merge_and_forget(rng):
    x, y = rng.normal(size=(60, 1500)), np.arange(60) % 3
    x[:, :20] += y[:, None]
    made = BayesClassifier(MultivariateNormal("tied")).fit(x[:40], y[:40])
    more = BayesClassifier(MultivariateNormal("tied")).fit(x[40:], y[40:])
    whole = BayesClassifier(MultivariateNormal("tied")).fit(x, y)
    np.testing.assert_allclose((made + more).predict_log_proba(x), whole.predict_log_proba(x), atol=1e-6)
    whole.forget(x[40:], y[40:])
    np.testing.assert_allclose(whole.predict_log_proba(x), made.predict_log_proba(x), atol=1e-6)
    with pytest.raises(ForgetError):
        made.forget(1e3 + x[50:], y[50:])
    drawn, labels = made.sample(200, random_state=0)
    assert made.score(drawn, labels) > 0.9


def test_samples_of_wide_blocks_have_their_covariance(rng):
    wide = LowRankCovariance(rng.uniform(0.5, 2, 5), rng.normal(size=(3, 5)))
    drawn = wide.coloured(rng.normal(size=(200_000, 5)))
    np.testing.assert_allclose(np.cov(drawn.T), wide.full(), atol=0.08)
    np.testing.assert_allclose(wide.solved(np.eye(5)), np.linalg.inv(wide.full()), rtol=1e-10)
    np.testing.assert_allclose(wide.log_det, np.linalg.slogdet(wide.full())[1])
