"""Probabilistic classifiers: binary images, play tennis, smoothing, and densities that are already available."""

import csv
import itertools
import math
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hmmlearn import hmm
from scipy import stats
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity

from suffice import (
    BayesClassifier,
    Bernoulli,
    Categorical,
    Density,
    Gaussian,
    Given,
    LinearGaussianRegressor,
    LogisticRegression,
)
from suffice.errors import DataError, NoSamplesError

TENNIS = Path(__file__).parents[2] / "examples" / "tennis.csv"
N, P = 0, 1  # "no" and "yes", in sorted order


def exactly(values):
    return pytest.approx([float(v) for v in values], rel=1e-12, abs=0)


def parameters(model):
    """θ by feature name: the exponentials of the weights, one a class."""
    form = model.linear_form()
    return dict(zip(form.names, np.exp(form.beta.T), strict=True))


@pytest.fixture
def days():
    with TENNIS.open(newline="") as file:
        return list(csv.DictReader(file))


def test_E1_binary_images():
    """128 × 128 pixels, 16,384 Bernoulli features a class."""
    rng = np.random.default_rng(1)
    digits = rng.random((10, 128 * 128)) < 0.3
    y = np.arange(200) % 10
    images = digits[y] ^ (rng.random((200, 128 * 128)) < 0.2)
    train, test = slice(0, 150), slice(150, 200)
    model = BayesClassifier(Bernoulli()).fit(images[train], y[train])

    theta = np.array([(images[train][y[train] == c].sum(axis=0) + 1) / (15 + 2) for c in range(10)])
    fitted = np.exp(model.linear_form().beta[:, 1:]).reshape(10, 128 * 128, 2)
    np.testing.assert_allclose(fitted[:, :, 0], theta, rtol=1e-12)
    np.testing.assert_allclose(fitted[:, :, 1], 1 - theta, rtol=1e-12)
    black = sum(bool(images[i, 777]) for i in range(3, 150, 10))
    assert fitted[3, 777, 0] == pytest.approx(float(Fraction(black + 1, 15 + 2)), rel=1e-12)

    x = images[test]
    joint = x @ np.log(theta).T + ~x @ np.log1p(-theta).T + math.log(1 / 10)
    assert (np.exp(joint) == 0).all()
    assert model.predict_joint_log_proba(x) == pytest.approx(joint, rel=1e-12)
    assert model.predict_proba(x).sum(axis=1) == pytest.approx(np.ones(50), rel=1e-12)
    assert model.predict(x).tolist() == y[test].tolist()


def test_E2_categories_and_numbers_in_one_table():
    """The categorical attribute by relative frequency, the continuous one by its class mean and variance."""
    table = {
        "outlook": ["sunny", "rain", "rain", "overcast", "sunny", "sunny", "rain"],
        "temperature": [21.0, 17.5, 19.0, 20.5, 30.0, 33.0, 27.0],
        "play": ["yes", "yes", "yes", "yes", "no", "no", "no"],
    }
    model = BayesClassifier(model="naive", estimate="mle").fit(table, "play")
    joint = model.predict_joint_log_proba([{"outlook": "rain", "temperature": 25.0}])[0]
    hot, mild = np.array([30.0, 33.0, 27.0]), np.array([21.0, 17.5, 19.0, 20.5])
    no = math.log(3 / 7) + math.log(1 / 3) + stats.norm.logpdf(25.0, hot.mean(), hot.std())
    yes = math.log(4 / 7) + math.log(2 / 4) + stats.norm.logpdf(25.0, mild.mean(), mild.std())
    assert joint == pytest.approx([no, yes], rel=1e-12)
    assert hot.mean() == 30.0
    assert hot.var() == 6.0
    posterior = model.predict_proba([{"outlook": "rain", "temperature": 25.0}])[0, N]
    assert posterior == pytest.approx(1 / (1 + math.exp(yes - no)), rel=1e-12)


