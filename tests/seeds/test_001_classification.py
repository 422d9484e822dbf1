"""Classification: log-odds, the linear boundary of binary naive Bayes, maximum likelihood and Laplace smoothing."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import load_iris

from suffice import (
    BayesClassifier,
    Bernoulli,
    Gaussian,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    MultivariateNormal,
    evaluate,
)
from suffice.text import CountVectorizer, Stem, StopWords

# word presence in seven documents, and whether they were interesting; nobody has used the last word
WORDS = ["fun", "learn", "machine", "zebra"]
DOCUMENTS = np.array(
    [
        [1, 1, 1, 0],
        [0, 1, 1, 0],
        [1, 1, 0, 0],
        [0, 0, 1, 0],
        [1, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 1, 0, 0],
    ]
)
INTERESTING = np.array([1, 1, 1, 1, 0, 0, 0])
ONES = {1: [2, 3, 3, 0], 0: [1, 1, 0, 0]}
SIZE = {1: 4, 0: 3}
EVERY_DOCUMENT = np.array(list(itertools.product([0, 1], repeat=4)))


def exactly(values):
    return pytest.approx([float(v) for v in values], rel=1e-12, abs=0)


def theta(model, word):
    """p(word | y) of the classes in their order."""
    form = model.linear_form()
    return np.exp(form.beta[:, form.names.index(f"{word}=1")])


def test_B1_stop_words_dropped_and_words_stemmed_to_roots():
    """One binary feature a root: "Machine learning is fun" has fun, learn and machin, and none of the others."""
    roots = CountVectorizer(stop_words="english", normalise=Stem("english"), binary=True)
    roots.fit(["Machine learning is fun", "Learned machines, funny learners", "The zebra is not"])
    on = dict(
        zip(roots.get_feature_names_out(), roots.transform(["Machine learning is fun"]).toarray()[0], strict=True)
    )
    assert {root for root, value in on.items() if value == 1} == {"fun", "learn", "machin"}
    assert {root for root, value in on.items() if value == 0} == {"funni", "learner", "zebra"}


def test_B1_in_any_language_that_has_a_stemmer():
    roots = CountVectorizer(normalise=[StopWords("german"), Stem("german")], binary=True)
    assert roots.fit(["Die Häuser und das Haus"]).get_feature_names_out().tolist() == ["haus"]


def test_B4_posterior_is_the_sigmoid_of_the_log_odds():
    """For two Gaussians a = ln π1/π0 + ln σ0/σ1 + (x − μ0)²/2σ0² − (x − μ1)²/2σ1²."""
    x0, x1 = np.array([1.0, 2.0, 4.0, 3.0]), np.array([5.0, 9.0])
    model = BayesClassifier(Gaussian(), estimate="mle").fit(np.concatenate([x0, x1])[:, None], [0, 0, 0, 0, 1, 1])
    x = np.linspace(-3, 14, 35)
    a = (
        math.log(2 / 4)
        + math.log(x0.std() / x1.std())
        + (x - x0.mean()) ** 2 / (2 * x0.var())
        - (x - x1.mean()) ** 2 / (2 * x1.var())
    )
    joint = model.predict_joint_log_proba(x[:, None])
    assert joint[:, 1] - joint[:, 0] == pytest.approx(a, rel=1e-12, abs=1e-12)
    assert model.predict_proba(x[:, None]) == pytest.approx(np.stack([expit(-a), expit(a)], axis=1), rel=1e-11)
    assert model.explain(x[:, None], of=1, against=0).log_odds == pytest.approx(a, rel=1e-12, abs=1e-12)
    assert model.predict(x[:, None]).tolist() == (a > 0).astype(int).tolist()


def test_B5_binary_naive_bayes_is_a_linear_boundary():
    """w_0 + Σ w_i0 + Σ (w_i1 − w_i0) x_i, with the weights from the smoothed counts."""
    p = {y: [(n + 1) / (SIZE[y] + 2) for n in ONES[y]] for y in (0, 1)}
    w0 = math.log((4 + 1) / (3 + 1))
    wi1 = np.array([math.log(p[1][i] / p[0][i]) for i in range(4)])
    wi0 = np.array([math.log((1 - p[1][i]) / (1 - p[0][i])) for i in range(4)])
    linear = w0 + wi0.sum() + EVERY_DOCUMENT @ (wi1 - wi0)

    model = BayesClassifier(Bernoulli()).fit(DOCUMENTS, INTERESTING)
    posterior = model.predict_proba(EVERY_DOCUMENT)
    assert np.log(posterior[:, 1] / posterior[:, 0]) == pytest.approx(linear, abs=1e-12)
    assert set(model.predict(EVERY_DOCUMENT).tolist()) == {0, 1}
    assert model.predict(EVERY_DOCUMENT).tolist() == (linear > 0).astype(int).tolist()


def test_B5_weights_are_handed_out():
    form = BayesClassifier(Bernoulli()).fit(DOCUMENTS, INTERESTING).linear_form()
    difference = dict(zip(form.names, form.beta[1] - form.beta[0], strict=True))
    assert difference["1"] == pytest.approx(math.log(5 / 4), rel=1e-12)
    assert difference["0=1"] == pytest.approx(math.log((3 / 6) / (2 / 5)), rel=1e-12)
    assert difference["0=0"] == pytest.approx(math.log((3 / 6) / (3 / 5)), rel=1e-12)


def test_B6_maximum_likelihood_is_counting():
    model = BayesClassifier(Bernoulli(), estimate="mle").fit(DOCUMENTS, INTERESTING)
    assert np.exp(model.linear_form().beta[:, 0]) == exactly([Fraction(3, 7), Fraction(4, 7)])
    for i in range(4):
        assert theta(model, i) == exactly([Fraction(ONES[0][i], 3), Fraction(ONES[1][i], 4)])


def test_B6_maximum_likelihood_has_no_answer_for_a_word_never_seen():
    """0/0 in both classes: the document says nothing, and the class prior is all there is."""
    model = BayesClassifier(Bernoulli(), estimate="mle").fit(DOCUMENTS, INTERESTING)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isneginf(model.predict_joint_log_proba([[1, 1, 1, 1]])).all()
        assert model.predict_proba([[1, 1, 1, 1]])[0] == exactly([Fraction(3, 7), Fraction(4, 7)])


def test_B6_laplace_smoothing():
    model = BayesClassifier(Bernoulli()).fit(DOCUMENTS, INTERESTING)
    for i in range(4):
        assert theta(model, i) == exactly([Fraction(ONES[0][i] + 1, 3 + 2), Fraction(ONES[1][i] + 1, 4 + 2)])
    assert np.isfinite(model.predict_joint_log_proba(EVERY_DOCUMENT)).all()


def test_B6_word_without_any_document_gets_one_half():
    """(0 + 1) / (0 + 2): a word of which no document says whether it occurs, and any word of a class with no documents."""
    rows = [dict(zip(WORDS, map(int, row), strict=True)) | {"quark": None} for row in DOCUMENTS]
    model = BayesClassifier(Bernoulli()).partial_fit(rows, INTERESTING, classes=[0, 1, 2])
    assert theta(model, "quark").tolist() == exactly([0.5, 0.5, 0.5])
    for i, word in enumerate(WORDS):
        expected = [Fraction(ONES[0][i] + 1, 5), Fraction(ONES[1][i] + 1, 6), Fraction(1, 2)]
        assert theta(model, word) == exactly(expected)


def test_B6_smoothing_fades_as_documents_come_in():
    """A word in 900 of 1000 documents: 901/1002, 0.1 % from the maximum-likelihood 0.9."""
    x = np.zeros((1010, 1))
    x[:900] = 1
    model = BayesClassifier(Bernoulli()).fit(x, [1] * 1000 + [0] * 10)
    assert theta(model, 0) == exactly([Fraction(1, 12), Fraction(901, 1002)])


def test_B8_shared_covariance_is_the_scatter_around_the_own_mean_over_all_rows():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier(MultivariateNormal("tied", floor=0.0), estimate="mle").fit(X, y)
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    shared = (X - means[y]).T @ (X - means[y]) / len(X)
    density = model.model_.densities[0]
    np.testing.assert_allclose(density.mean, means, rtol=1e-12)
    np.testing.assert_allclose(density.covariances[0].full(), shared, rtol=1e-11)


def test_B8_fantasised_data_refit_to_the_parameters():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier(MultivariateNormal("tied"), estimate="mle").fit(X, y)
    fantasy, labels = model.sample(100_000, random_state=3)
    again = BayesClassifier(MultivariateNormal("tied"), estimate="mle").fit(fantasy, labels)
    a, b = model.model_.densities[0], again.model_.densities[0]
    deviation = np.sqrt(np.diagonal(a.covariances[0].full()))
    assert np.abs((a.mean - b.mean) / deviation).max() < 0.03
    assert np.abs((a.covariances[0].full() - b.covariances[0].full()) / np.outer(deviation, deviation)).max() < 0.03


def test_B9_variations_of_the_covariance():
    X, y = load_iris(return_X_y=True)

    def matrices(**settings):
        model = BayesClassifier(MultivariateNormal(floor=0.0, **settings), estimate="mle").fit(X, y)
        return [c.full() for c in model.model_.densities[0].covariances]

    own, diagonal = matrices(), matrices(covariance="diagonal")
    # mostly diagonal, with one pair of columns allowed to go together
    pair = matrices(pattern=[(2, 3)])
    for c in range(3):
        np.testing.assert_allclose(own[c], np.cov(X[y == c].T, bias=True), rtol=1e-11)
        np.testing.assert_allclose(diagonal[c], np.diag(X[y == c].var(axis=0)), rtol=1e-11, atol=1e-15)
        np.testing.assert_allclose(pair[c][2:, 2:], own[c][2:, 2:], rtol=1e-11)
        np.testing.assert_array_equal(pair[c][:2], diagonal[c][:2])
    blocks = BayesClassifier({(2, 3): MultivariateNormal(floor=0.0)}, estimate="mle", model="naive").fit(X, y)
    whole = BayesClassifier(MultivariateNormal(floor=0.0, pattern=[(2, 3)]), estimate="mle").fit(X, y)
    np.testing.assert_allclose(blocks.predict_proba(X), whole.predict_proba(X), atol=1e-10)


def test_B3_linear_regression_thresholded_is_a_classifier_with_known_defects():
    # hours studied, passed or not: thresholded at one half it does what is wanted
    hours = np.arange(1.0, 9.0)
    passed = (hours > 4.5).astype(int)
    model = LeastSquaresClassifier().fit(hours[:, None], passed)
    assert model.score(hours[:, None], passed) == 1
    slope, intercept = np.polyfit(hours, passed, 1)
    np.testing.assert_allclose([model.coef_[1, 0], model.intercept_[1]], [slope, intercept])
    # its values are no probabilities …
    assert model.fitted_values([[20.0]])[0, 1] > 1
    assert model.fitted_values([[-5.0]])[0, 1] < 0
    # … rows far on the right side of the boundary, which should change nothing, move it …
    far = np.concatenate([hours, np.full(5, 60.0)])[:, None]
    labels = np.concatenate([passed, np.ones(5, dtype=int)])
    assert LeastSquaresClassifier().fit(far, labels).score(hours[:, None], passed) < 1
    assert LinearDiscriminantAnalysis().fit(hours[:, None], passed).score(hours[:, None], passed) == 1
    # … and of three classes in a row and of equal size the middle one is masked
    x = np.linspace(0, 3, 90)[:, None]
    three = np.repeat([0, 1, 2], 30)
    masked = LeastSquaresClassifier().fit(x, three)
    assert 1 not in masked.predict(x)
    shifted = np.where(three == 1, x[:, 0] - 0.4, x[:, 0])[:, None]  # it need not be half-way
    assert 1 not in LeastSquaresClassifier().fit(shifted, three).predict(shifted)
    most = np.where(three == 1, 2.0, 1.0)  # but reappears where it has more rows
    assert 1 in LeastSquaresClassifier().fit(x, three, sample_weight=most).predict(x)
    assert LinearDiscriminantAnalysis().fit(x, three).score(x, three) > 0.95


def test_B10_on_the_decision_boundary_both_classes_are_equally_probable():
    X, y = load_iris(return_X_y=True)
    X, y = X[50:, 2:], y[50:]
    shared = BayesClassifier(MultivariateNormal("tied"), estimate="mle").fit(X, y)
    w, b = shared.gaussian_block().hyperplane(2, 1)
    along = np.linspace(3, 7, 9)
    line = np.column_stack([along, -(b + w[0] * along) / w[1]])
    np.testing.assert_allclose(shared.predict_proba(line), 0.5, atol=1e-9)
    np.testing.assert_array_equal(shared.predict(X), np.where(X @ w + b > 0, 2, 1))


def test_B11_many_more_voxels_than_scans():
    rng = np.random.default_rng(7)
    kinds = np.arange(100) % 10
    images = rng.normal(size=(10, 15_000)) * 0.15
    scans = images[kinds] + rng.normal(size=(100, 15_000)) + rng.normal(size=(100, 1))  # the whole head drifts
    train, test = np.arange(100) < 70, np.arange(100) >= 70
    model = BayesClassifier(MultivariateNormal("tied", shrinkage="oas")).fit(scans[train], kinds[train])
    scores = model.predict_log_proba(scans[test])
    assert evaluate.pairwise_accuracy(kinds[test], scores, model.classes_) > 0.85
    # the mean image of a class is what the model has learned of it
    mean = model.gaussian_block().density.mean
    share = 7 / 8  # seven scans beside one row's worth of prior
    expected = share * scans[train & (kinds == 3)].mean(axis=0) + (1 - share) * scans[train].mean(axis=0)
    np.testing.assert_allclose(mean[3], expected)
