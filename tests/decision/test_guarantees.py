"""What is promised holds at its level, by simulation: a thousand draws of the held-out rows each.

A promise with probability 1 − δ may fail in δ of the draws; failures are counted against the 99.9 % quantile of that binomial.
"""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from suffice import BayesDecision, GaussianNB
from suffice.decision import ErrorBudget, Novelty, Workload, conformal, decide, estimate_priors, learn_reject

pytestmark = pytest.mark.slow

DRAWS = 1000
CLASSIFIERS = {
    "honest": lambda z: expit(z),
    "too sure": lambda z: expit(4 * z),
    "biased": lambda z: expit(0.5 * z + 1),
    "coarse": lambda z: expit(2.0 * np.round(z / 2)),  # many rows alike
    "worthless": lambda z: expit(np.sin(1e4 * z)),
}


def most_failures(delta, draws=DRAWS):
    return stats.binom.ppf(0.999, draws, delta)


class Population:
    """Log-odds from a normal distribution, a classifier that sees them its own way, and what is true of all rows."""

    def __init__(self, classifier):
        self.see = CLASSIFIERS[classifier]
        z = stats.norm.ppf((np.arange(400_000) + 0.5) / 400_000) * 3
        p = self.see(z)
        order = np.argsort(np.minimum(p, 1 - p), kind="stable")
        self.risk = np.minimum(p, 1 - p)[order]
        self.wrong = np.where(p > 0.5, 1 - expit(z), expit(z))[order]

    def draw(self, n, rng):
        z = rng.normal(scale=3, size=n)
        p = self.see(z)
        return np.column_stack([1 - p, p]), (rng.random(n) < expit(z)).astype(int)

    def decided(self, limit):
        """The share of rows decided, and of errors among them."""
        rows = int(np.searchsorted(self.risk, limit, side="right"))
        return rows / len(self.risk), self.wrong[:rows].mean() if rows else 0.0


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize(("error", "delta", "n"), [(0.05, 0.1, 500), (0.1, 0.05, 400), (0.02, 0.2, 3000)])
def test_error_budget(classifier, error, delta, n):
    population, rng = Population(classifier), np.random.default_rng(1)
    results = [
        population.decided(learn_reject(ErrorBudget(error, delta), *population.draw(n, rng)).most) for _ in range(DRAWS)
    ]
    assert sum(wrong > error for _, wrong in results) <= most_failures(delta)
    if classifier in ("honest", "too sure"):  # and it is no empty promise
        best = (np.cumsum(population.wrong) / np.arange(1, len(population.wrong) + 1) <= error).mean()
        assert np.mean([share for share, _ in results]) > 0.5 * best


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize(("share", "delta", "n"), [(0.05, 0.1, 300), (0.3, 0.05, 40)])
def test_workload(classifier, share, delta, n):
    population, rng = Population(classifier), np.random.default_rng(2)
    asked = [
        1 - population.decided(learn_reject(Workload(share, delta), *population.draw(n, rng)).most)[0]
        for _ in range(DRAWS)
    ]
    assert sum(a > share for a in asked) <= most_failures(delta)
    if classifier != "coarse":  # the bound is sharp where no two rows are alike
        assert sum(a > share for a in asked) >= stats.binom.ppf(0.001, DRAWS, delta / 2)


def test_novelty():
    rng = np.random.default_rng(3)
    alike = np.tile([0.5, 0.5], (200, 1)), np.zeros(200, int)
    floors = [learn_reject(Novelty(0.05, 0.1), *alike, log_density=rng.normal(size=200)).least for _ in range(DRAWS)]
    assert np.sum(stats.norm.cdf(floors) > 0.05) <= most_failures(0.1)
    assert np.mean(stats.norm.cdf(floors)) > 0.025


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize("per_class", [False, True])
@pytest.mark.parametrize(("coverage", "n"), [(0.9, 60), (0.7, 200)])
def test_conformal_coverage(classifier, per_class, coverage, n):
    """At least the promised coverage on average, and (marginally, with no two rows alike) at most 1 / (n + 1) more."""
    population, rng = Population(classifier), np.random.default_rng(4)
    covered = np.zeros((DRAWS, 2))
    p, y = population.draw(20_000, rng)
    for draw in range(DRAWS):
        inside = conformal(*population.draw(n, rng), coverage, per_class=per_class)(p)[np.arange(len(y)), y]
        covered[draw] = inside[y == 0].mean(), inside[y == 1].mean()
    noise = 4 * np.sqrt(coverage * (1 - coverage) / 20_000) + 4 * covered.std(axis=0).max() / np.sqrt(DRAWS)
    overall = covered @ [np.mean(y == 0), np.mean(y == 1)]
    assert overall.mean() >= coverage - noise
    if per_class:
        assert (covered.mean(axis=0) >= coverage - 2 * noise).all()
    elif classifier in ("honest", "too sure", "biased"):
        assert overall.mean() <= coverage + 1 / (n + 1) + noise


