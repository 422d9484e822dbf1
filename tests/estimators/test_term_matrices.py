"""A wide sparse matrix is a document-term matrix: the default reads it as the default for text reads words."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import log_loss

import suffice
from suffice import BayesClassifier, Multinomial, Terms, Text
from suffice.errors import ForgetError, NegativeError, NotLinearError

WORDS, ROWS = 5000, 2000


@pytest.fixture(scope="module")
def documents():
    """Three classes over words of a long tail, which come in bursts: a word that came once comes again."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, ROWS)
    shares = np.exp(rng.normal(0, 0.5, (3, WORDS))) / np.arange(1, WORDS + 1)
    shares /= shares.sum(axis=1, keepdims=True)
    rows = [rng.choice(WORDS, 40, p=shares[c]).repeat(rng.geometric(0.4, 40)) for c in y]
    cells = np.concatenate(rows), np.repeat(np.arange(ROWS), [len(row) for row in rows])
    counts = sp.csr_array((np.ones(len(cells[0])), cells[::-1]), shape=(ROWS, WORDS))
    counts.sum_duplicates()  # SciPy before 1.14 leaves them
    return counts, y


@pytest.fixture(scope="module")
def fitted(documents):
    counts, y = documents
    return BayesClassifier().fit(counts[:1500], y[:1500])


def test_better_than_a_bare_multinomial(documents, fitted):
    counts, y = documents
    test, truth = counts[1500:], y[1500:]
    bare = BayesClassifier(Multinomial()).fit(counts[:1500], y[:1500])
    assert fitted.score(test, truth) > bare.score(test, truth)
    assert log_loss(truth, fitted.predict_proba(test)) < 0.5 * log_loss(truth, bare.predict_proba(test))


@pytest.mark.parametrize("sublinear", [False, True])
def test_weights_of_words_are_about_as_good_as_counts(documents, fitted, sublinear):
    counts, y = documents
    weigh = TfidfTransformer(sublinear_tf=sublinear).fit(counts[:1500])
    model = BayesClassifier().fit(weigh.transform(counts[:1500]), y[:1500])
    loss = log_loss(y[1500:], model.predict_proba(weigh.transform(counts[1500:])))
    assert loss < 1.1 * log_loss(y[1500:], fitted.predict_proba(counts[1500:]))


def test_words_are_counted_as_those_of_texts_are(rng):
    texts = [" ".join(rng.choice([f"word{i}" for i in range(300)], 20)) for _ in range(1000)]
    y = rng.integers(0, 4, 1000)
    counter = CountVectorizer(token_pattern=r"\w+").fit(texts)
    of_matrix = BayesClassifier(Terms()).fit(counter.transform(texts), y).model_.tally.statistics[0].views[0]
    of_texts = BayesClassifier(Text()).fit(texts, y).model_.tally.statistics[0].views[0]
    names = counter.get_feature_names_out()
    columns = [int(word) for word in of_matrix.vocabulary.strings()]
    place = {word: i for i, word in enumerate(of_texts.vocabulary.strings())}
    np.testing.assert_array_equal(
        of_matrix.tables[0].toarray(), of_texts.tables[0].toarray()[[place[names[j]] for j in columns]]
    )


def test_batches_parts_and_forgotten_rows(documents, fitted):
    counts, y = documents
    expected = fitted.predict_proba(counts)
    batches = BayesClassifier()
    for start in range(0, 1500, 400):
        stop = min(start + 400, 1500)
        batches.partial_fit(counts[start:stop], y[start:stop])
    first, second = (BayesClassifier().fit(counts[rows], y[rows]) for rows in (slice(0, 600), slice(600, 1500)))
    forgot = BayesClassifier().fit(counts, y).forget(counts[1500:], y[1500:])
    for model in (batches, second.merge(first), forgot):
        np.testing.assert_allclose(model.predict_proba(counts), expected, atol=1e-9)
    with pytest.raises(ForgetError):
        forgot.forget(7 * counts[:1], y[:1])  # its words, but not so often


def test_saved_and_loaded(documents, fitted, tmp_path):
    counts, y = documents
    fitted.save(tmp_path / "words.model")
    loaded = suffice.load(tmp_path / "words.model")
    np.testing.assert_array_equal(loaded.predict_proba(counts), fitted.predict_proba(counts))
    loaded.partial_fit(counts[1500:], y[1500:])  # by the rows that it keeps
    np.testing.assert_allclose(
        loaded.predict_proba(counts), BayesClassifier().fit(counts, y).predict_proba(counts), atol=1e-9
    )


def test_explained_by_column(documents, fitted):
    counts, _ = documents
    row = counts[1500:1501]
    found = fitted.explain(row)
    assert {name for name in found.features if not name.startswith("(")} <= {str(j) for j in row.indices}
    joint = fitted.predict_joint_log_proba(row)[0]
    of, against = (fitted.classes_.tolist().index(c) for c in (found.of[0], found.against[0]))
    np.testing.assert_allclose(sum(found.row(0).values()), joint[of] - joint[against], atol=1e-9)
    with pytest.raises(NotLinearError, match=r"Multinomial\(\)"):
        fitted.linear_form()


def test_rows_alike_in_words_are_not_suggested_twice(documents, fitted):
    counts, _ = documents
    unsure = fitted.suggest(counts[1500:], 1)[0] + 1500
    twice = sp.vstack([counts[unsure : unsure + 1], counts[unsure : unsure + 1], counts[1500:1600]], format="csr")
    assert not {0, 1} <= set(fitted.suggest(twice, 5).tolist())


def test_threads_and_batches_of_scoring_change_nothing(documents, fitted):
    counts, y = documents
    alone = BayesClassifier(n_jobs=1).fit(counts[:1500], y[:1500])
    np.testing.assert_array_equal(alone.predict_proba(counts), fitted.predict_proba(counts))
    many = sp.vstack([counts] * 20, format="csr")
    assert many.nnz > 1 << 20
    np.testing.assert_allclose(fitted.predict_proba(many), np.tile(fitted.predict_proba(counts), (20, 1)), rtol=1e-12)


def test_the_textbook_stays_a_multinomial(documents):
    counts, y = documents
    expected = BayesClassifier(Multinomial()).fit(counts, y).predict_proba(counts)
    np.testing.assert_array_equal(BayesClassifier(model="naive").fit(counts, y).predict_proba(counts), expected)


def test_negative_cells_are_refused_by_column(documents):
    counts, y = documents
    signs = counts.copy()
    signs.data[0] = -1.0
    with pytest.raises(
        NegativeError, match=rf"Column {counts.indices[0]} has 1 negative values; Terms needs counts ≥ 0"
    ):
        BayesClassifier().fit(signs, y)


def test_a_row_without_words_has_the_shares_of_the_classes(documents, fitted):
    nothing = sp.csr_array((1, WORDS))
    p = fitted.predict_proba(nothing)[0]
    assert np.abs(p - np.bincount(documents[1][:1500]) / 1500).max() < 0.2