LIKELIHOODS = {  # value: p(value | P), p(value | N), in ninths and fifths
    "outlook=sunny": (2, 3),
    "outlook=overcast": (4, 0),
    "outlook=rain": (3, 2),
    "temperature=hot": (2, 2),
    "temperature=mild": (4, 2),
    "temperature=cool": (3, 1),
    "humidity=high": (3, 4),
    "humidity=normal": (6, 1),  # the slide's first table prints 2/5 for N
    "windy=true": (3, 3),
    "windy=false": (6, 2),
}
SAMPLE = {"outlook": "rain", "temperature": "hot", "humidity": "high", "windy": "false"}
OVERCAST = {"outlook": "overcast", "temperature": "mild", "humidity": "high", "windy": "true"}


def test_E3_class_priors(days):
    theta = parameters(BayesClassifier(model="naive", estimate="mle").fit(days, "play"))
    assert theta["1"] == exactly([Fraction(5, 14), Fraction(9, 14)])


def test_E3_likelihoods(days):
    theta = parameters(BayesClassifier(model="naive", estimate="mle").fit(days, "play"))
    assert set(theta) == {"1", *LIKELIHOODS}
    for value, (p, n) in LIKELIHOODS.items():
        assert theta[value] == exactly([Fraction(n, 5), Fraction(p, 9)]), value


def test_E3_joints(days):
    joint = np.exp(BayesClassifier(model="naive", estimate="mle").fit(days, "play").predict_joint_log_proba([SAMPLE]))[
        0
    ]
    p = Fraction(3, 9) * Fraction(2, 9) * Fraction(3, 9) * Fraction(6, 9) * Fraction(9, 14)
    n = Fraction(2, 5) * Fraction(2, 5) * Fraction(4, 5) * Fraction(2, 5) * Fraction(5, 14)
    assert joint == exactly([n, p])
    assert joint[P] == pytest.approx(0.010582, abs=5e-7)
    assert joint[N] == pytest.approx(0.018286, abs=5e-7)


def test_E3_posterior(days):
    model = BayesClassifier(model="naive", estimate="mle").fit(days, "play")
    posterior = model.predict_proba([SAMPLE])[0]
    assert posterior[N] == pytest.approx(0.6334, abs=5e-5)
    n, p = Fraction(64, 3500), Fraction(2, 189)
    assert posterior == exactly([n / (n + p), p / (n + p)])
    assert model.predict([SAMPLE]).tolist() == ["no"]


def test_E3_impossible_value_in_one_class(days):
    """p(overcast | N) = 0: N is ruled out, with no NaN and no warning."""
    p = Fraction(4, 9) * Fraction(4, 9) * Fraction(3, 9) * Fraction(3, 9) * Fraction(9, 14)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BayesClassifier(model="naive", estimate="mle").fit(days, "play")
        assert model.predict_joint_log_proba([OVERCAST])[0, N] == -math.inf
        assert np.exp(model.predict_joint_log_proba([OVERCAST]))[0] == exactly([0, p])
        assert model.predict_proba([OVERCAST]).tolist() == [[0.0, 1.0]]
        assert model.predict_log_proba([OVERCAST]).tolist() == [[-math.inf, 0.0]]
        assert model.score_samples([OVERCAST]) == pytest.approx([math.log(p)], rel=1e-12)
        assert model.predict([OVERCAST]).tolist() == ["yes"]
        assert model.explain([OVERCAST]).log_odds.tolist() == [math.inf]


SIZES = {"outlook": 3, "temperature": 3, "humidity": 2, "windy": 2}


@pytest.mark.parametrize("alpha", [0.01, 0.1, 0.5, 1.0, 2.0, 25.0])
def test_E4_lidstone_smoothing(days, alpha):
    """(count + α) / (class size + α · levels), Laplace's being α = 1."""
    model = BayesClassifier(Categorical(alpha=alpha), prior="mle").fit(days, "play")
    theta = parameters(model)
    for value, (p, n) in LIKELIHOODS.items():
        levels = SIZES[value.partition("=")[0]]
        assert theta[value] == exactly([(n + alpha) / (5 + alpha * levels), (p + alpha) / (9 + alpha * levels)]), value
    assert model.predict_proba([OVERCAST])[0, N] > 0


