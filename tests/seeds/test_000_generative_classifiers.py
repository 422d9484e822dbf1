"""Generative classifiers: class priors, class-conditional densities, naive Bayes, documents, log-sum-exp."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import integrate, stats
from scipy.special import expit, softmax

from suffice import (
    BayesClassifier,
    BayesDecision,
    Bernoulli,
    Categorical,
    CountTable,
    Dirichlet,
    Gaussian,
    Multinomial,
    Poisson,
    Text,
)
from suffice.decision import REJECT, Chow, ConfidenceFloor, Costs, Utilities, correct_priors, fuse
from suffice.posterior import log_sum_exp

PEOPLE = [
    {"job": "clerk", "smokes": True, "height": 61.0, "group": "a"},
    {"job": "clerk", "smokes": False, "height": 64.0, "group": "a"},
    {"job": "smith", "smokes": False, "height": 67.0, "group": "a"},
    {"job": "smith", "smokes": True, "height": 70.0, "group": "b"},
    {"job": "smith", "smokes": True, "height": 71.0, "group": "b"},
    {"job": "baker", "smokes": False, "height": 75.0, "group": "b"},
    {"job": "baker", "smokes": True, "height": 66.0, "group": "c"},
    {"job": "clerk", "smokes": False, "height": 65.0, "group": "c"},
    {"job": "smith", "smokes": False, "height": 70.0, "group": "c"},
    {"job": "clerk", "smokes": True, "height": 63.0, "group": "c"},
]
STRANGERS = [
    {"job": "clerk", "smokes": True, "height": 66.5},
    {"job": "smith", "smokes": False, "height": 72.0},
    {"job": "smith", "smokes": True, "height": 64.0},
]
DOCUMENTS = np.array([[2, 0, 1, 0], [1, 0, 0, 0], [5, 1, 0, 0], [0, 3, 1, 0], [0, 1, 2, 0]])
TOPICS = np.array(["ham", "ham", "ham", "spam", "spam"])


def parameters(model):
    """θ by feature name: the exponentials of the weights, one a class."""
    form = model.linear_form()
    return dict(zip(form.names, np.exp(form.beta.T), strict=True))


def exactly(values):
    return pytest.approx([float(v) for v in values], rel=1e-12, abs=0)


def mixed_joint(person, group):
    """p(x, group) by relative frequencies for job and smokes and the sample moments of height."""
    members = [p for p in PEOPLE if p["group"] == group]
    heights = [p["height"] for p in members]
    mean = sum(heights) / len(heights)
    variance = sum((h - mean) ** 2 for h in heights) / len(heights)
    joint = len(members) / len(PEOPLE)
    for feature in ("job", "smokes"):
        joint *= sum(p[feature] == person[feature] for p in members) / len(members)
    return joint * math.exp(-((person["height"] - mean) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)


def test_A1_mixed_features_in_one_model():
    model = BayesClassifier(model="naive", estimate="mle").fit(PEOPLE, "group")
    joint = np.array([[mixed_joint(person, group) for group in "abc"] for person in STRANGERS])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert np.exp(model.predict_joint_log_proba(STRANGERS)) == pytest.approx(joint, rel=1e-12)
    posterior = joint / joint.sum(axis=1, keepdims=True)
    assert model.predict_proba(STRANGERS) == pytest.approx(posterior, rel=1e-12)
    assert model.predict(STRANGERS).tolist() == [("a", "b", "c")[i] for i in posterior.argmax(axis=1)]


def test_A1_classes_are_unordered():
    """Renaming the classes so that they sort differently changes nothing but the order of the columns."""
    rows = [{k: v for k, v in p.items() if k != "group"} for p in PEOPLE]
    labels = [p["group"] for p in PEOPLE]
    renamed = [{"a": "z", "b": "m", "c": "k"}[label] for label in labels]
    before = BayesClassifier(model="naive").fit(rows, labels).predict_proba(STRANGERS)
    after = BayesClassifier(model="naive").fit(rows, renamed).predict_proba(STRANGERS)
    assert after == pytest.approx(before[:, ::-1], rel=1e-12)


def test_A2_reject_option():
    """Refuse when unsure: a person is asked exactly where the best guess is less sure than asking is worth."""
    model = BayesDecision(BayesClassifier(model="naive", estimate="mle"), reject=ConfidenceFloor(0.8)).fit(
        [{k: v for k, v in p.items() if k != "group"} for p in PEOPLE], [p["group"] for p in PEOPLE]
    )
    joint = np.array([[mixed_joint(person, group) for group in "abc"] for person in STRANGERS])
    posterior = joint / joint.sum(axis=1, keepdims=True)
    sure = posterior.max(axis=1) >= 0.8
    assert sure.any()
    assert not sure.all()
    expected = [("abc"[p.argmax()] if s else REJECT) for p, s in zip(posterior, sure, strict=True)]
    assert model.predict(STRANGERS).tolist() == expected
    # Chow: the same as an action of its own that costs 0.2 whatever the class
    assert model.set_params(reject=Chow(0.2)).predict(STRANGERS).tolist() == expected
    asks = Costs(np.column_stack([1 - np.eye(3), [0.2] * 3]), actions=[*"abc", REJECT])
    assert model.set_params(reject=None, costs=asks).predict(STRANGERS).tolist() == expected


def test_A3_utilities_change_after_training():
    """One fitted model, two cost matrices, two decisions: with p(ill) = 0.2, a missed illness must cost 4 alarms."""
    rows, labels = [[1], [1], [1], [1], [1]], ["well", "well", "well", "well", "ill"]
    model = BayesDecision(BayesClassifier(Bernoulli(), prior="mle")).fit(rows, labels)
    fitted = model.estimator_
    answers = {}
    for missed in (3.9, 4.1):
        model.set_params(costs={("ill", "well"): missed, ("well", "ill"): 1.0})
        answers[missed] = model.decide([[np.nan]])
        assert model.estimator_ is fitted
    assert answers[3.9].actions.tolist() == ["well"]
    assert answers[4.1].actions.tolist() == ["ill"]
    assert [float(d.risk[0]) for d in answers.values()] == pytest.approx([0.2 * 3.9, 0.8])
    gains = Utilities({("ill", "treat"): 5, ("ill", "wait"): -9, ("well", "treat"): -1, ("well", "wait"): 1})
    assert model.set_params(costs=gains).predict([[np.nan]]).tolist() == ["treat"]  # 0.2 · 14 > 0.8 · 2


def test_A4_balanced_training_then_correction():
    """One in a thousand is ill: trained one to one and corrected, it is the model of the true prior."""
    rng = np.random.default_rng(4)
    y = np.array(["normal"] * 3996 + ["cancer"] * 4)
    X = rng.normal(np.where(y == "cancer", 2.0, 0.0)[:, None], size=(4000, 3))
    true = {"cancer": 0.001, "normal": 0.999}
    settings = {"families": Gaussian(), "estimate": "mle"}
    right = BayesClassifier(model="naive", prior="mle", **settings).fit(X, y).predict_proba(X)
    weighted = BayesClassifier(model="naive", prior="mle", class_weight="balanced", **settings).fit(X, y)
    assert np.exp(weighted.model_.log_prior) == pytest.approx([0.5, 0.5], rel=1e-12)
    corrected = correct_priors(
        weighted.predict_proba(X), {"cancer": 0.5, "normal": 0.5}, true, classes=weighted.classes_
    )
    np.testing.assert_allclose(corrected, right, rtol=0, atol=1e-12)
    # by resampling instead: every row of the rare class as often as it takes
    again = np.concatenate([np.flatnonzero(y == "normal"), np.tile(np.flatnonzero(y == "cancer"), 999)])
    resampled = BayesDecision(BayesClassifier(model="naive", prior="mle", **settings), priors=true).fit(
        X[again], y[again]
    )
    assert resampled.trained_prior_ == pytest.approx([0.5, 0.5], rel=1e-12)
    np.testing.assert_allclose(resampled.predict_proba(X), right, rtol=0, atol=1e-12)
    # the degenerate rule is right in 99.9 % of cases; under the true costs it is not the cheapest
    assert (weighted.predict(X) == "cancer").mean() > 0.01 > (right[:, 0] > 0.5).mean()


@pytest.mark.parametrize("estimate", ["mle", "mean", "predictive"])
def test_A5_sensor_fusion(estimate):
    """p(y | x₁, x₂) ∝ p(y | x₁) p(y | x₂) / p(y), equal to one naive Bayes over all the features."""
    rng = np.random.default_rng(5)
    y = rng.choice(["a", "b", "c"], 200, p=[0.2, 0.3, 0.5])
    shift = (y == "a")[:, None] + 2.0 * (y == "b")[:, None]
    picture, blood = rng.normal(shift, size=(200, 4)), rng.poisson(1 + shift, (200, 3)).astype(float)
    one = BayesClassifier(Gaussian(), estimate=estimate).fit(picture, y)
    two = BayesClassifier(Poisson(), estimate=estimate).fit(blood, y)
    families = {(0, 1, 2, 3): Gaussian(), (4, 5, 6): Poisson()}
    both = BayesClassifier(families, model="naive", estimate=estimate).fit(np.hstack([picture, blood]), y)
    prior = np.exp(one.model_.log_prior)
    fused = fuse([one.predict_proba(picture), two.predict_proba(blood)], prior)
    np.testing.assert_allclose(fused, both.predict_proba(np.hstack([picture, blood])), rtol=0, atol=1e-12)
    by_hand = one.predict_proba(picture) * two.predict_proba(blood) / prior
    np.testing.assert_allclose(fused, by_hand / by_hand.sum(axis=1, keepdims=True), rtol=1e-12)


LABELS = ["x"] * 5 + ["y"] * 3 + ["z"] * 2


def class_prior(**settings):
    """The fitted p(y), which is also the posterior of a row of which nothing is known."""
    model = BayesClassifier(Gaussian(), **settings).fit(np.arange(10.0)[:, None], LABELS)
    prior = parameters(model)["1"]
    assert model.predict_proba([[math.nan]])[0] == pytest.approx(prior, rel=1e-12)
    return prior


@pytest.mark.parametrize("settings", [{"estimate": "mle"}, {"prior": "mle"}])
def test_A6_class_prior_mle(settings):
    assert class_prior(**settings) == exactly([Fraction(5, 10), Fraction(3, 10), Fraction(2, 10)])


def test_A6_class_prior_posterior_mean():
    alpha = {"x": 0.5, "y": 4.0, "z": 2.5}
    expected = [(5 + 0.5) / 17, (3 + 4.0) / 17, (2 + 2.5) / 17]
    assert class_prior(prior=Dirichlet(alpha)) == exactly(expected)


@pytest.mark.parametrize("settings", [{}, {"prior": Dirichlet(1)}, {"prior": Dirichlet(2), "estimate": "map"}])
def test_A6_uniform_prior_mean_is_the_map_with_alpha_2(settings):
    assert class_prior(**settings) == exactly([Fraction(6, 13), Fraction(4, 13), Fraction(3, 13)])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"estimate": "mle"}, [Fraction(3, 5), Fraction(2, 5), 0]),
        ({"estimate": "mean"}, [Fraction(4, 8), Fraction(3, 8), Fraction(1, 8)]),
        ({"prior": Dirichlet(2), "estimate": "map"}, [Fraction(4, 8), Fraction(3, 8), Fraction(1, 8)]),
    ],
)
def test_A6_class_without_rows(settings, expected):
    model = BayesClassifier(Bernoulli(), **settings)
    model.partial_fit(DOCUMENTS, TOPICS, classes=["ham", "spam", "unseen"])
    assert model.predict_proba(np.full((1, 4), np.nan))[0] == exactly(expected)


def test_A7_gaussian_class_conditional():
    heights = {"male": [70.0, 72.5, 68.0, 74.0], "female": [62.0, 66.0, 64.5]}
    x = [h for values in heights.values() for h in values]
    y = [sex for sex, values in heights.items() for _ in values]
    model = BayesClassifier(Gaussian(), estimate="mle", prior="uniform").fit(np.array(x)[:, None], y)
    points = np.array([55.0, 66.0, 67.25, 80.0])
    given_class = model.predict_joint_log_proba(points[:, None]) - math.log(0.5)
    for place, sex in enumerate(["female", "male"]):
        density = stats.norm(np.mean(heights[sex]), np.std(heights[sex]))
        assert given_class[:, place] == pytest.approx(density.logpdf(points), rel=1e-12)


def test_A7_bernoulli_class_conditional():
    x = np.array([[1], [1], [0], [1], [0], [0], [1]])
    model = BayesClassifier(Bernoulli(), estimate="mle", prior="uniform").fit(x, [1, 1, 1, 1, 2, 2, 2])
    given_class = np.exp(model.predict_joint_log_proba([[1], [0]])) / 0.5
    assert given_class[0] == exactly([Fraction(3, 4), Fraction(1, 3)])
    assert given_class[1] == exactly([Fraction(1, 4), Fraction(2, 3)])


def test_A7_categorical_class_conditional():
    rows = [{"colour": c} for c in ["red", "red", "blue", "green", "red", "blue", "blue", "blue"]]
    model = BayesClassifier(Categorical(), estimate="mle", prior="uniform").fit(rows, [1, 1, 1, 1, 1, 2, 2, 2])
    given_class = np.exp(model.predict_joint_log_proba([{"colour": c} for c in ["red", "blue", "green"]])) / 0.5
    assert given_class[:, 0] == exactly([Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)])
    assert given_class[:, 1] == exactly([0, 1, 0])


def test_A8_gaussians_for_every_class_and_feature():
    """log N is −log√(2πσ²) − (x − μ)²/2σ², so the weights of x and x² give back μ and σ²."""
    rng = np.random.default_rng(8)
    x, y = rng.normal(3.0, 2.0, (60, 5)), np.arange(60) % 3
    form = BayesClassifier(Gaussian(), estimate="mle").fit(x, y).linear_form()
    assert form.beta.shape == (3, 1 + 3 * 5)
    constant, slope, square = form.beta[:, 1:].reshape(3, 5, 3).transpose(2, 0, 1)
    mean = np.array([x[y == c].mean(axis=0) for c in range(3)])
    variance = np.array([x[y == c].var(axis=0) for c in range(3)])
    assert -0.5 / square == pytest.approx(variance, rel=1e-12)
    assert -0.5 * slope / square == pytest.approx(mean, rel=1e-12)
    assert constant == pytest.approx(-0.5 * np.log(2 * np.pi * variance) - mean**2 / (2 * variance), rel=1e-12)


def test_A8_bernoullis_for_every_class_and_feature():
    rng = np.random.default_rng(8)
    x, y = rng.random((40, 6)) < 0.4, np.arange(40) % 4
    form = BayesClassifier(Bernoulli(), estimate="mean").fit(x, y).linear_form()
    ones, zeros = np.exp(form.beta[:, 1:]).reshape(4, 6, 2).transpose(2, 0, 1)
    theta = np.array([(x[y == c].sum(axis=0) + 1) / (10 + 2) for c in range(4)])
    assert ones == pytest.approx(theta, rel=1e-12)
    assert zeros == pytest.approx(1 - theta, rel=1e-12)


def test_A8_categoricals_for_every_class_feature_and_level():
    rng = np.random.default_rng(8)
    cells, y = rng.integers(0, 3, (45, 2)), np.arange(45) % 3
    rows = [{"u": "pqr"[u], "v": "pqr"[v]} for u, v in cells]
    theta = parameters(BayesClassifier(Categorical(alpha=1)).fit(rows, y))
    assert len(theta) == 1 + 2 * 3
    for i, name in enumerate("uv"):
        for k, level in enumerate("pqr"):
            counts = [int((cells[y == c, i] == k).sum()) for c in range(3)]
            assert theta[f"{name}={level}"] == exactly([Fraction(n + 1, 15 + 3) for n in counts])


def test_A8_likelihood_is_the_product_over_features():
    rng = np.random.default_rng(80)
    x, y = rng.normal(size=(30, 4)), np.arange(30) % 2
    prior = math.log(0.5)
    together = BayesClassifier(Gaussian(), prior="uniform").fit(x, y).predict_joint_log_proba(x) - prior
    apart = [BayesClassifier(Gaussian(), prior="uniform").fit(x[:, [i]], y) for i in range(4)]
    product = sum(m.predict_joint_log_proba(x[:, [i]]) - prior for i, m in enumerate(apart))
    assert together == pytest.approx(product, rel=1e-12)


@pytest.mark.parametrize("family", [Categorical(alpha=0.7), Bernoulli(alpha=2, beta=0.5), CountTable(3, alpha=1.5)])
def test_A9_dirichlet_plug_in_is_the_predictive(family):
    """At the posterior mean the two coincide, to the last bit."""
    plug_in, predictive = (
        BayesClassifier(family, prior=Dirichlet(3), estimate=e).fit(DOCUMENTS, TOPICS) for e in ("mean", "predictive")
    )
    seen = DOCUMENTS[::-1]
    assert np.array_equal(plug_in.predict_joint_log_proba(seen), predictive.predict_joint_log_proba(seen))
    assert np.array_equal(plug_in.predict_proba(seen), predictive.predict_proba(seen))
    assert plug_in.predict_proba(seen).min() > 0


def test_A9_dirichlet_predictive_is_the_integral():
    """∫ θ_v Dirichlet(θ | n + α) dθ, by quadrature for two levels."""
    rows = [{"v": v} for v in "aabaa"]
    model = BayesClassifier(Categorical(alpha=0.7), prior="uniform", estimate="predictive").fit(rows, TOPICS)
    for place, (a, b) in enumerate([(2.7, 1.7), (2.7, 0.7)]):
        expected = integrate.quad(lambda t, a=a, b=b: t * stats.beta.pdf(t, a, b), 0, 1)[0]
        assert 2 * math.exp(model.predict_joint_log_proba([{"v": "a"}])[0, place]) == pytest.approx(expected, rel=1e-7)


WEIGHTS = np.array([118.0, 131.0, 125.0, 180.0, 171.0, 196.0, 160.0])
SEXES = np.array(["f", "f", "f", "m", "m", "m", "m"])


def normal_inverse_chi2(x, mean0, kappa0, nu0, sum0):
    """Posterior μ_n, κ_n, ν_n and ν_n σ_n² of a Gaussian's parameters."""
    n, mean = len(x), x.mean()
    squares = sum0 + ((x - mean) ** 2).sum() + kappa0 * n / (kappa0 + n) * (mean - mean0) ** 2
    return (kappa0 * mean0 + n * mean) / (kappa0 + n), kappa0 + n, nu0 + n, squares


