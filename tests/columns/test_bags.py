"""Bags of tokens, under one vocabulary and under another."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels import text_twins as twins
from suffice.columns.analyser import CharacterRuns, Words
from suffice.columns.bags import Bags
from suffice.columns.documents import Documents, view_documents
from suffice.columns.normalisers import EachToken, StopWords
from suffice.columns.vocabulary import Vocabulary
from suffice.numerics.text import Split
from texts import corpora

MARKS = Words(Split.WORDS_AND_MARKS)


def counters(bags):
    return twins.rows(bags, bags.vocabulary.strings())


@given(corpora, corpora)
def test_stacked_batches_are_the_whole(first, second):
    whole = MARKS.bags(view_documents([*first, *second]))
    parts = Bags.stacked([MARKS.bags(view_documents(first)), MARKS.bags(view_documents(second))])
    assert parts.vocabulary == whole.vocabulary
    assert counters(parts) == counters(whole)
    assert parts.lengths.tolist() == whole.lengths.tolist()
    assert Bags.stacked([]).rows == 0


@given(corpora, st.integers(0, 9))
def test_other_numbers_same_counts(docs, width):
    bags = MARKS.bags(view_documents(docs))
    ordered = bags.sorted()
    assert counters(ordered) == counters(bags)
    assert ordered.vocabulary.strings() == sorted(bags.vocabulary.strings())
    some = ordered.vocabulary.strings()[::2]
    within = bags.within(Vocabulary.of([*some, "never seen"])[0])
    expected = [Counter({t: n for t, n in row.items() if t in some}) for row in counters(bags)]
    assert counters(within) == expected
    assert within.lengths.tolist() == bags.lengths.tolist()  # what is outside still counts for length
    matrix = within.matrix(np.int64)
    assert matrix.sum(axis=1).tolist() == [row.total() for row in expected]
    assert matrix.has_canonical_format
    hashed = bags.hashed(width + 1)
    assert hashed.shape == (len(docs), width + 1)
    assert hashed.sum(axis=1).tolist() == bags.lengths.tolist()


@given(corpora, st.data())
def test_some_documents_are_what_they_are_alone(docs, data):
    """Whether they are taken before or after they are cut into tokens: nothing of the others comes with them."""
    rows = np.array(data.draw(st.lists(st.integers(0, max(0, len(docs) - 1)), max_size=4 if docs else 0)), np.int64)
    whole = Documents(["text"], view_documents(docs))
    for analyser in (MARKS, Words(ngrams=(2, 2)), CharacterRuns((1, 2))):
        alone = whole.take(rows).bags(analyser)
        whole.bags(analyser)
        some = whole.take(rows).bags(analyser)
        assert counters(some) == counters(alone)
        assert set(some.vocabulary.strings()) == set(alone.vocabulary.strings())
        assert some.lengths.tolist() == alone.lengths.tolist()
        assert some.ordered == alone.ordered
        assert whole.take(slice(None)).bags(analyser) is whole.bags(analyser)


def test_hashed_columns_need_no_vocabulary():
    whole = MARKS.bags(view_documents(["tea and milk", "milk, and tea"])).hashed(1 << 20)
    alone = MARKS.bags(view_documents(["milk, and tea"])).hashed(1 << 20)
    assert (whole[[1]] != alone).nnz == 0


@given(corpora, st.integers(1, 2), st.integers(0, 2))
def test_ngrams_after_normalising(docs, low, more):
    """Stop words leave before neighbours are looked at; what is alike afterwards is counted together."""
    words = Words(Split.WORDS, (low, low + more), normalisers=(StopWords(["a", "b"]), EachToken(lambda t: t[:2])))
    expected = []
    for doc in docs:
        kept = [t[:2] for t in twins.words(doc, Split.WORDS, True) if t not in ("a", "b")]
        expected.append(Counter(" ".join(run) for run in twins.ngrams(kept, low, low + more)))
    bags = words.bags(view_documents(docs))
    assert counters(bags) == expected
    assert bags.lengths.tolist() == [row.total() for row in expected]


def test_runs_that_are_spelled_alike_are_one():
    words = Words(ngrams=(1, 2), normalisers=(EachToken({"ab": "x y", "cd": "x", "ef": "y"}.get),))
    assert counters(words.bags(view_documents(["ab", "cd ef", "gh"]))) == [
        Counter({"x y": 1}),
        Counter({"x y": 1, "x": 1, "y": 1}),
        Counter(),
    ]


@given(corpora, st.integers(1, 4), st.integers(0, 3))
def test_character_runs_within_pieces(docs, low, more):
    bags = CharacterRuns((low, low + more)).bags(view_documents(docs))
    expected = [
        Counter(run for piece in doc.lower().split() for run in twins.word_runs(piece, low, low + more)) for doc in docs
    ]
    assert counters(bags) == expected
    assert bags.lengths.tolist() == [row.total() for row in expected]


def test_document_frequency_and_frequent_words():
    bags = MARKS.bags(view_documents(["the tea", "the milk", "the tea, the tea"]))
    assert dict(zip(bags.vocabulary.strings(), bags.document_frequency.tolist(), strict=True)) == {
        "the": 3, "tea": 2, "milk": 1, ",": 1,
    }  # fmt: skip
    assert StopWords.frequent(bags, 0.7).words == {"the"}
