"""Token normalisers, applied before counting: stop words, stems, accents. Each distinct token is processed once."""

import importlib
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from suffice.columns.bags import Bags
from suffice.columns.vocabulary import Vocabulary
from suffice.errors import MissingPackageError, ParameterError, quoted
from suffice.numerics.arrays import CodeArray


class Normaliser(ABC):
    """A mapping of tokens to normalised tokens, or to none."""

    @abstractmethod
    def applied(self, vocabulary: Vocabulary, threads: int) -> tuple[Vocabulary, CodeArray]:
        """The normalised vocabulary, and the number of each token in it; −1 if it is dropped."""


def normalise(
    vocabulary: Vocabulary, normalisers: Sequence[Normaliser], threads: int = 1
) -> tuple[Vocabulary, CodeArray]:
    """The vocabulary after all normalisers, in order, and the number of each token in it."""
    numbers = np.arange(len(vocabulary), dtype=np.int32)
    for normaliser in normalisers:
        vocabulary, step = normaliser.applied(vocabulary, threads)
        numbers = np.append(step, np.int32(-1))[numbers]
    return vocabulary, numbers


@dataclass(frozen=True)
class EachToken(Normaliser):
    """A function applied to each token; it returns another token, or None to drop it."""

    function: Callable[[str], str | None]

    def applied(self, vocabulary: Vocabulary, threads: int) -> tuple[Vocabulary, CodeArray]:
        return Vocabulary.of((self.function(token) or None for token in vocabulary.strings()), threads)


@dataclass(frozen=True)
class StopWords(Normaliser):
    """Removal of stop words: those of a language (by name or code; needs the package stop-words), or a given list.

    >>> vocabulary, numbers = StopWords(["is", "the"]).applied(Vocabulary.of(["tea", "is", "hot"])[0], 1)
    >>> vocabulary.strings(), numbers.tolist()
    (['tea', 'hot'], [0, -1, 1])
    """

    words: str | Collection[str]

    @classmethod
    def frequent(cls, bags: Bags, share: float) -> "StopWords":
        """The tokens in more than this share of the documents as stop words."""
        found = np.flatnonzero(bags.document_frequency > share * bags.rows)
        return cls(frozenset(bags.vocabulary.take(found).strings()))

    def applied(self, vocabulary: Vocabulary, threads: int) -> tuple[Vocabulary, CodeArray]:
        words = language_stop_words(self.words) if isinstance(self.words, str) else self.words
        kept = np.flatnonzero(Vocabulary.of(words)[0].find(vocabulary, threads) < 0)
        numbers = np.full(len(vocabulary), -1, np.int32)
        numbers[kept] = np.arange(len(kept), dtype=np.int32)
        return vocabulary.take(kept, threads), numbers


@cache
def language_stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, and the tokens of those with punctuation ("don't")."""
    package = _import_package("stop_words", "stop-words", "Stop words by language")
    try:
        words = package.get_stop_words(language)
    except package.StopWordError:
        raise _unknown_language(language, sorted(package.LANGUAGE_MAPPING.values())) from None
    return frozenset(words) | {piece for word in words for piece in re.findall(r"\w\w+", word)}


@dataclass(frozen=True)
class Stem(Normaliser):
    """Words reduced to their stems by the Snowball stemmer of a language (needs the package PyStemmer)."""

    language: str = "english"

    def __post_init__(self) -> None:
        _stemmer(self.language)  # raises for an unknown language

    def applied(self, vocabulary: Vocabulary, threads: int) -> tuple[Vocabulary, CodeArray]:
        tokens = vocabulary.strings()
        places = [i for i, token in enumerate(tokens) if re.match(r"\w", token)]
        for i, root in zip(places, _stemmer(self.language).stemWords([tokens[i] for i in places]), strict=True):
            tokens[i] = root
        return Vocabulary.of((token or None for token in tokens), threads)


@cache
def _stemmer(language: str) -> Any:
    package = _import_package("Stemmer", "PyStemmer", "Stemming")
    if language not in package.algorithms():
        raise _unknown_language(language, package.algorithms())
    return package.Stemmer(language, 0)  # without a cache, since every token is stemmed once


@dataclass(frozen=True)
class FoldAccents(Normaliser):
    """Letters without their accents: é becomes e. With ``ascii_only``, other non-ASCII characters are dropped.

    >>> FoldAccents().applied(Vocabulary.of(["thé", "the"])[0], 1)[0].strings()
    ['the']
    """

    ascii_only: bool = False

    def applied(self, vocabulary: Vocabulary, threads: int) -> tuple[Vocabulary, CodeArray]:
        return EachToken(self._folded).applied(vocabulary, threads)

    def _folded(self, token: str) -> str:
        if token.isascii():
            return token
        parts = unicodedata.normalize("NFKD", token)
        if self.ascii_only:
            return parts.encode("ascii", "ignore").decode()
        return "".join(part for part in parts if not unicodedata.combining(part))


def _import_package(module: str, name: str, purpose: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingPackageError(
            f"{purpose} needs {name}, which is not installed", todo="Run pip install 'suffice[text]'"
        ) from None


def _unknown_language(language: str, known: Sequence[str]) -> ParameterError:
    return ParameterError(f"The language is {language!r}", f"it must be one of {quoted(list(known), most=50)}")