@pytest.mark.parametrize(
    ("family", "prior"),
    [
        (Gaussian(), (WEIGHTS.mean(), 1.0, 3.0, WEIGHTS.var())),
        (
            Gaussian(mean=140.0, mean_weight=2.0, variance=90.0, variance_weight=4.0),
            (140.0, 2.0, 6.0, 4 * 90.0),
        ),
    ],
    ids=["default", "given"],
)
def test_A9_gaussian_predictive_is_student_t(family, prior):
    model = BayesClassifier(family, prior="uniform", estimate="predictive").fit(WEIGHTS[:, None], SEXES)
    points = np.array([90.0, 124.0, 150.0, 400.0, 5000.0])
    given_class = model.predict_joint_log_proba(points[:, None]) - math.log(0.5)
    for place, sex in enumerate("fm"):
        mean, kappa, nu, squares = normal_inverse_chi2(WEIGHTS[np.equal(SEXES, sex)], *prior)
        student = stats.t(nu, mean, math.sqrt(squares / nu * (1 + 1 / kappa)))
        assert given_class[:, place] == pytest.approx(student.logpdf(points), rel=1e-12)


def test_A9_gaussian_predictive_is_the_integral():
    """μ is integrated out by hand, σ² by quadrature over its scaled inverse χ²."""
    model = BayesClassifier(Gaussian(), prior="uniform", estimate="predictive").fit(WEIGHTS[:, None], SEXES)
    mean, kappa, nu, squares = normal_inverse_chi2(WEIGHTS[SEXES == "m"], WEIGHTS.mean(), 1.0, 3.0, WEIGHTS.var())
    precision = stats.gamma(nu / 2, scale=2 / squares)
    for x in (120.0, 178.0, 260.0):
        expected, _ = integrate.quad(
            lambda p, x=x: stats.norm.pdf(x, mean, math.sqrt((1 + 1 / kappa) / p)) * precision.pdf(p),
            0,
            precision.isf(1e-14),
            epsabs=0,
            epsrel=1e-9,
        )
        assert 2 * math.exp(model.predict_joint_log_proba([[x]])[0, 1]) == pytest.approx(expected, rel=1e-7)


