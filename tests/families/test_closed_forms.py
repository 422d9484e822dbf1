"""Each family's densities against scipy's, with parameters worked out here from the formulas of its prior."""

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import digamma, gammaln

from suffice import (
    BayesClassifier,
    Bernoulli,
    Categorical,
    Complement,
    CountTable,
    Dirichlet,
    Empirical,
    Exponential,
    Gamma,
    Gaussian,
    Given,
    LogNormal,
    Multinomial,
    Poisson,
    Uniform,
)
from suffice.errors import ParameterError


def log_density(family, rule, x, y, at):
    """log p(at | class), (points, classes)."""
    model = BayesClassifier(family, estimate=rule, prior="uniform").fit(x, y)
    return model.predict_joint_log_proba(at) + np.log(len(model.classes_))


@pytest.fixture
def amounts(rng):
    """One positive column, two classes."""
    y = np.repeat([0, 1], [30, 50])
    return np.concatenate([rng.gamma(2.0, 1.5, 30), rng.gamma(5.0, 0.7, 50)])[:, None], y


def classes_of(x, y):
    return [x[y == c, 0] for c in np.unique(y)]


POINTS = np.array([[0.1], [1.0], [2.5], [7.0], [40.0]])


def test_gaussian_mle(amounts):
    x, y = amounts
    expected = [stats.norm.logpdf(POINTS[:, 0], c.mean(), c.std()) for c in classes_of(x, y)]
    np.testing.assert_allclose(log_density(Gaussian(), "mle", x, y, POINTS), np.transpose(expected))


@pytest.mark.parametrize("family", [Gaussian(), Gaussian(mean=1.5, mean_weight=2.0, variance=4.0, variance_weight=3.0)])
@pytest.mark.parametrize("rule", ["mean", "map", "predictive"])
def test_gaussian_with_its_normal_inverse_chi2_prior(amounts, family, rule):
    x, y = amounts
    mu0 = x.mean() if family.mean is None else family.mean
    s0 = x.var() if family.variance is None else family.variance
    k0, v0 = family.mean_weight, family.variance_weight
    nu0 = v0 + 2
    expected = []
    for c in classes_of(x, y):
        n = len(c)
        kn, nun = k0 + n, nu0 + n
        mun = (k0 * mu0 + n * c.mean()) / kn
        nun_s = v0 * s0 + n * c.var() + k0 * n / kn * (c.mean() - mu0) ** 2
        if rule == "predictive":
            expected.append(stats.t.logpdf(POINTS[:, 0], nun, mun, np.sqrt(nun_s / nun * (1 + 1 / kn))))
        else:
            variance = nun_s / (nun - 2) if rule == "mean" else nun_s / (nun + 3)
            expected.append(stats.norm.logpdf(POINTS[:, 0], mun, np.sqrt(variance)))
    np.testing.assert_allclose(log_density(family, rule, x, y, POINTS), np.transpose(expected))


def test_the_map_gaussian_is_the_mode_of_the_posterior(amounts):
    x, y = amounts
    c = x[y == 0, 0]
    mu0, s0 = x.mean(), x.var()

    def minus_log_posterior(theta):
        mu, log_s = theta
        s = np.exp(log_s)
        prior = stats.norm.logpdf(mu, mu0, np.sqrt(s)) + stats.invgamma.logpdf(s, 1.5, scale=s0 / 2)
        return -(stats.norm.logpdf(c, mu, np.sqrt(s)).sum() + prior)

    mode = optimize.minimize(
        minus_log_posterior, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
    )
    model = BayesClassifier(Gaussian(), estimate="map").fit(x, y).model_.densities[0]
    np.testing.assert_allclose([model.centre[0, 0], model.variance[0, 0]], [mode.x[0], np.exp(mode.x[1])], rtol=1e-5)


@pytest.mark.parametrize("rule", ["mle", "mean", "predictive"])
def test_log_normal_is_the_gaussian_of_the_logarithm(amounts, rule):
    x, y = amounts
    ours = log_density(LogNormal(), rule, x, y, POINTS)
    np.testing.assert_allclose(ours, log_density(Gaussian(), rule, np.log(x), y, np.log(POINTS)) - np.log(POINTS))
    if rule == "mle":
        c = np.log(x[y == 0, 0])
        np.testing.assert_allclose(ours[:, 0], stats.lognorm.logpdf(POINTS[:, 0], c.std(), scale=np.exp(c.mean())))


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
def test_exponential(amounts, rule):
    x, y = amounts
    expected = []
    for c in classes_of(x, y):
        a, b = 2.0 + len(c), 3.0 + c.sum()
        if rule == "predictive":
            expected.append(stats.lomax.logpdf(POINTS[:, 0], a, scale=b))
        else:
            rate = {"mle": 1 / c.mean(), "map": (a - 1) / b, "mean": a / b}[rule]
            expected.append(stats.expon.logpdf(POINTS[:, 0], scale=1 / rate))
    ours = log_density(Exponential(shape=2.0, scale=3.0), rule, x, y, POINTS)
    np.testing.assert_allclose(ours, np.transpose(expected))


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
def test_poisson(rng, rule):
    x, y = rng.poisson(3, (40, 1)), np.repeat([0, 1], 20)
    at = np.arange(6)[:, None]
    expected = []
    for c in classes_of(x, y):
        a, b = 2.0 + c.sum(), 0.5 + len(c)
        if rule == "predictive":
            expected.append(stats.nbinom.logpmf(at[:, 0], a, b / (b + 1)))
        else:
            rate = {"mle": c.mean(), "map": (a - 1) / b, "mean": a / b}[rule]
            expected.append(stats.poisson.logpmf(at[:, 0], rate))
    np.testing.assert_allclose(log_density(Poisson(shape=2.0, rate=0.5), rule, x, y, at), np.transpose(expected))


