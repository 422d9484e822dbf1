"""What a model believes is drawn as it is, and where it belongs."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB as TheirBernoulliNB

from plot.cases import DOCUMENTS, KINDS, PETAL, digits, iris, naive, pixels, reader
from suffice import (
    BayesClassifier,
    BernoulliNB,
    Categorical,
    GaussianNB,
    MultivariateNormal,
    Poisson,
    Text,
    plot,
)


@pytest.fixture
def two_normals(rng):
    """N(0, 1) and N(3, 1) with priors ¾ and ¼: the boundary is at 1.5 + log 3 / 3."""
    x = np.concatenate(
        [stats.norm.ppf((np.arange(1500) + 0.5) / 1500), 3 + stats.norm.ppf((np.arange(500) + 0.5) / 500)]
    )
    y = np.repeat(["low", "high"], [1500, 500])
    model = BayesClassifier(MultivariateNormal("tied", floor=0), estimate="mle", prior="mle").fit(x[:, None], y)
    return model, x[:, None], y, 1.5 + np.log(3) / 3


def test_densities_are_those_of_scipy_and_integrate_to_one(two_normals):
    model, X, y, _ = two_normals
    display = plot.DensityDisplay.from_estimator(model, X, y, points=2000)
    np.testing.assert_allclose(display.density[:, 1], stats.norm(0, X[y == "low"].std()).pdf(display.points), rtol=0.01)
    curves = display.ax_.get_lines()
    np.testing.assert_array_equal(curves[0].get_ydata(), display.density[:, 0])
    area = np.trapezoid(display.density, display.points, axis=0)
    assert area == pytest.approx([1, 1], abs=0.01)
    bars = sum(patch.get_height() * patch.get_width() for patch in display.ax_.patches)
    assert bars == pytest.approx(2.0)  # the histogram of each class has area one


def test_probabilities_of_categories_and_counts_are_bars(rng):
    frame = pd.DataFrame({"sky": rng.choice(["sun", "rain", "fog"], 90), "calls": rng.poisson(2, 90)})
    y = np.arange(90) % 2
    model = BayesClassifier({"sky": Categorical(), "calls": Poisson()}).fit(frame, y)
    display = plot.DensityDisplay.from_estimator(model, frame, y, column="sky")
    assert display.points.tolist() == ["fog", "rain", "sun"]
    assert display.density.sum(axis=0) == pytest.approx([1, 1])
    assert [p.get_height() for p in display.ax_.patches] == pytest.approx(display.density.T.ravel())
    calls = plot.DensityDisplay.from_estimator(model, frame, y, column="calls")
    assert calls.is_discrete
    rate = model.model_.tally.statistics[1].total[:, 0] / 45
    assert np.abs(calls.density[:, 0] - stats.poisson.pmf(calls.points, rate[0])).max() < 0.03


def test_boundary_is_where_it_must_be(two_normals):
    model, X, y, at = two_normals
    for kind in ("posterior", "joint", "log_joint"):
        display = plot.CurvesDisplay.from_estimator(model, X, y, kind=kind)
        (found,) = display.boundaries
        assert found.at == pytest.approx(at, abs=0.01)
        assert display.classes[found.below] == "low"
        marks = [line.get_xdata()[0] for line in display.ax_.get_lines() if len(line.get_xdata()) == 2]
        assert marks == [found.at]
        values = [np.interp(found.at, display.points, curve) for curve in display.values.T]
        assert values[0] == pytest.approx(values[1], rel=0.02)  # where the curves cross


def test_the_picture_changes_colour_at_the_boundary(rng):
    """A classifier that decides for the second class in one corner: pixels inside and outside it have the classes' colours."""

    class Corner:
        classes_ = np.array([0, 1])

        def predict_proba(self, X):
            inside = (np.asarray(X) > 0.5).all(axis=1).astype(float)
            return np.column_stack([1 - inside, inside])

    X = rng.uniform(0, 1, (40, 2))
    display = plot.RegionsDisplay.from_estimator(Corner(), X, points=400)
    display.ax_.collections[-1].remove()  # the rows
    image = pixels(display.figure_)
    height = image.shape[0]

    def colour(x, y):
        column, row = display.ax_.transData.transform((x, y))
        return image[height - 1 - int(row), int(column)]

    left, right = colour(0.25, 0.5), colour(0.75, 0.75)
    assert left[2] > left[0] + 30  # bluish
    assert right[0] > right[2] + 30  # reddish
    for x in np.linspace(0.05, 0.95, 19):
        if abs(x - 0.5) > 0.02:
            assert np.abs(colour(x, 0.8) - (right if x > 0.5 else left)).max() <= 2
            assert np.abs(colour(x, 0.2) - left).max() <= 2


