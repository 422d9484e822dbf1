"""The same vocabulary and the same matrix as scikit-learn's ``CountVectorizer``, on every character and on any text."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer as Theirs

from suffice.columns.analyser import Words
from suffice.columns.documents import view_documents
from suffice.numerics.text import Split
from suffice.text import CountVectorizer
from texts import assigned_characters, corpora, every_character

SETTINGS = {
    "words": {},
    "words and marks": {"token_pattern": r"\w+|[^\w\s]"},
    "one-letter words": {"token_pattern": r"(?u)\b\w+\b"},
    "case kept": {"lowercase": False},
    "bigrams": {"ngram_range": (1, 2)},
    "long n-grams": {"ngram_range": (3, 6), "token_pattern": r"\w+"},
    "stop words": {"stop_words": ["ab", "zz", "ba"], "ngram_range": (1, 2)},
    "characters": {"analyzer": "char", "ngram_range": (1, 3)},
    "characters in words": {"analyzer": "char_wb", "ngram_range": (2, 5)},
    "characters in words, short": {"analyzer": "char_wb", "ngram_range": (1, 1), "lowercase": False},
    "accents": {"strip_accents": "unicode"},
    "ascii": {"strip_accents": "ascii", "ngram_range": (1, 2)},
    "preprocessor": {"preprocessor": str.upper},
    "binary": {"binary": True, "dtype": np.float32},
    "pruned": {"min_df": 2, "max_df": 0.9},
    "most frequent": {"max_features": 3, "token_pattern": r"\w+|[^\w\s]"},
    "a pattern of one's own": {"token_pattern": r"[a-z]+"},
    "fixed": {"vocabulary": ["ab", "b", "ς", "é"], "token_pattern": r"\w+"},
}


def answer(vectorizer, docs):
    """What it learns from the documents, or the words in which it says that it cannot."""
    try:
        matrix = vectorizer.fit_transform(docs)
    except ValueError as error:
        return str(error)
    return matrix


def assert_same(ours, theirs, docs):
    mine, other = answer(ours, docs), answer(theirs, docs)
    if isinstance(other, str):
        assert mine == other
        return
    assert ours.vocabulary_ == theirs.vocabulary_
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    assert type(mine) is type(other)
    assert mine.dtype == other.dtype
    assert mine.indices.dtype == other.indices.dtype
    np.testing.assert_array_equal(mine.toarray(), other.toarray())
    again, expected = ours.transform(docs[::-1]), theirs.transform(docs[::-1])
    np.testing.assert_array_equal(again.toarray(), expected.toarray())
    if docs:
        for a, b in zip(ours.inverse_transform(mine), theirs.inverse_transform(other), strict=True):
            assert sorted(a) == sorted(b)


@pytest.mark.parametrize("name", SETTINGS)
@given(corpora)
def test_any_text(name, docs):
    assert_same(CountVectorizer(**SETTINGS[name]), Theirs(**SETTINGS[name]), docs)


@given(st.text(st.characters(), min_size=0, max_size=400), st.sampled_from([64, 63, 65, 128]))
@settings(max_examples=100)
def test_where_blocks_of_characters_meet(text, at):
    """The tokeniser looks at 64 characters at a time; words and marks lie across."""
    docs = ["x" * (at - 3) + text, "y " * (at // 2) + text, text + " " * at + text]
    assert_same(CountVectorizer(token_pattern=r"\w+|[^\w\s]"), Theirs(token_pattern=r"\w+|[^\w\s]"), docs)


@pytest.mark.parametrize(
    ("split", "pattern"), [(Split.LONG_WORDS, r"(?u)\b\w\w+\b"), (Split.WORDS_AND_MARKS, r"\w+|[^\w\s]")]
)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("characters", [assigned_characters, pytest.param(every_character, marks=pytest.mark.slow)])
def test_every_character(split, pattern, lower, characters):
    """In a word, at its end, and beside capital sigmas, whose lower case depends on what is around them."""
    spelled = [f"a{c}b c{c} A{c}Σ Σ{c}B {c}Σ" for c in characters()]
    docs = [
        " ".join(spelled[i : i + 64]) for i in range(0, len(spelled), 64)
    ]  # a blank ends a word, whatever is before it
    found = Words(split, lowercase=lower).sequences(view_documents(docs), 2)
    strings = np.array(found.vocabulary.strings(), dtype=object)
    tokens, starts = strings[found.ids].tolist(), found.indptr.tolist()
    findall = re.compile(pattern).findall
    wrong = [
        doc
        for doc, a, b in zip(docs, starts[:-1], starts[1:], strict=True)
        if tokens[a:b] != findall(doc.lower() if lower else doc)
    ]
    assert not wrong, f"{len(wrong)} documents, such as {wrong[:1]}"


def test_a_large_sample(rng):
    """Words of all scripts with marks between them, more than one chunk of it."""
    letters = np.array([c for c in every_character() if c.isalnum()], dtype=object)
    others = np.array([c for c in every_character()[:0x3000] if not c.isalnum()] + [" "] * 9000, dtype=object)
    words = ["".join(rng.choice(letters[:: 1 + i % 97][:500], rng.integers(1, 9))) for i in range(4000)]
    docs = []
    for n in rng.integers(0, 120, 2000):
        chosen = zip(4000 * rng.random(n) ** 2, len(others) * rng.random(n), strict=True)
        docs.append("".join(words[int(i)] + others[int(j)] for i, j in chosen))
    for name, some in (("words", docs), ("bigrams", docs), ("characters in words", docs[:300])):
        ours, theirs = CountVectorizer(**SETTINGS[name], n_jobs=2), Theirs(**SETTINGS[name])
        mine, other = ours.fit_transform(some), theirs.fit_transform(some)
        assert ours.vocabulary_ == theirs.vocabulary_
        assert (mine != other).nnz == 0
        assert mine.has_canonical_format