def test_E4_laplace_cures_the_zero(days):
    model = BayesClassifier(Categorical(alpha=1), prior="mle").fit(days, "play")
    n = Fraction(1, 8) * Fraction(3, 8) * Fraction(5, 7) * Fraction(4, 7) * Fraction(5, 14)
    p = Fraction(5, 12) * Fraction(5, 12) * Fraction(4, 11) * Fraction(4, 11) * Fraction(9, 14)
    assert np.exp(model.predict_joint_log_proba([OVERCAST]))[0] == exactly([n, p])
    assert model.predict_proba([OVERCAST])[0] == exactly([n / (n + p), p / (n + p)])


def test_E4_small_alpha_approaches_maximum_likelihood(days):
    mle = BayesClassifier(model="naive", estimate="mle").fit(days, "play").predict_proba([SAMPLE])
    gaps = [
        abs(BayesClassifier(Categorical(alpha=a), prior="mle").fit(days, "play").predict_proba([SAMPLE]) - mle).max()
        for a in (1.0, 0.1, 0.01, 0.0)
    ]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[2] > 1e-6
    assert gaps[3] < 1e-12


def test_E5_kernel_density():
    """p(x | y) = 1/N Σ N(x; x_i, h²)."""
    centres = {"a": [0.0, 1.0, 1.5], "b": [2.0, 5.0]}
    x = np.array([v for values in centres.values() for v in values])[:, None]
    model = BayesClassifier(Density(KernelDensity(bandwidth=0.7, rtol=1e-12)), prior="mle").fit(x, list("aaabb"))
    points = np.array([[-1.0], [1.7], [3.0], [6.0]])
    joint = np.stack(
        [len(v) / 5 * stats.norm.pdf(points, np.array(v), 0.7).mean(axis=1) for v in centres.values()], axis=1
    )
    assert np.exp(model.predict_joint_log_proba(points)) == pytest.approx(joint, rel=1e-9)
    assert model.predict_proba(points) == pytest.approx(joint / joint.sum(axis=1, keepdims=True), rel=1e-9)


