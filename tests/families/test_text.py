"""Text: the textbook models against scikit-learn and by hand, the default against its formulas, and what adds."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

from suffice import BayesClassifier, Text
from suffice.columns.documents import Documents, view_documents
from suffice.errors import DataError, ForgetError, MergeError, NotLinearError, ParameterError, StaleWarning

COMMON = ["the", "a", "and", "of"]
TOPICS = {
    "tea": ["milk", "sugar", "cup", "leaf", "green", "black", "water", "boil", "steep", "pot", "lemon", *COMMON],
    "sea": ["wave", "salt", "ship", "sail", "fish", "tide", "port", "deep", "blue", "water", "storm", *COMMON],
    "sky": ["cloud", "bird", "wing", "blue", "star", "moon", "rain", "wind", "storm", "high", "sun", *COMMON],
}


def corpus(rng, n, words=12):
    y = rng.choice(list(TOPICS), n)
    texts = [" ".join(rng.choice(TOPICS[c], rng.integers(1, words))) for c in y]
    return texts, y


@pytest.fixture
def some(rng):
    return corpus(rng, 240)


PEERS = {"multinomial": MultinomialNB, "bernoulli": BernoulliNB, "complement": ComplementNB}


@pytest.mark.parametrize("model", PEERS)
@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_textbook_models_are_scikit_learns(some, model, alpha):
    texts, y = some
    prior = "uniform" if model == "complement" else "mle"  # scikit-learn leaves it out there
    ours = BayesClassifier(Text(model, alpha=alpha), prior=prior).fit(texts[:200], y[:200])
    vectoriser = CountVectorizer()
    theirs = PEERS[model](alpha=alpha).fit(vectoriser.fit_transform(texts[:200]), y[:200])
    x = vectoriser.transform(texts[200:])
    if model == "complement":
        np.testing.assert_array_equal(ours.predict(texts[200:]), theirs.predict(x))
    else:
        np.testing.assert_allclose(ours.predict_log_proba(texts[200:]), theirs.predict_log_proba(x), atol=1e-9)


def test_counts_cut_off(some):
    texts, y = some
    model = BayesClassifier(Text("counts", max_count=3), prior="mle").fit(texts, y)
    x = np.minimum(CountVectorizer().fit_transform(texts).toarray(), 2)
    joint = np.zeros((len(y), 3))
    for c, label in enumerate(sorted(TOPICS)):
        mine = x[y == label]
        theta = np.stack([(mine == k).sum(axis=0) + 1 for k in range(3)]) / (len(mine) + 3)
        joint[:, c] = np.log(np.mean(y == label)) + np.log(theta[x, np.arange(x.shape[1])]).sum(axis=1)
    np.testing.assert_allclose(model.predict_joint_log_proba(texts), joint)


@pytest.mark.parametrize("model", ["poisson", "negative_binomial"])
def test_rates(some, model):
    texts, y = some
    fitted = BayesClassifier(Text(model)).fit(texts, y)
    assert fitted.score(texts, y) > 0.85
    x = CountVectorizer().fit_transform(texts)
    from suffice import Poisson

    rule = "predictive" if model == "negative_binomial" else "mean"
    same = BayesClassifier(Poisson(), estimate=rule).fit(x.astype(float), y)
    np.testing.assert_allclose(fitted.predict_joint_log_proba(texts), same.predict_joint_log_proba(x.astype(float)))


def test_alpha_tuned_is_the_best_of_leaving_words_out(some):
    texts, y = some
    model = BayesClassifier(Text("multinomial", alpha="tuned")).fit(texts, y)
    x = CountVectorizer().fit_transform(texts).toarray()
    grid = 2.0 ** np.arange(-10, 4)

    def left_out(alpha):
        total = 0.0
        for label in TOPICS:
            n = x[y == label].sum(axis=0)
            for count in n[n > 0]:  # each word of the class left out in turn, and met again
                total += count * np.log((count - 1 + alpha) / (n.sum() - 1 + alpha * len(n)))
        return total

    best = grid[np.argmax([left_out(a) for a in grid])]
    fixed = BayesClassifier(Text("multinomial", alpha=float(best))).fit(texts, y)
    np.testing.assert_allclose(model.predict_proba(texts), fixed.predict_proba(texts))


def test_alpha_of_presence_tuned_is_the_best_of_leaving_documents_out(rng):
    texts, y = corpus(rng, 240)
    y[::4] = rng.choice(list(TOPICS), 60)
    x = CountVectorizer().fit_transform(texts).toarray() > 0
    grid = 2.0 ** np.arange(-10, 4)

    def left_out(alpha):
        total = 0.0
        for i, here in enumerate(x):
            others = x[(y == y[i]) & (np.arange(len(y)) != i)]
            present = (others.sum(axis=0) + alpha) / (len(others) + 2 * alpha)
            total += np.log(np.where(here, present, 1 - present)).sum()
        return total

    best = grid[np.argmax([left_out(a) for a in grid])]
    assert grid[0] < best < grid[-1]
    tuned, fixed = (BayesClassifier(Text("bernoulli", alpha=a)).fit(texts, y) for a in ("tuned", float(best)))
    np.testing.assert_allclose(tuned.predict_proba(texts), fixed.predict_proba(texts))


# — the default —


def plain_scores(texts, y, at, own=None):
    """Absolute discounting, word by word."""
    analyse = CountVectorizer(token_pattern=r"(?u)\w+|[^\w\s]").build_analyzer()
    bags, labels = [set(analyse(t)) for t in texts], sorted(set(y))
    out = np.zeros((len(at), len(labels)))
    for i, document in enumerate(at):
        keep = [j for j in range(len(texts)) if own is None or j != own[i]]
        words = set().union(*(bags[j] for j in keep))
        counts = {c: {w: sum(w in bags[j] for j in keep if y[j] == c) for w in words} for c in labels}
        total = {w: sum(counts[c][w] for c in labels) for w in words}
        everything = sum(total.values())
        for k, c in enumerate(labels):
            n, u = sum(counts[c].values()), sum(v > 0 for v in counts[c].values())
            for w in set(analyse(document)) & words:
                p = total[w] / everything
                out[i, k] += np.log(max(counts[c][w] - 0.8, 0) / (p * (n + 1)) + (0.8 * u + 1) / (n + 1))
    return out


def test_scores_are_the_formula_and_leaving_out_is_refitting(rng):
    texts, y = corpus(rng, 30, words=6)
    density = BayesClassifier(Text("discounted", characters=False)).fit(texts, y).model_.densities[0]
    view = density.views[0]
    block = Documents(["text"], view_documents(texts))
    bags, _ = view.bags(block, 1)
    np.testing.assert_allclose(view.scores(bags), plain_scores(texts, y, texts), atol=1e-10)
    codes = np.array([sorted(TOPICS).index(c) for c in y], dtype=np.int32)
    left_out = view.scores(bags, codes, np.ones(30))
    np.testing.assert_allclose(left_out, plain_scores(texts, y, texts, own=range(30)), atol=1e-10)


def test_the_default_learns(rng):
    texts, y = corpus(rng, 600)
    model = BayesClassifier().fit(texts[:400], y[:400])
    assert model.model_.blocks[0].family.model == "refined"
    assert model.score(texts[400:], y[400:]) > 0.9
    p = model.predict_proba(texts[400:])
    confident = p.max(axis=1) > 0.9
    assert (model.predict(texts[400:]) == y[400:])[confident].mean() > 0.9


def test_labels_that_mean_nothing_give_the_prior_back(rng):
    texts, y = corpus(rng, 1200, words=30)
    y = rng.permutation(y)
    model = BayesClassifier().fit(texts[:800], y[:800])
    p = model.predict_proba(texts[800:])
    prior = np.exp(model.model_.log_prior)
    assert np.abs(p - prior).mean() < 0.05
    loss = -model.predict_log_proba(texts[800:])[np.arange(400), np.searchsorted(model.classes_, y[800:])].mean()
    assert loss < np.log(3) + 0.03


def test_what_learns_merges_and_forgets(some):
    texts, y = some
    for family in (Text("discounted"), Text("multinomial"), Text("counts")):
        whole = BayesClassifier(family).fit(texts, y)
        parts = BayesClassifier(family).fit(texts[:100], y[:100]) + BayesClassifier(family).fit(texts[100:], y[100:])
        stream = BayesClassifier(family).partial_fit(texts[:100], y[:100]).partial_fit(texts[100:], y[100:])
        more = BayesClassifier(family).fit([*texts, "a zebra"], [*y, "sea"]).forget(["a zebra"], ["sea"])
        for other in (parts, stream, more):
            np.testing.assert_allclose(other.predict_proba(texts), whole.predict_proba(texts), atol=1e-9)
        assert "zebra" not in more.model_.tally.statistics[0].views[0].vocabulary.strings()


def test_weights_that_cannot_follow_are_stale(some):
    texts, y = some
    model = BayesClassifier(keep_rows=0).fit(texts[:200], y[:200])
    assert not model.is_stale_
    before = model.predict_proba(texts[200:])
    np.testing.assert_allclose(
        before, BayesClassifier().fit(texts[:200], y[:200]).predict_proba(texts[200:]), atol=1e-9
    )
    with pytest.warns(StaleWarning, match="leaves weights as they were fitted"):
        model.partial_fit(texts[200:], y[200:])
    assert model.is_stale_
    assert not np.allclose(model.predict_proba(texts[200:]), before, atol=1e-6)  # its counts are those of all rows
    with pytest.warns(StaleWarning, match="leaves weights as they were fitted"):
        model.forget(texts[200:], y[200:])
    assert model.is_stale_
    model.fit_weights(texts[:200], y[:200])
    assert not model.is_stale_
    np.testing.assert_allclose(model.predict_proba(texts[200:]), before, atol=1e-6)
    with pytest.raises(DataError, match="Class 'fog' was never learned"):
        model.fit_weights(["mist"], ["fog"])


def test_a_frame_with_text_beside_numbers_and_categories(rng):
    texts, y = corpus(rng, 300, words=20)
    temperature = rng.normal(np.where(y == "tea", 80.0, 15.0), 5)
    columns = {"body": texts, "temperature": temperature, "place": rng.choice(["in", "out"], 300)}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns), columns):
        model = BayesClassifier().fit(frame, y)
        families = {b.columns[0]: type(b.family).__name__ for b in model.model_.blocks}
        assert families == {"body": "Text", "temperature": "Histogram", "place": "PooledCategorical"}
        assert model.score(frame, y) > 0.95
    model = BayesClassifier({"body": Text("bernoulli")}).fit(pd.DataFrame(columns), y)
    why = model.explain(pd.DataFrame(columns).head(1))
    assert why.log_odds[0] == pytest.approx(why.prior[0] + why.evidence[0].sum())
    with pytest.raises(ParameterError, match="a column of text stands alone"):
        BayesClassifier({("body", "place"): Text()}).fit(pd.DataFrame(columns), y)


def test_evidence_adds_up_for_the_default_too(some):
    texts, y = some
    model = BayesClassifier(Text(characters=True)).fit(texts, y)
    why = model.explain(texts[:5])
    p = model.predict_log_proba(texts[:5])
    best = np.sort(p, axis=1)
    np.testing.assert_allclose(why.log_odds, best[:, -1] - best[:, -2], atol=1e-9)
    words = texts[0].split()
    assert words[0] in why.features
    if len(words) > 1:
        assert f"{words[0]} {words[1]}" in why.features
    assert any(f.startswith("‹") for f in why.features)


def test_documents_of_every_form(some):
    texts, y = some
    expected = BayesClassifier(Text("multinomial")).fit(texts, y).predict_proba(texts)
    for form in (
        np.array(texts),
        np.array(texts, object),
        pd.Series(texts),
        pl.Series(texts),
        pa.array(texts),
        tuple(texts),
    ):
        model = BayesClassifier(Text("multinomial")).fit(form, y)
        np.testing.assert_array_equal(model.predict_proba(form), expected)


def test_missing_and_empty_documents(some):
    texts, y = some
    for model in ("refined", "bernoulli", "multinomial"):
        fitted = BayesClassifier(Text(model)).fit([*texts, None, "", "…"], [*y, "tea", "sea", "sky"])
        p = fitted.predict_proba([None, "", "zebra xylophone", "water water"])
        assert np.isfinite(p).all()
        np.testing.assert_allclose(p[0], np.exp(fitted.model_.log_prior))
    nothing = BayesClassifier().fit([None, None], ["a", "b"])
    np.testing.assert_allclose(nothing.predict_proba(["tea", None]), 0.5)
    one = BayesClassifier().fit(["tea", "sea"], ["a", "b"])
    assert one.predict(["tea"])[0] == "a"
    assert np.isfinite(BayesClassifier().fit(["only one class"], ["a"]).predict_proba(["x"])).all()


def test_words_can_be_changed_left_out_or_pruned():
    texts = ["Machine learning is fun", "Machines learn", "the sea is blue", "blue seas"]
    y = ["ml", "ml", "sea", "sea"]
    model = BayesClassifier(Text("bernoulli", stop_words="english", stem="english")).fit(texts, y)
    assert sorted(model.model_.densities[0].vocabulary.strings()) == ["blue", "fun", "learn", "machin", "sea"]
    declared = BayesClassifier(Text("multinomial", vocabulary=["sea", "learn"], unknown="unk")).fit(texts, y)
    assert sorted(declared.model_.densities[0].vocabulary.strings()) == ["learn", "sea", "unk"]
    pruned = BayesClassifier(Text("multinomial", min_documents=2)).fit(texts, y)
    assert sorted(pruned.model_.densities[0].vocabulary.strings()) == ["blue", "is"]
    # pruning is a view: what was counted stays
    assert len(pruned.model_.tally.statistics[0].views[0].vocabulary) == 10
    few = BayesClassifier(Text("multinomial", max_words=3)).fit(texts, y)
    assert len(few.model_.densities[0].vocabulary) == 3


def test_bad_settings():
    for settings, message in (
        ({"model": "magic"}, "model is 'magic'"),
        ({"alpha": -1}, "alpha is -1"),
        ({"unknown": "unk"}, "without a vocabulary"),
        ({"stem": "klingon"}, "The language is 'klingon'"),
        ({"max_count": 1}, "max_count is 1"),
        ({"characters": "some"}, "characters is 'some'"),
    ):
        with pytest.raises(ParameterError, match=message):
            Text(**settings)
    model = BayesClassifier().fit(["tea pot", "blue sea"], ["a", "b"])
    with pytest.raises(NotLinearError, match="divided by the length"):
        model.linear_form()
    with pytest.raises(ForgetError, match="'zebra' was never learned"):
        model.forget(["zebra"], ["a"])
    with pytest.raises(MergeError, match="must count the same thing"):
        model.merge(BayesClassifier(Text("multinomial")).fit(["tea pot", "blue sea"], ["a", "b"]))
    with pytest.raises(DataError, match="contains numbers"):
        BayesClassifier(Text()).fit([[1.0], [2.0]], ["a", "b"])


def test_many_classes_and_words_need_no_dense_table(rng):
    n = 3000
    y = np.arange(n) % 1000
    texts = [f"word{c} " + " ".join(f"w{i}" for i in rng.integers(0, 200_000, 30)) for c in y]
    model = BayesClassifier(Text("discounted", characters=False)).fit(texts, y)
    words = len(model.model_.tally.statistics[0].views[0].vocabulary)
    assert words > 60_000
    assert model.score(texts[:200], y[:200]) > 0.9
    assert sum(t.nnz for v in model.model_.tally.statistics[0].views for t in v.tables) < 400_000


def test_default_words_include_marks_and_single_letters():
    model = BayesClassifier(Text("discounted")).fit(["I say!", "we say."], ["a", "b"])
    assert set(model.model_.densities[0].views[0].counts.vocabulary.strings()) == {"i", "say", "!", "we", "."}


DECLARED = ["ab", "cd", "ef", "never"]


@pytest.mark.parametrize("rule", ["mle", "mean"])
def test_a_declared_vocabulary_stays(rule):
    """Laplace by hand: (n + 1) / (N + 2) documents with a word, (n + 1) / (N + |V|) occurrences of it."""
    texts, y = ["ab cd", "ab ab other", "cd ef"], ["p", "p", "q"]
    smoothing = 0.0 if rule == "mle" else 1.0
    model = BayesClassifier(Text("bernoulli", vocabulary=DECLARED), estimate=rule, prior="uniform").fit(texts, y)
    joint = np.exp(model.predict_joint_log_proba(["never"]))[0] * 2
    for c, (n, has) in enumerate([(2, [2, 1, 0, 0]), (1, [0, 1, 1, 0])]):
        theta = (np.array(has) + smoothing) / (n + 2 * smoothing)
        np.testing.assert_allclose(joint[c], theta[3] * np.prod(1 - theta[:3]), atol=1e-15)
    model = BayesClassifier(Text("multinomial", vocabulary=DECLARED), estimate=rule, prior="uniform").fit(texts, y)
    joint = np.exp(model.predict_joint_log_proba(["never ab"]))[0] * 2
    for c, (words, ab) in enumerate([(4, 3), (2, 0)]):
        theta = (np.array([0, ab]) + smoothing) / (words + 4 * smoothing)
        np.testing.assert_allclose(joint[c], np.prod(theta), atol=1e-15)
    if rule == "mle":
        assert model.score_samples(["never"])[0] == -np.inf


def test_the_unknown_word_keeps_its_place():
    model = BayesClassifier(Text("multinomial", vocabulary=["ab", "cd"], unknown="<?>"), prior="uniform")
    model.fit(["ab cd", "cd"], ["p", "q"])
    joint = np.exp(model.predict_joint_log_proba(["stranger"]))[0] * 2
    np.testing.assert_allclose(joint, [1 / (2 + 3), 1 / (1 + 3)])


@pytest.mark.parametrize("name", ["poisson", "negative_binomial"])
def test_alpha_of_rates_is_documents_at_the_mean(name):
    texts, y = ["ab ab cd", "ab", "cd cd cd"], ["p", "p", "q"]
    new = ["ab cd cd", "cd"]
    from scipy import stats

    for alpha in (0.5, 3.0):
        model = BayesClassifier(Text(name, alpha=alpha), prior="uniform").fit(texts, y)
        got = model.predict_joint_log_proba(new) + np.log(2)
        everywhere = np.array([3 + 0.5, 4 + 0.5]) / (3 + 1)
        for c, (n, total) in enumerate([(2, [3, 1]), (1, [0, 3])]):
            shape, rows = alpha * everywhere + total, alpha + n
            for i, counts in enumerate([[1, 2], [0, 1]]):
                if name == "poisson":
                    expected = stats.poisson.logpmf(counts, shape / rows).sum()
                else:
                    expected = stats.nbinom.logpmf(counts, shape, rows / (rows + 1)).sum()
                assert got[i, c] == pytest.approx(expected)


def test_tuned_rates_have_the_largest_marginal_likelihood(rng):
    texts = [" ".join(rng.choice(["ab", "cd", "ef", "gh"], 12)) for _ in range(300)]
    y = rng.integers(0, 2, 300)
    tuned = BayesClassifier(Text("poisson", alpha="tuned")).fit(texts, y)
    best = BayesClassifier(Text("poisson", alpha=8.0)).fit(texts, y)  # where words say nothing, the most of the grid
    np.testing.assert_allclose(tuned.predict_proba(texts), best.predict_proba(texts))