def test_A9_gaussian_predictive_has_heavier_tails():
    plug_in, predictive = (
        BayesClassifier(Gaussian(), estimate=e).fit(WEIGHTS[:, None], SEXES) for e in ("mean", "predictive")
    )
    far = np.array([[-2000.0], [-200.0], [500.0], [3000.0]])
    surplus = predictive.predict_joint_log_proba(far) - plug_in.predict_joint_log_proba(far)
    assert (surplus > 1).all()
    assert (surplus[0] > surplus[1]).all()
    assert (surplus[3] > surplus[2]).all()
    assert (predictive.predict_proba(far) > 1e-9).all()
    assert plug_in.predict_proba(far).min() < 1e-9


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_A11_binary_document_model(form):
    """θ_ic = (N_ic + 1) / (N_c + 2), N_ic the documents of class c that have word i at least once."""
    model = BayesClassifier(Bernoulli()).fit(form(DOCUMENTS), TOPICS)
    theta = parameters(model)
    present = {0: (3, 0), 1: (1, 2), 2: (1, 2), 3: (0, 0)}
    for word, (ham, spam) in present.items():
        assert theta[f"{word}=1"] == exactly([Fraction(ham + 1, 3 + 2), Fraction(spam + 1, 2 + 2)])
        assert theta[f"{word}=0"] == exactly([Fraction(4 - ham, 5), Fraction(3 - spam, 4)])

    document = [0, 2, 0, 1]
    ham = Fraction(4, 7) * Fraction(1, 5) * Fraction(2, 5) * Fraction(3, 5) * Fraction(1, 5)
    spam = Fraction(3, 7) * Fraction(3, 4) * Fraction(3, 4) * Fraction(1, 4) * Fraction(1, 4)
    assert np.exp(model.predict_joint_log_proba(form(np.array([document]))))[0] == exactly([ham, spam])