def test_gamma_mle_is_scipys(amounts):
    x, y = amounts
    expected = []
    for c in classes_of(x, y):
        shape, _, scale = stats.gamma.fit(c, floc=0)
        assert abs(np.log(shape) - digamma(shape) - np.log(c.mean()) + np.log(c).mean()) < 1e-6
        expected.append(stats.gamma.logpdf(POINTS[:, 0], shape, scale=scale))
    np.testing.assert_allclose(log_density(Gamma(), "mle", x, y, POINTS), np.transpose(expected), rtol=1e-5)


def test_gamma_predictive_integrates_the_rate_out(amounts):
    x, y = amounts
    model = BayesClassifier(Gamma(), estimate="predictive").fit(x, y).model_.densities[0]
    k, a, b = model.shape[0, 0], model.a[0, 0], model.b[0, 0]
    rates = stats.gamma.ppf((np.arange(200_000) + 0.5) / 200_000, a, scale=1 / b)
    expected = [np.log(stats.gamma.pdf(p, k, scale=1 / rates).mean()) for p in (1.0, 2.5, 7.0)]
    ours = log_density(Gamma(), "predictive", x, y, np.array([[1.0], [2.5], [7.0]]))[:, 0]
    np.testing.assert_allclose(ours, expected, rtol=1e-5)


def test_bernoulli_under_every_rule():
    x, y = np.array([[1], [1], [0], [1], [0]]), np.array([0, 0, 0, 1, 1])
    for rule, ones in {
        "mle": [2 / 3, 1 / 2],
        "mean": [4 / 8, 3 / 7],
        "map": [3 / 6, 2 / 5],
        "predictive": [4 / 8, 3 / 7],
    }.items():
        family = Bernoulli(alpha=2.0, beta=3.0)
        np.testing.assert_allclose(np.exp(log_density(family, rule, x, y, [[1]]))[0], ones)
        np.testing.assert_allclose(np.exp(log_density(family, rule, x, y, [[0]]))[0], 1 - np.array(ones))


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
@pytest.mark.parametrize(
    ("family", "scale"), [(Gaussian(), 2.0**-500), (Exponential(), 2.0**-1000), (Gamma(), 2.0**-1000)], ids=repr
)
def test_the_unit_of_a_column_is_a_constant_in_its_log_density(amounts, family, scale, rule):
    """A power of two, so that nothing is rounded, down to where squares (of a Gaussian) or numbers are nearly too small."""
    x, y = amounts
    expected = log_density(family, rule, x, y, POINTS) - np.log(scale)
    np.testing.assert_allclose(log_density(family, rule, scale * x, y, scale * POINTS), expected, rtol=1e-9)


def test_pseudo_counts_by_column():
    x, y = np.array([[1, 0], [0, 0]]), np.array([0, 0])
    by_column = np.exp(log_density(Bernoulli(alpha=[1.0, 3.0]), "mean", x, y, [[1, 1], [0, 0]]))[:, 0]
    np.testing.assert_allclose(by_column, [2 / 4 * 3 / 8, 2 / 4 * 5 / 8])
    with pytest.raises(ParameterError, match="alpha has 3 entries"):
        log_density(Bernoulli(alpha=[1.0, 3.0, 1.0]), "mean", x, y, x)


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
def test_categorical(rule):
    x = [{"c": v} for v in "aabca"]
    y = [0, 0, 0, 1, 1]
    alpha = {"a": 2.0, "b": 1.5}  # and 1 for c
    counts = np.array([[2, 1, 0], [1, 0, 1]])
    prior = np.array([2.0, 1.5, 1.0])
    raw = {"mle": counts, "map": counts + prior - 1, "mean": counts + prior, "predictive": counts + prior}[rule]
    expected = raw / raw.sum(axis=1, keepdims=True)
    ours = log_density(Categorical(alpha=alpha), rule, x, y, [{"c": v} for v in "abc"])
    np.testing.assert_allclose(np.exp(ours), expected.T)


