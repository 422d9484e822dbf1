"""Words that are weighted, and one word for those that nobody knows: against scikit-learn, by hand, and what adds."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

from suffice import BayesClassifier, Text
from suffice.errors import MergeError, ParameterError

TEXTS = [
    "the cat sat on the mat",
    "the dog ate the cat",
    "tea with milk and tea",
    "milk tea is tea",
    "dog and cat and dog",
]
Y = np.array(["pet", "pet", "tea", "tea", "pet"])
NEW = ["tea for the dog", "a cat with milk milk milk", "zebra", ""]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"sublinear_tf": True}, {"sublinear_tf": True, "use_idf": False, "norm": None}),
        ({"use_idf": True}, {"norm": None}),
        ({"norm": "l1", "sublinear_tf": True}, {"sublinear_tf": True, "use_idf": False, "norm": "l1"}),
        ({"norm": "l2"}, {"use_idf": False, "norm": "l2"}),
    ],
)
def test_weighted_words_are_scikit_learns(ours, theirs):
    known = NEW if "norm" not in ours else TEXTS  # scikit-learn's length leaves out the words it does not know
    model = BayesClassifier(Text("multinomial", **ours), prior="mle").fit(TEXTS, Y)
    peer = make_pipeline(TfidfVectorizer(**theirs), MultinomialNB()).fit(TEXTS, Y)
    np.testing.assert_allclose(model.predict_log_proba(known), peer.predict_log_proba(known), atol=1e-9)
    model = BayesClassifier(Text("complement", **ours), prior="uniform").fit(TEXTS, Y)
    peer = make_pipeline(TfidfVectorizer(**theirs), ComplementNB()).fit(TEXTS, Y)
    np.testing.assert_allclose(model.predict_log_proba(known), peer.predict_log_proba(known), atol=1e-9)


@pytest.mark.parametrize(
    "family",
    [
        Text("multinomial", sublinear_tf=True, use_idf=True, norm="l2"),
        Text("complement", use_idf=True, unknown="<unk>", held_out=0.2),
        Text("poisson", unknown="<unk>", min_documents=2),
    ],
    ids=repr,
)
def test_they_add_and_forget(family):
    whole = BayesClassifier(family).fit(TEXTS, Y)
    parts = BayesClassifier(family).partial_fit(TEXTS[:2], Y[:2], classes=["pet", "tea"]).partial_fit(TEXTS[2:], Y[2:])
    np.testing.assert_allclose(parts.predict_log_proba(NEW), whole.predict_log_proba(NEW), atol=1e-9)
    more = BayesClassifier(family).fit([*TEXTS, "zebra zebra tea"], [*Y, "tea"]).forget(["zebra zebra tea"], ["tea"])
    np.testing.assert_allclose(more.predict_log_proba(NEW), whole.predict_log_proba(NEW), atol=1e-9)
    with pytest.raises(MergeError, match="must count the same thing"):
        BayesClassifier(Text("multinomial")).fit(TEXTS, Y).merge(
            BayesClassifier(Text("multinomial", norm="l1")).fit(TEXTS, Y)
        )


def test_rare_words_are_one_word():
    model = BayesClassifier(Text("multinomial", unknown="<unk>", min_documents=2)).fit(TEXTS, Y)
    kept = ["and", "cat", "dog", "milk", "tea", "the"]
    by_hand = [" ".join(w if w in kept else "<unk>" for w in text.split()) for text in TEXTS]
    declared = BayesClassifier(Text("multinomial", vocabulary=kept, unknown="unk")).fit(
        [text.replace("<unk>", "rare") for text in by_hand], Y
    )
    assert sorted(model.model_.densities[0].vocabulary.strings()) == ["<unk>", *kept]
    np.testing.assert_allclose(
        model.predict_log_proba(NEW[:1] + NEW[2:]), declared.predict_log_proba(NEW[:1] + NEW[2:]), atol=1e-12
    )


def test_held_out_words_are_those_unknown_without_some_documents():
    """On average over all ways to hold out a share of the documents, given that a word's own is held out."""
    share, words = 0.5, sorted({w for text in TEXTS for w in text.split()})
    n = len(TEXTS)
    expected = dict.fromkeys(("pet", "tea"), 0.0)
    for size in range(n + 1):
        for held in combinations(range(n), size):
            known = {w for i in range(n) if i not in held for w in TEXTS[i].split()}
            for i in held:
                expected[Y[i]] += sum(w not in known for w in TEXTS[i].split()) / 2 ** (n - 1)
    family = Text("multinomial", unknown="<unk>", held_out=share)
    counts = family._pruned(BayesClassifier(family).fit(TEXTS, Y).model_.tally.statistics[0].views[0])
    place = counts.vocabulary.strings().index("<unk>")
    np.testing.assert_allclose(counts.tables[1].toarray()[place], [expected["pet"], expected["tea"]])
    np.testing.assert_allclose(counts.tables[1].sum(), sum(len(text.split()) for text in TEXTS))
    assert len(words) > len(counts.vocabulary) - 1  # a word of one document is known by nobody else


def test_an_unknown_word_speaks_for_the_class_with_more_of_them():
    texts, y = ["aa bb cc dd", "ee ff gg hh", "tea tea tea", "tea tea tea tea"], ["new", "new", "same", "same"]
    silent = BayesClassifier(Text("multinomial")).fit(texts, y)
    assert silent.predict_proba(["zebra zebra"])[0].tolist() == pytest.approx([0.5, 0.5])
    heard = BayesClassifier(Text("multinomial", unknown="<unk>", held_out=0.1)).fit(texts, y)
    assert heard.predict_proba(["zebra zebra"])[0, 0] > 0.9
    assert "<unk>" in heard.explain(["zebra"]).features


def test_what_cannot_be_is_refused():
    for settings, message in (
        ({"model": "bernoulli", "norm": "l2"}, "cannot weigh words"),
        ({"model": "multinomial", "norm": "l3"}, "norm is 'l3'"),
        ({"model": "multinomial", "use_idf": True, "alpha": "tuned"}, "tuning needs whole counts"),
        ({"model": "multinomial", "held_out": 0.1}, "Set unknown"),
        ({"model": "multinomial", "held_out": 0.9, "unknown": "?"}, "from 0 to 0.5"),
    ):
        with pytest.raises(ParameterError, match=message):
            Text(**settings)