MEANS, TRAINED = np.array([0.0, 1.5, 3.0]), np.array([0.5, 0.3, 0.2])


def estimates(true, n, seed):
    rng = np.random.default_rng(seed)
    for _ in range(DRAWS):
        x = rng.normal(MEANS[rng.choice(3, n, p=true)])
        joint = np.exp(-0.5 * (x[:, None] - MEANS) ** 2) * TRAINED
        yield estimate_priors(joint / joint.sum(axis=1, keepdims=True), TRAINED)


@pytest.mark.parametrize("true", [[0.2, 0.3, 0.5], [0.6, 0.2, 0.2], [0.5, 0.3, 0.2]])
def test_prior_estimate_is_within_its_stated_error(true):
    """For each class, 1.96 standard errors hold the true prior in 95 % of the runs."""
    within = [np.abs(found.priors - true) <= 1.96 * found.standard_error for found in estimates(true, 1000, 5)]
    low, high = stats.binom.ppf([0.001, 0.999], DRAWS, 0.95) / DRAWS
    assert (np.mean(within, axis=0) >= low).all()
    assert (np.mean(within, axis=0) <= high + 0.01).all()


def test_prior_estimate_on_the_edge():
    """With a class that no longer occurs the interval is on the wide side."""
    true = [0.7, 0.3, 0.0]
    within = [np.abs(found.priors - true) <= 1.96 * found.standard_error for found in estimates(true, 1000, 6)]
    assert (np.mean(within, axis=0) >= stats.binom.ppf(0.001, DRAWS, 0.95) / DRAWS).all()


def test_has_it_changed_is_asked_at_its_level():
    p_values = [found.p_value for found in estimates(TRAINED, 1000, 7)]
    for level in (0.01, 0.05, 0.2):
        low, high = stats.binom.ppf([0.001, 0.999], DRAWS, level)
        assert low <= np.sum(np.array(p_values) < level) <= high


@pytest.mark.parametrize("calibrate", [None, "temperature", "isotonic"])
@pytest.mark.parametrize("prior", [None, [0.8, 0.2]])
def test_error_budget_of_the_whole_estimator(calibrate, prior):
    """A classifier with a false assumption, trained, calibrated, corrected and limited on every draw."""
    rng, error, delta, draws = np.random.default_rng(8), 0.1, 0.1, 300

    def draw(n, share):
        y = (rng.random(n) < share).astype(int)
        return rng.normal(2.0 * y, 1 + y, size=(2, n)).T.cumsum(axis=1), y

    rows, labels = draw(20_000, 0.5 if prior is None else prior[1])
    failures, shares = 0, []
    for seed in range(draws):
        model = BayesDecision(
            GaussianNB(), reject=ErrorBudget(error, delta), priors=prior, calibrate=calibrate, cv=0.6, random_state=seed
        )
        decision = model.fit(*draw(1000, 0.5)).decide(rows)
        decided = ~decision.rejected
        shares.append(decided.mean())
        failures += bool(decided.any() and (decision.index != labels)[decided].mean() > error)
    assert failures <= most_failures(delta, draws)
    assert np.mean(shares) > 0.3


def test_decisions_and_simulation_agree_on_what_a_limit_means():
    population, rng = Population("honest"), np.random.default_rng(9)
    p, y = population.draw(200_000, rng)
    rule = learn_reject(ErrorBudget(0.05), *population.draw(1000, rng))
    decision = decide(p, reject=rule)
    share, wrong = population.decided(rule.most)
    assert 1 - decision.rejected.mean() == pytest.approx(share, abs=0.005)
    assert (decision.index != y)[~decision.rejected].mean() == pytest.approx(wrong, abs=0.003)
