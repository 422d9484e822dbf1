"""The marginal likelihood is the product of predictive densities, each row given those before it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

from families.cases import Case
from suffice import (
    BayesClassifier,
    Bernoulli,
    Categorical,
    CountTable,
    Exponential,
    Gamma,
    Gaussian,
    LogNormal,
    Multinomial,
    MultivariateNormal,
    Poisson,
    evaluate,
)
from suffice.errors import DataError, ParameterError
from suffice.families.multivariate_normal.evidence import log_evidence as of_normals
from suffice.numerics.covariances import FullCovariance

FIXED = Gaussian(mean=1.0, variance=2.0, mean_weight=0.7, variance_weight=1.5)
PROPER = [
    Case(FIXED, lambda rng, shape: rng.normal(1, 2, shape)),
    Case(LogNormal(FIXED), lambda rng, shape: np.exp(rng.normal(0, 1, shape))),
    Case(Exponential(shape=2.0, scale=3.0), lambda rng, shape: rng.exponential(3, shape)),
    Case(Poisson(shape=2.0, rate=0.5), lambda rng, shape: rng.poisson(2, shape)),
    Case(Bernoulli(alpha=0.5, beta=2.0), lambda rng, shape: rng.integers(0, 2, shape)),
    Case(Categorical(alpha=0.4, levels=range(4)), lambda rng, shape: rng.integers(0, 4, shape)),
    Case(CountTable(max_count=3, alpha=[1.0, 0.5, 0.2]), lambda rng, shape: rng.poisson(1, shape)),
    Case(Multinomial(alpha=0.3), lambda rng, shape: rng.poisson(1, shape)),
]


@pytest.mark.parametrize("case", PROPER, ids=lambda case: repr(case.family))
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1))
def test_evidence_is_the_chain_of_predictives(case, seed):
    x, y = case.rows(np.random.default_rng(seed), 12)
    classes, columns = [0, 1, 2], range(3)
    # nothing learned yet: a row of which every cell is missing
    model = BayesClassifier(case.family, estimate="predictive", prior="uniform")
    model.partial_fit(np.full((1, 3), np.nan), [0], classes=classes)
    chain = 0.0
    for row, label in zip(x, y, strict=True):
        chain += model.predict_joint_log_proba(row[None])[0, label] + np.log(3)
        model.partial_fit(row[None], [label])
    found = evaluate.log_evidence(model)
    assert list(found) == ([tuple(columns)] if case.family.joint else list(columns))
    if isinstance(case.family, Poisson):
        chain += np.nansum(gammaln(x + 1))
    assert sum(found.values()) == pytest.approx(chain, abs=1e-8)


@pytest.mark.parametrize("tied", [False, True])
def test_correlated_columns(tied, rng):
    """One row after another, by the multivariate Student t of a prior that stays as it is."""
    from scipy.stats import multivariate_t

    x, y, columns = rng.normal(size=(15, 2)) @ [[1.0, 0.6], [0.0, 0.8]], np.arange(15) % 3, 2
    kappa0, nu0, scale0 = 0.7, columns + 2.5, np.array([[2.0, 0.0], [0.0, 1.0]])
    n, mean = np.zeros(3), np.zeros((3, columns))
    scales = [scale0.copy() for _ in range(1 if tied else 3)]
    rows, chain = np.zeros(len(scales)), 0.0
    for row, c in zip(x, y, strict=True):
        at = 0 if tied else c
        kappa, dof = kappa0 + n[c], nu0 + rows[at] - columns + 1
        shape = scales[at] * (kappa + 1) / (kappa * dof)
        chain += multivariate_t(mean[c], shape, dof).logpdf(row)
        scales[at] = scales[at] + kappa / (kappa + 1) * np.outer(row - mean[c], row - mean[c])
        mean[c] += (row - mean[c]) / (kappa + 1)
        n[c], rows[at] = n[c] + 1, rows[at] + 1
    assert of_normals(n, kappa0, nu0, FullCovariance(scale0), [FullCovariance(s) for s in scales]) == pytest.approx(
        chain
    )


@pytest.mark.parametrize("covariance", ["full", "tied"])
def test_correlated_columns_know_their_prior(covariance, rng):
    """Read off the rows, and then as good as given: with one column it is the Gaussian's."""
    x, y = rng.normal(3, 2, (40, 1)), np.zeros(40, int)
    one = evaluate.log_evidence(BayesClassifier(Gaussian()).fit(x, y))
    block = evaluate.log_evidence(BayesClassifier(MultivariateNormal(covariance)).fit(x, y))
    assert block[(0,)] == pytest.approx(one[0])


def test_more_correlation_is_more_evidence_for_it(rng):
    x, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    x[:, 1] += 2 * x[:, 0]
    apart = sum(evaluate.log_evidence(BayesClassifier(Gaussian()).fit(x, y)).values())
    together = sum(evaluate.log_evidence(BayesClassifier(MultivariateNormal()).fit(x, y)).values())
    assert together > apart + 100


def test_what_has_none_says_so(rng):
    x, y = rng.gamma(2, 1, (20, 2)), rng.integers(0, 2, 20)
    for family in (Gamma(), MultivariateNormal("diagonal"), Gaussian(mean_weight=0.0)):
        with pytest.raises(ParameterError):
            evaluate.log_evidence(BayesClassifier(family).fit(x, y))
    with pytest.raises(DataError, match="not fitted"):
        evaluate.log_evidence(BayesClassifier())