def test_E5_gaussian_mixture():
    """With one component a mixture is the multivariate Gaussian at its maximum-likelihood mean and covariance."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(40, 2)) @ [[2.0, 1.5], [0.0, 1.0]], np.arange(40) % 2
    x[y == 1] += [1.0, -2.0]
    model = BayesClassifier(Density(GaussianMixture(1, reg_covar=0.0))).fit(x, y)
    joint = np.stack(
        [
            0.5 * stats.multivariate_normal(x[y == c].mean(axis=0), np.cov(x[y == c].T, bias=True)).pdf(x)
            for c in (0, 1)
        ],
        axis=1,
    )
    assert model.predict_proba(x) == pytest.approx(joint / joint.sum(axis=1, keepdims=True), rel=1e-9)


def test_E5_mixture_stands_for_a_block_beside_other_families():
    """The two coordinates are one block, the colour another; their log densities add up."""
    rng = np.random.default_rng(55)
    y = np.arange(60) % 2
    east, north = rng.normal(size=(2, 60)) + np.where(rng.random(60) < 0.5, -3, 3) * (y + 1)
    colour = np.where(rng.random(60) < 0.3 + 0.4 * y, "red", "blue")
    mixture = GaussianMixture(2, random_state=0)
    table = {"east": east, "colour": colour.tolist(), "north": north}
    model = BayesClassifier({("east", "north"): Density(mixture)}, prior="uniform", model="naive").fit(table, y)

    place = np.stack([east, north], axis=1)
    expected = np.empty((60, 2))
    for c in (0, 1):
        own = GaussianMixture(2, random_state=0).fit(place[y == c])
        reds = (np.count_nonzero(colour[y == c] == "red") + 1) / (30 + 2)
        expected[:, c] = own.score_samples(place) + np.log(np.where(colour == "red", reds, 1 - reds)) + math.log(0.5)
    assert model.predict_joint_log_proba(table) == pytest.approx(expected, rel=1e-9)
    assert not hasattr(mixture, "means_")


class Laplacian:
    """A density that is already available; it has no ``fit``."""

    def __init__(self, centre):
        self.centre = centre

    def score_samples(self, rows):
        return -np.abs(rows - self.centre).sum(axis=1) - rows.shape[1] * math.log(2)


def test_E5_given_objects_by_label():
    given = {"yes": Laplacian(1.0), "no": Laplacian(-2.0)}
    prior = Given({"yes": 0.3, "no": 0.7})
    model = BayesClassifier(Density(given), prior=prior).fit([[0.0, 0.0], [1.0, 1.0]], ["yes", "no"])
    x = np.array([[0.5, 1.0], [-3.0, 0.0], [-0.5, -0.5]])
    no = 0.7 * np.exp(-np.abs(x + 2).sum(axis=1)) / 4
    yes = 0.3 * np.exp(-np.abs(x - 1).sum(axis=1)) / 4
    assert model.predict_proba(x) == pytest.approx(np.stack([no, yes], axis=1) / (no + yes)[:, None], rel=1e-12)


class HMM:
    """A discrete hidden Markov model; ``fit`` is the flat start of a two-state, left-to-right word model.

    Its first state is taken to emit the first half of every sequence, its second the rest.
    """

    def __init__(self, start, move, emit):
        self.start, self.move, self.emit = np.asarray(start), np.asarray(move), np.asarray(emit)

    def fit(self, sequences):
        counts = np.zeros_like(self.emit)
        for sequence in sequences:
            for t, symbol in enumerate(sequence):
                counts[int(2 * t >= len(sequence)), symbol] += 1
        self.emit = (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)
        return self

    def score_samples(self, sequences):
        return [self.log_probability(s) for s in sequences]

    def log_probability(self, sequence):
        """The forward algorithm."""
        with np.errstate(divide="ignore"):
            start, move, emit = np.log(self.start), np.log(self.move), np.log(self.emit)
        forward = start + emit[:, sequence[0]]
        for symbol in sequence[1:]:
            forward = np.logaddexp.reduce(forward[:, None] + move, axis=0) + emit[:, symbol]
        return float(np.logaddexp.reduce(forward))


def summed_over_paths(start, move, emit, sequence):
    """p(sequence): the sum over every path through the hidden states."""
    total = 0.0
    for path in itertools.product(range(len(start)), repeat=len(sequence)):
        p = start[path[0]] * emit[path[0]][sequence[0]]
        for before, after, symbol in zip(path, path[1:], sequence[1:], strict=False):
            p *= move[before][after] * emit[after][symbol]
        total += p
    return total


YES = ([0.6, 0.4], [[0.7, 0.3], [0.2, 0.8]], [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
NO = ([0.1, 0.9], [[0.5, 0.5], [0.6, 0.4]], [[0.2, 0.2, 0.6], [0.7, 0.2, 0.1]])
SPOKEN = [[0, 1, 2, 2], [2, 0], [1], [2, 2, 0, 1, 0, 0, 2]]


def test_E5_one_hmm_a_word():
    model = BayesClassifier(
        {"sound": Density({"yes": HMM(*YES), "no": HMM(*NO)})}, prior={"yes": 0.25, "no": 0.75}, model="naive"
    )
    model.fit([{"sound": [0, 1]}, {"sound": [2]}], ["yes", "no"])
    joint = np.array([[0.75 * summed_over_paths(*NO, s), 0.25 * summed_over_paths(*YES, s)] for s in SPOKEN])
    rows = [{"sound": s} for s in SPOKEN]
    assert np.exp(model.predict_joint_log_proba(rows)) == pytest.approx(joint, rel=1e-12)
    assert model.predict_proba(rows) == pytest.approx(joint / joint.sum(axis=1, keepdims=True), rel=1e-12)


def of_hmmlearn(start, move, emit):
    model = hmm.CategoricalHMM(len(start))
    model.startprob_, model.transmat_, model.emissionprob_ = map(np.array, (start, move, emit))
    return model


def test_E5_hmmlearn_as_it_is():
    """Given models score as the sum over every path; fitted ones are those that hmmlearn fits to the sequences of a class."""
    given = Density({"yes": of_hmmlearn(*YES), "no": of_hmmlearn(*NO)})
    model = BayesClassifier({"sound": given}, prior={"yes": 0.25, "no": 0.75}, model="naive")
    model.fit([{"sound": [0, 1]}, {"sound": [2]}], ["yes", "no"])
    joint = np.array([[0.75 * summed_over_paths(*NO, s), 0.25 * summed_over_paths(*YES, s)] for s in SPOKEN])
    rows = [{"sound": s} for s in SPOKEN]
    assert np.exp(model.predict_joint_log_proba([*rows, {"sound": None}])[:-1]) == pytest.approx(joint, rel=1e-9)
    with pytest.raises(NoSamplesError, match="no distribution of sequence lengths"):
        model.sample(2)
    with pytest.raises(DataError, match="Sequence 0 is empty"):
        model.predict([{"sound": []}])

    rng = np.random.default_rng(7)
    words = np.array(["no", "yes"] * 15)
    spoken = [rng.normal(size=(rng.integers(4, 9), 2)) + (np.arange(2) if w == "yes" else -np.arange(2)) for w in words]
    word = hmm.GaussianHMM(2, n_iter=5, random_state=0)
    fitted = BayesClassifier({"sound": Density(word)}, prior="uniform", model="naive")
    fitted.fit([{"sound": s.tolist()} for s in spoken], words)
    expected = []
    for label in ("no", "yes"):
        own = [s for s, w in zip(spoken, words, strict=True) if w == label]
        alone = hmm.GaussianHMM(2, n_iter=5, random_state=0).fit(np.concatenate(own), [len(s) for s in own])
        expected.append([alone.score(s) + math.log(0.5) for s in spoken])
    found = fitted.predict_joint_log_proba([{"sound": s.tolist()} for s in spoken])
    assert found == pytest.approx(np.array(expected).T, rel=1e-9)
    assert (fitted.predict([{"sound": s.tolist()} for s in spoken]) == words).mean() > 0.9


def test_E5_hmm_does_not_underflow():
    model = BayesClassifier({"sound": Density({"yes": HMM(*YES), "no": HMM(*NO)})}, prior="uniform", model="naive")
    model.fit([{"sound": [0, 1]}, {"sound": [2]}], ["yes", "no"])
    long = [{"sound": [0, 1, 2, 2, 1, 1] * 300}]
    joint = model.predict_joint_log_proba(long)
    assert (joint < -1000).all()
    assert model.predict_log_proba(long) == pytest.approx(joint - np.logaddexp(*joint[0]), rel=1e-12, abs=1e-12)


def test_E5_hmm_is_fitted_a_class_beside_other_columns():
    """Emissions are counted in the halves of the class's sequences; the loudness is a Gaussian of its own."""
    sounds = [[0, 0, 1, 1], [0, 1], [0, 2, 1], [2, 2, 0, 0], [2, 0]]
    words = ["yes", "yes", "yes", "no", "no"]
    loudness = np.array([3.0, 5.0, 4.0, 8.0, 6.0])
    start, move = [1.0, 0.0], [[0.5, 0.5], [0.0, 1.0]]
    emit = {
        "yes": [[5 / 8, 1 / 8, 2 / 8], [1 / 7, 5 / 7, 1 / 7]],
        "no": [[1 / 6, 1 / 6, 4 / 6], [4 / 6, 1 / 6, 1 / 6]],
    }
    hmm = HMM(start, move, np.zeros((2, 3)))
    rows = [{"sound": s, "loudness": v} for s, v in zip(sounds, loudness.tolist(), strict=True)]
    families = {"sound": Density(hmm), "loudness": Gaussian()}
    model = BayesClassifier(families, model="naive", estimate="mle").fit(rows, words)

    new = [{"sound": [0, 2, 1], "loudness": 5.5}, {"sound": [2, 1, 0, 0], "loudness": 4.5}]
    joint = [
        [
            share
            * summed_over_paths(start, move, emit[word], row["sound"])
            * stats.norm.pdf(row["loudness"], heard.mean(), heard.std())
            for word, share, heard in (("no", 2 / 5, loudness[3:]), ("yes", 3 / 5, loudness[:3]))
        ]
        for row in new
    ]
    assert np.exp(model.predict_joint_log_proba(new)) == pytest.approx(np.array(joint), rel=1e-12)
    assert (hmm.emit == 0).all()