# N_ick for K = 3: counts 0, 1, and 2 or more, by word and class
COUNTS = {
    0: {"ham": (0, 1, 2), "spam": (2, 0, 0)},
    1: {"ham": (2, 1, 0), "spam": (0, 1, 1)},
    2: {"ham": (2, 1, 0), "spam": (0, 1, 1)},
    3: {"ham": (3, 0, 0), "spam": (2, 0, 0)},
}


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize(
    ("family", "estimate", "alpha"),
    [
        (CountTable(max_count=3), "mle", (0, 0, 0)),
        (CountTable(max_count=3), "mean", (1, 1, 1)),
        (CountTable(max_count=3, alpha=(2.0, 1.0, 0.5)), "mean", (2, 1, Fraction(1, 2))),
    ],
    ids=["mle", "alpha=1", "alpha_k"],
)
def test_A12_word_counts_by_class(form, family, estimate, alpha):
    theta = parameters(BayesClassifier(family, estimate=estimate).fit(form(DOCUMENTS), TOPICS))
    for word, counts in COUNTS.items():
        for k in range(3):
            expected = [
                (counts[c][k] + Fraction(alpha[k])) / (sum(counts[c]) + Fraction(sum(alpha))) for c in ("ham", "spam")
            ]
            assert theta[f"{word}={k}"] == exactly(expected)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_A12_counts_are_truncated_when_scored(form):
    """Fifty occurrences are K − 1 of them."""
    model = BayesClassifier(CountTable(max_count=3)).fit(form(DOCUMENTS), TOPICS)
    joint = np.exp(model.predict_joint_log_proba(form(np.array([[50, 1, 0, 0], [2, 1, 0, 0]]))))
    ham = Fraction(4, 7) * Fraction(3, 6) * Fraction(2, 6) * Fraction(3, 6) * Fraction(4, 6)
    spam = Fraction(3, 7) * Fraction(1, 5) * Fraction(2, 5) * Fraction(1, 5) * Fraction(3, 5)
    assert joint[0] == exactly([ham, spam])
    assert np.array_equal(joint[0], joint[1])