def test_declared_levels_share_the_probability():
    ours = log_density(Categorical(levels=["a", "b", "c", "d"]), "mean", [{"c": "a"}], [0], [{"c": "a"}, {"c": "d"}])
    np.testing.assert_allclose(np.exp(ours)[:, 0], [2 / 5, 1 / 5])


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
def test_multinomial(rng, rule):
    x, y = rng.poisson(3, (30, 4)), np.repeat([0, 1], 15)
    at = rng.poisson(2, (8, 4))
    expected = []
    for c in (0, 1):
        counts = x[y == c].sum(axis=0)
        if rule == "predictive":
            n = at.sum(axis=1)
            orders = gammaln(n + 1) - gammaln(at + 1).sum(axis=1)
            expected.append(stats.dirichlet_multinomial.logpmf(at, counts + 2.0, n) - orders)
        else:
            raw = {"mle": counts, "map": counts + 1.0, "mean": counts + 2.0}[rule]
            expected.append(at @ np.log(raw / raw.sum()))
    np.testing.assert_allclose(log_density(Multinomial(alpha=2.0), rule, x, y, at), np.transpose(expected))


def test_complement_scores_by_the_other_classes():
    x, y = np.array([[3, 1], [0, 2], [1, 1]]), np.array([0, 1, 2])
    rest = np.array([[1, 3], [4, 2], [3, 3]]) + 1.0
    ours = log_density(Complement(), "mean", x, y, np.array([[2, 1]]))
    np.testing.assert_allclose(ours[0], -np.log(rest / rest.sum(axis=1, keepdims=True)) @ [2, 1])


def test_count_table_is_categorical_over_truncated_counts(rng):
    x, y = rng.poisson(1.5, (50, 2)), np.repeat([0, 1], 25)
    ours = log_density(CountTable(max_count=3, alpha=[1.0, 2.0, 0.5]), "mean", x, y, np.array([[0, 1], [9, 2]]))
    for c in (0, 1):
        seen = np.array([[(np.minimum(x[y == c, j], 2) == k).sum() for k in range(3)] for j in range(2)])
        n = seen + np.array([1.0, 2.0, 0.5])
        theta = n / n.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(np.exp(ours[:, c]), [theta[0, 0] * theta[1, 1], theta[0, 2] * theta[1, 2]])


@pytest.mark.parametrize("family", [Gaussian(), Exponential(), Gamma(), LogNormal()], ids=repr)
def test_predictive_densities_integrate_to_one(amounts, family):
    x, y = amounts
    model = BayesClassifier(family, estimate="predictive").fit(x, y)
    u = np.linspace(-16, 16, 400_001)
    at = np.sinh(u) if isinstance(family, Gaussian) else np.exp(u)
    step = np.cosh(u) if isinstance(family, Gaussian) else at
    assert abs(np.trapezoid(np.exp(model.score_samples(at[:, None])) * step, u) - 1) < 1e-6


def test_priors_over_classes():
    y = ["a"] * 3 + ["b"] * 1 + ["c"] * 4
    x = np.arange(8.0)[:, None]

    def prior(value, rule="mean"):
        return np.exp(BayesClassifier(model="naive", prior=value, estimate=rule).fit(x, y).model_.log_prior)

    np.testing.assert_allclose(prior(None), [4 / 11, 2 / 11, 5 / 11])
    np.testing.assert_allclose(prior(Dirichlet(2.0), "map"), [4 / 11, 2 / 11, 5 / 11])
    np.testing.assert_allclose(prior(Dirichlet({"a": 1.0, "b": 2.0, "c": 0.5})), np.array([4, 3, 4.5]) / 11.5)
    np.testing.assert_allclose(prior("mle"), [3 / 8, 1 / 8, 4 / 8])
    np.testing.assert_allclose(prior(Empirical(), "predictive"), [3 / 8, 1 / 8, 4 / 8])
    np.testing.assert_allclose(prior(Dirichlet(7.0), "mle"), [3 / 8, 1 / 8, 4 / 8])
    np.testing.assert_allclose(prior(Uniform()), [1 / 3] * 3)
    np.testing.assert_allclose(prior({"c": 0.5, "a": 0.3, "b": 0.2}), [0.3, 0.2, 0.5])
    np.testing.assert_allclose(prior(Given([0.3, 0.2, 0.5])), [0.3, 0.2, 0.5])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Gaussian(mean_weight=-1), "mean_weight is -1"),
        (lambda: Gaussian(variance=0), "variance is 0"),
        (lambda: Bernoulli(alpha=-1), "alpha is -1"),
        (lambda: Categorical(alpha={"x": -1}), "alpha for level 'x' is -1"),
        (lambda: Poisson(shape=-2), "shape is -2"),
        (lambda: Exponential(shape=float("nan")), "shape is nan"),
        (lambda: CountTable(max_count=1), "max_count is 1"),
        (lambda: Gamma(weight=-1), "weight is -1"),
        (lambda: Dirichlet(-1), "alpha is -1"),
    ],
)
def test_hyper_parameters_out_of_range_are_named(make, says):
    with pytest.raises(ParameterError, match=says):
        make()