def test_E5_sequence_that_was_not_recorded():
    """A missing sequence says nothing: the prior remains."""
    model = BayesClassifier(
        {"sound": Density({"yes": HMM(*YES), "no": HMM(*NO)})}, prior={"yes": 0.25, "no": 0.75}, model="naive"
    )
    model.fit([{"sound": [0, 1]}, {"sound": [2]}], ["yes", "no"])
    posterior = model.predict_proba([{"sound": None}, {"sound": [1]}])
    assert posterior[0] == exactly([0.75, 0.25])
    no, yes = 0.75 * summed_over_paths(*NO, [1]), 0.25 * summed_over_paths(*YES, [1])
    assert posterior[1] == exactly([no / (no + yes), yes / (no + yes)])


def test_E6_linear_gaussian_regression_in_closed_form(rng):
    X = rng.normal(size=(50, 3))
    y = X @ [1.0, -2.0, 0.5] + 4 + 0.3 * rng.normal(size=50)
    model = LinearGaussianRegressor().fit(X, y)
    design = np.column_stack([np.ones(50), X])
    weights = np.linalg.solve(design.T @ design, design.T @ y)  # the normal equations
    np.testing.assert_allclose([model.intercept_, *model.coef_], weights)
    assert model.sigma_**2 == pytest.approx(np.mean((y - design @ weights) ** 2))
    np.testing.assert_allclose(model.log_density(X, y), stats.norm.logpdf(y, design @ weights, model.sigma_))


def test_E6_logistic_and_softmax_are_conditional_models_too(rng):
    X = rng.normal(size=(400, 2))
    two = (rng.random(400) < 1 / (1 + np.exp(-(X @ [2.0, -1.0] + 0.5)))).astype(int)
    logistic = LogisticRegression(C=1e6).fit(X, two)
    odds = X @ logistic.coef_[0] + logistic.intercept_[0]
    np.testing.assert_allclose(logistic.predict_proba(X)[:, 1], 1 / (1 + np.exp(-odds)), atol=1e-12)
    three = (X @ np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]).T + rng.gumbel(size=(400, 3))).argmax(axis=1)
    softmax = LogisticRegression(C=1e6).fit(X, three)
    scores = np.exp(X @ softmax.coef_.T + softmax.intercept_)
    np.testing.assert_allclose(softmax.predict_proba(X), scores / scores.sum(axis=1, keepdims=True), atol=1e-12)
    # at the maximum of the likelihood the expected counts are the counts: Σ (p − t) x = 0
    gradient = (softmax.predict_proba(X) - np.eye(3)[three]).T @ np.column_stack([np.ones(400), X])
    np.testing.assert_allclose(gradient, 0, atol=0.05)