def indicators(x, levels):
    """I(x_i = k), the level k varying faster than the feature i."""
    return np.stack([x == k for k in levels], axis=2).reshape(len(x), -1)


BY_HAND = {
    "Bernoulli": (Bernoulli(alpha=1.5), lambda x: indicators(x > 0, [True, False])),
    "Categorical": (Categorical(alpha=1.5, levels=range(4)), lambda x: indicators(x, range(4))),
    "CountTable": (CountTable(max_count=3, alpha=1.5), lambda x: indicators(np.minimum(x, 2), range(3))),
    "Multinomial": (Multinomial(alpha=1.5), lambda x: x),
}


@pytest.mark.parametrize("estimate", ["mean", "map"])
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize(("family", "features"), BY_HAND.values(), ids=BY_HAND)
def test_A13_posterior_is_a_softmax_of_linear_scores(family, features, n_classes, estimate):
    rng = np.random.default_rng(13)
    x = rng.integers(0, 4, (80, 6))
    y = rng.integers(0, n_classes, 80)
    model = BayesClassifier(family, prior=Dirichlet(2), estimate=estimate).fit(x[:60], y[:60])
    form = model.linear_form()
    phi = np.concatenate([np.ones((20, 1)), features(x[60:])], axis=1)
    assert len(form.names) == phi.shape[1]
    assert np.array_equal(form.phi(x[60:]), phi)
    posterior = model.predict_proba(x[60:])
    assert np.ptp(posterior) > 0.1
    assert softmax(phi @ form.beta.T, axis=1) == pytest.approx(posterior, abs=1e-12)
    if n_classes == 2:
        first, second = form.beta
        assert expit(phi @ (first - second)) == pytest.approx(posterior[:, 0], abs=1e-12)