def test_other_columns_are_summed_out():
    """p(petal length) from a model of four correlated columns is that of a model of petal length alone."""
    X, y = iris()
    model = BayesClassifier(MultivariateNormal(floor=0), estimate="mle").fit(X, y)
    alone = BayesClassifier(MultivariateNormal(floor=0), estimate="mle").fit(X[[PETAL]], y)
    many = plot.CurvesDisplay.from_estimator(model, X, column=PETAL)
    one = plot.CurvesDisplay.from_estimator(alone, X[[PETAL]])
    np.testing.assert_allclose(many.values, one.values, atol=1e-12)
    np.testing.assert_allclose(one.values, alone.predict_proba(pd.DataFrame({PETAL: one.points})), atol=1e-12)


def test_columns_that_are_weighed_are_shown_as_they_answer():
    """Regions have what is said together too, which is no part of the densities; they have no weights."""
    X, y = iris()
    model = BayesClassifier().fit(X.iloc[:, 2:], y)
    shown = plot.RegionsDisplay.from_estimator(model, X.iloc[:, 2:], y, points=30)
    plane = pd.DataFrame({PETAL: np.tile(shown.xs, 30), X.columns[3]: np.repeat(shown.ys, 30)})
    np.testing.assert_allclose(shown.posterior.reshape(900, 3), model.predict_proba(plane), atol=1e-12)
    display = plot.DensityDisplay.from_estimator(model, X.iloc[:, 2:], y, column=PETAL, points=4000)
    assert (display.points[0], display.points[-1] < X[PETAL].max()) == (X[PETAL].min(), True)
    below = [(X[PETAL][y == c] < X[PETAL].max()).mean() for c in model.classes_]
    np.testing.assert_allclose(np.trapezoid(display.density, display.points, axis=0), below, atol=0.03)


def test_any_classifier_will_do_for_posteriors():
    X, y = iris()
    theirs = LogisticRegression().fit(X[[PETAL]], y)
    display = plot.CurvesDisplay.from_estimator(theirs, X[[PETAL]])
    np.testing.assert_array_equal(display.values, theirs.predict_proba(pd.DataFrame({PETAL: display.points})))
    assert [b.at for b in display.boundaries] == pytest.approx([2.6, 4.8], abs=0.3)


@pytest.mark.parametrize("covariance", [1.5, -1.5])
def test_ellipses_hold_what_they_say(covariance, rng):
    X = rng.multivariate_normal([1, 2], [[4, covariance], [covariance, 1]], 4000)
    y = (rng.random(4000) < 0.5).astype(int)
    model = BayesClassifier(MultivariateNormal(), estimate="mle").fit(X, y)
    display = plot.EllipsesDisplay.from_estimator(model, X, y, shares=(0.5, 0.95))
    distance = model.gaussian_block().mahalanobis(X)[:, 0]
    for share in (0.5, 0.95):
        outline = model.gaussian_block().mahalanobis(display.outline(0, share))[:, 0]
        assert np.ptp(outline) < 1e-9
        assert (distance < outline[0]).mean() == pytest.approx(share, abs=0.03)


