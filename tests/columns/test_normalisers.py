"""What is done to each distinct token."""

import sys
import unicodedata

import pytest
from hypothesis import given
from sklearn.feature_extraction.text import strip_accents_ascii, strip_accents_unicode

from suffice.columns.normalisers import EachToken, FoldAccents, Stem, StopWords, language_stop_words, normalise
from suffice.columns.vocabulary import Vocabulary
from suffice.errors import MissingPackageError, ParameterError
from texts import corpora


def result(tokens, *steps):
    distinct = list(dict.fromkeys(tokens))
    vocabulary, numbers = normalise(Vocabulary.of(distinct)[0], steps)
    strings = vocabulary.strings()
    return [strings[n] if n >= 0 else None for n in numbers]


def test_one_after_the_other():
    words = ["Machine", "learning", "is", "fun", "machines"]
    assert result(words, EachToken(str.lower), StopWords(["is"]), Stem("english")) == [
        "machin", "learn", None, "fun", "machin",
    ]  # fmt: skip
    assert result(words) == words
    assert result([], Stem("english")) == []
    assert result(["a", "b"], EachToken(lambda token: None if token == "a" else "")) == [None, None]


def test_stems_of_other_languages_and_of_marks():
    assert result(["häuser", "laufen"], Stem("german")) == ["haus", "lauf"]
    assert result(["!", "\ud800", "_s", "cats"], Stem("english"))[:2] == ["!", "\ud800"]
    with pytest.raises(ParameterError, match=r"The language is 'klingon'; it must be one of .*'english'"):
        Stem("klingon")


def test_stop_words_by_language():
    assert result(["the", "tea", "don", "haven"], StopWords("english")) == [None, "tea", None, None]
    assert result(["und", "tee"], StopWords("de")) == [None, "tee"]
    assert "ll" in language_stop_words("english")  # what a tokeniser makes of "you'll"
    with pytest.raises(ParameterError, match=r"The language is 'klingon'; it must be one of .*'english'"):
        result(["tea"], StopWords("klingon"))


@given(corpora)
def test_accents_are_folded_as_scikit_learn_does(tokens):
    distinct = list(dict.fromkeys(tokens))
    assert result(distinct, FoldAccents()) == [strip_accents_unicode(t) or None for t in distinct]
    assert result(distinct, FoldAccents(ascii_only=True)) == [strip_accents_ascii(t) or None for t in distinct]


def test_folding_joins_what_is_alike():
    composed, decomposed = "thé", unicodedata.normalize("NFD", "thé")
    vocabulary, numbers = FoldAccents().applied(Vocabulary.of([composed, decomposed, "the"])[0], 1)
    assert vocabulary.strings() == ["the"]
    assert numbers.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("module", "step"), [("Stemmer", lambda: Stem("dutch")), ("stop_words", lambda: StopWords("dutch"))]
)
def test_a_package_that_is_not_there_is_named(monkeypatch, module, step):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        MissingPackageError, match=r"needs .*, which is not installed. Run pip install 'suffice\[text\]'"
    ):
        result(["thee"], step())
