"""Settings of scikit-learn's vectorizers that the tokeniser supports, and their translation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.feature_extraction import text as theirs

from suffice.columns.analyser import Analyser, CharacterRuns, Words
from suffice.columns.normalisers import EachToken, Normaliser, StopWords
from suffice.errors import ParameterError
from suffice.numerics.text import Split

_SPLITS = {
    unicode + pattern: split
    for unicode in ("", "(?u)")
    for pattern, split in [
        (r"\b\w\w+\b", Split.LONG_WORDS),
        (r"\w\w+", Split.LONG_WORDS),
        (r"\b\w+\b", Split.WORDS),
        (r"\w+", Split.WORDS),
        (r"\w+|[^\w\s]", Split.WORDS_AND_MARKS),
    ]
}
"""The token patterns that need no regular expression."""

_HOOKS = ("build_analyzer", "build_preprocessor", "build_tokenizer", "decode", "get_stop_words")
_LONGEST_NGRAM = 1 << 20  # longer n-grams are not supported


def native_analyser(vectorizer: Any) -> Analyser | None:
    """The analyser for the settings of a vectorizer; None if they need scikit-learn's Python code."""
    analyser = _analyser(vectorizer)
    if vectorizer.normalise is not None and not isinstance(analyser, Words):
        raise ParameterError(
            "normalise is given with a custom analyzer, tokenizer or token_pattern",
            "it applies to words of the native tokeniser",
            "Omit it, or normalise in your function",
        )
    return analyser


def _analyser(vectorizer: Any) -> Analyser | None:
    if any(getattr(type(vectorizer), hook) is not getattr(theirs.CountVectorizer, hook) for hook in _HOOKS):
        return None  # a subclass may override the hooks
    span = vectorizer.ngram_range
    if not isinstance(span, tuple) or len(span) != 2 or not all(isinstance(n, (int, np.integer)) for n in span):
        return None
    low, high = int(span[0]), min(int(span[1]), _LONGEST_NGRAM)
    if not 1 <= low <= high:
        return None
    lowercase = bool(vectorizer.lowercase) and is_plain(vectorizer)
    if vectorizer.analyzer in ("char", "char_wb"):
        return CharacterRuns((low, high), vectorizer.analyzer == "char_wb", lowercase)
    if vectorizer.analyzer != "word" or vectorizer.tokenizer is not None or vectorizer.token_pattern not in _SPLITS:
        return None
    return Words(_SPLITS[vectorizer.token_pattern], (low, high), lowercase, _normalisers(vectorizer))


def is_plain(vectorizer: Any) -> bool:
    """Whether a document is only lower-cased before it is split."""
    return vectorizer.preprocessor is None and not vectorizer.strip_accents


def _normalisers(vectorizer: Any) -> tuple[Normaliser, ...]:
    stop, given = vectorizer.get_stop_words(), vectorizer.normalise
    steps = list(given) if isinstance(given, Sequence) else [] if given is None else [given]
    return (
        *([] if stop is None else [StopWords(stop)]),
        *(step if isinstance(step, Normaliser) else EachToken(step) for step in steps),
    )