def test_ellipses_of_columns_apart_are_upright():
    X, y = iris()
    normals = plot.EllipsesDisplay.from_estimator(naive(), X, y, columns=tuple(X.columns[:2])).normals
    assert not normals.covariance[:, 0, 1].any()
    np.testing.assert_allclose(normals.covariance[:, [0, 1], [0, 1]], naive().var_[:, :2])


def test_student_ellipses_are_wider(rng):
    X, y = rng.normal(size=(12, 2)), np.arange(12) % 2
    made = [
        plot.EllipsesDisplay.from_estimator(
            BayesClassifier(MultivariateNormal(), estimate=rule).fit(X, y), X, shares=[0.99]
        )
        for rule in ("mean", "predictive")
    ]
    plain, student = (np.ptp(display.outline(0, 0.99), axis=0) for display in made)
    assert (student > plain).all()


def test_mean_images_are_means():
    X, y = digits()
    display = plot.ImagesDisplay.from_estimator(reader(), shape=(8, 8))
    means = np.array([X[:900][y[:900] == c].mean(axis=0) for c in range(10)])
    np.testing.assert_allclose(display.images.reshape(10, -1), means, atol=1e-12)
    against = plot.ImagesDisplay.from_estimator(reader(), shape=(8, 8), against_all=True)
    np.testing.assert_allclose(against.images.reshape(10, -1), means - X[:900].mean(axis=0), atol=1e-12)
    places = [(j % 8, j // 8) for j in range(64)]  # the same, on its side
    turned = plot.ImagesDisplay.from_estimator(reader(), places=places)
    np.testing.assert_array_equal(turned.images, display.images.transpose(0, 2, 1))
    shown = [ax.images[0].get_array() for ax in display.ax_.child_axes]
    np.testing.assert_array_equal(shown, display.images)


def test_a_class_without_rows_has_no_image():
    model = GaussianNB().partial_fit(np.eye(4), [0, 0, 1, 1], classes=[0, 1, 2])
    images = plot.ImagesDisplay.from_estimator(model, shape=(2, 2)).images
    assert np.isnan(images[2]).all()
    assert images[0].ravel().tolist() == [0.5, 0.5, 0, 0]


def test_spy_sorts_documents_by_class():
    display = plot.SpyDisplay.from_data(DOCUMENTS, KINDS)
    assert display.counts.tolist() == [3, 3]
    counted = CountVectorizer(binary=True).fit(DOCUMENTS)
    table = counted.transform(DOCUMENTS).toarray()[np.argsort(KINDS, kind="stable")]
    order = [counted.vocabulary_[word] for word in display.words]
    np.testing.assert_array_equal(display.matrix.toarray(), table[:, order] > 0)
    from_matrix = plot.SpyDisplay.from_data(
        counted.transform(DOCUMENTS), KINDS, words=counted.get_feature_names_out(), max_words=3
    )
    assert len(from_matrix.words) == 3
    assert "cheap" in from_matrix.words


def test_word_probabilities_of_texts_counts_and_others():
    counted = CountVectorizer(binary=True).fit(DOCUMENTS)
    table = counted.transform(DOCUMENTS).toarray()
    words = counted.get_feature_names_out()
    text = plot.WordsDisplay.from_estimator(BayesClassifier(Text("bernoulli")).fit(DOCUMENTS, KINDS))
    ours = plot.WordsDisplay.from_estimator(BernoulliNB().fit(table, KINDS), words=words)
    theirs = plot.WordsDisplay.from_estimator(TheirBernoulliNB().fit(table, KINDS), words=words)
    np.testing.assert_allclose(ours.probability, theirs.probability)
    by_word = dict(zip(text.words, text.probability.T, strict=True))
    np.testing.assert_allclose([by_word[w] for w in words], ours.probability.T)
    assert ours.words[ours.own(1)[0]] in ("cheap", "pills", "prize", "now")