def test_A13_weights_of_the_binary_model():
    """β_c = [log π_c, log θ_1c, log(1 − θ_1c), …] with the features 1, I(x_1 = 1), I(x_1 = 0), …"""
    form = BayesClassifier(Bernoulli()).fit([[1, 0], [1, 1], [0, 0]], ["a", "a", "b"]).linear_form()
    assert form.names == ("1", "0=1", "0=0", "1=1", "1=0")
    a = [Fraction(3, 5), Fraction(3, 4), Fraction(1, 4), Fraction(2, 4), Fraction(2, 4)]
    b = [Fraction(2, 5), Fraction(1, 3), Fraction(2, 3), Fraction(1, 3), Fraction(2, 3)]
    assert np.exp(form.beta[0]) == exactly(a)
    assert np.exp(form.beta[1]) == exactly(b)


def test_A13_zero_probabilities():
    model = BayesClassifier(Bernoulli(), estimate="mle").fit(DOCUMENTS, TOPICS)
    scores = model.linear_form().scores(DOCUMENTS)
    assert np.isneginf(scores).any()
    assert softmax(scores, axis=1) == pytest.approx(model.predict_proba(DOCUMENTS), abs=1e-12)


def test_A14_log_sum_exp():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert log_sum_exp([-120.0, -121.0]) == pytest.approx(math.log(1 + math.exp(-1)) - 120, rel=1e-15)
        assert log_sum_exp([-12000.0, -12001.0]) == pytest.approx(math.log(1 + math.exp(-1)) - 12000, rel=1e-15)
        assert log_sum_exp([12000.0, 12001.0]) == pytest.approx(math.log(1 + math.e) + 12000, rel=1e-15)
        assert log_sum_exp([-math.inf, -3.0]) == -3.0
        assert log_sum_exp([-math.inf, -math.inf]) == -math.inf
        rows = log_sum_exp([[-120.0, -121.0], [-math.inf, -math.inf], [-math.inf, 7.0]])
    assert rows.tolist() == [pytest.approx(math.log(1 + math.exp(-1)) - 120, rel=1e-15), -math.inf, 7.0]


def test_A14_posterior_of_vanishing_joints():
    """Ten thousand features: every p(x, y) underflows, the posterior does not."""
    rng = np.random.default_rng(14)
    x, y = rng.random((40, 10_000)) < 0.5, np.arange(40) % 2
    new = rng.random((5, 10_000)) < 0.5
    theta = np.array([(x[y == c].sum(axis=0) + 1) / 22 for c in (0, 1)])
    joint = np.where(new[:, None], np.log(theta), np.log1p(-theta)).sum(axis=2) + math.log(0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BayesClassifier(Bernoulli()).fit(x, y)
        log_posterior, evidence = model.predict_log_proba(new), model.score_samples(new)
    assert (np.exp(joint) == 0).all()
    expected = joint - np.logaddexp(joint[:, 0], joint[:, 1])[:, None]
    assert log_posterior == pytest.approx(expected, abs=1e-9)
    assert evidence == pytest.approx(np.logaddexp(joint[:, 0], joint[:, 1]), rel=1e-12)


LETTERS = ["free prize free", "free lunch", "lunch at noon", "prize lunch zebra"]
KINDS = ["spam", "ham", "ham", "spam"]


def test_A10_raw_documents_with_unknown_words_and_truncated_counts():
    family = Text("counts", max_count=3, vocabulary=["free", "lunch", "prize"], unknown="unk")
    model = BayesClassifier(family, prior="mle").fit(LETTERS, KINDS)
    # counts of free, lunch, prize, unk, cut off at 2: "at", "noon" and "zebra" are one word
    counts = np.array([[2, 0, 1, 0], [1, 1, 0, 0], [0, 1, 0, 2], [0, 1, 1, 1]])
    spam = np.array([True, False, False, True])
    for letter, row in (("free free free lunch", [2, 1, 0, 0]), ("noon", [0, 0, 0, 1])):
        joint = []
        for mine in (~spam, spam):
            theta = [Fraction(int((counts[mine, i] == k).sum()) + 1, int(mine.sum()) + 3) for i, k in enumerate(row)]
            joint.append(float(math.prod(theta)) * 0.5)
        assert np.exp(model.predict_joint_log_proba([letter]))[0] == pytest.approx(joint, rel=1e-12)


def test_A11_raw_documents_by_word_presence():
    model = BayesClassifier(Text("bernoulli"), prior="mle").fit(LETTERS, KINDS)
    density = model.model_.densities[0]
    theta = np.exp(density.inner.above)  # (N_ic + 1) / (N_c + 2)
    words = density.vocabulary.strings()
    found = {word: dict(zip(model.classes_.tolist(), theta[:, i], strict=True)) for i, word in enumerate(words)}
    assert found["free"] == {"ham": pytest.approx(2 / 4), "spam": pytest.approx(2 / 4)}
    assert found["lunch"] == {"ham": pytest.approx(3 / 4), "spam": pytest.approx(2 / 4)}
    assert found["zebra"] == {"ham": pytest.approx(1 / 4), "spam": pytest.approx(2 / 4)}
