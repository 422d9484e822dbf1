"""Analysers, which convert documents to bags of tokens."""

from dataclasses import dataclass

import numpy as np

from suffice.columns.bags import Bags, Sequences
from suffice.columns.normalisers import Normaliser, normalise
from suffice.errors import DataError
from suffice.numerics.text import (
    DocumentViews,
    Form,
    Split,
    TokenisedTexts,
    expand,
    split_characters,
    split_words,
    view_bytes,
)


@dataclass(frozen=True)
class Words:
    r"""Word n-grams, of words or of words and punctuation: runs of ``ngrams[0]`` to ``ngrams[1]`` tokens.

    >>> from suffice.columns.documents import view_documents
    >>> tea = view_documents(["Milk in first, then tea.", None, "First tea!"])
    >>> Words().bags(tea).vocabulary.strings()
    ['milk', 'in', 'first', 'then', 'tea']
    >>> Words(Split.WORDS_AND_MARKS, ngrams=(2, 2)).bags(tea).sorted().vocabulary.strings()
    [', then', 'first ,', 'first tea', 'in first', 'milk in', 'tea !', 'tea .', 'then tea']

    Normalisers are applied once to each distinct word, before n-grams are formed.
    """

    split: Split = Split.LONG_WORDS
    ngrams: tuple[int, int] = (1, 1)
    lowercase: bool = True
    normalisers: tuple[Normaliser, ...] = ()

    def bags(self, views: DocumentViews, threads: int = 1) -> Bags:
        if self.ngrams != (1, 1):
            sequences = self.sequences(views, threads)
            return sequences.bags(*self.ngrams, *normalise(sequences.vocabulary, self.normalisers, threads), threads)
        bags = Bags.of(self._found(views, counting=True, threads=threads))
        if not self.normalisers:
            return bags
        bags = bags.renumbered(*normalise(bags.vocabulary, self.normalisers, threads), threads)
        total = np.concatenate([[0], np.cumsum(bags.counts, dtype=np.int64)])
        return Bags(bags.vocabulary, bags.indptr, bags.ids, bags.counts, np.diff(total[bags.indptr]))

    def sequences(self, views: DocumentViews, threads: int = 1) -> Sequences:
        """The sequences of words, before any normaliser."""
        return Sequences.of(self._found(views, counting=False, threads=threads))

    def _found(self, views: DocumentViews, *, counting: bool, threads: int) -> TokenisedTexts:
        return _checked(*split_words(views, self.split, lower=self.lowercase, counting=counting, threads=threads))


@dataclass(frozen=True)
class CharacterRuns:
    """Runs of ``ngrams[0]`` to ``ngrams[1]`` characters: within pieces of text padded with spaces, or anywhere.

    >>> from suffice.columns.documents import view_documents
    >>> CharacterRuns((3, 3)).bags(view_documents(["Tea, tea"])).vocabulary.strings()
    [' te', 'a, ', 'ea ', 'ea,', 'tea']
    """

    ngrams: tuple[int, int]
    within_pieces: bool = True
    lowercase: bool = True

    def bags(self, views: DocumentViews, threads: int = 1) -> Bags:
        low, high = self.ngrams
        if not self.within_pieces:
            found = split_characters(views, low, high, words=False, lower=self.lowercase, threads=threads)
            return Bags.of(_checked(*found))
        # each distinct piece of text is split once
        found = split_words(views, Split.PIECES, lower=self.lowercase, counting=True, threads=threads)
        pieces = Bags.of(_checked(*found))
        distinct = view_bytes(pieces.vocabulary.bytes, pieces.vocabulary.offsets, Form.TOKEN)
        found = split_characters(distinct, low, high, words=True, lower=False, threads=threads)
        runs = Bags.of(_checked(*found))
        vocabulary, numbers = runs.vocabulary.sorted(threads)
        rows = expand(
            (pieces.indptr, pieces.ids, pieces.counts), (runs.indptr, runs.ids, runs.counts), numbers, threads
        )
        total = np.concatenate([[0], np.cumsum(runs.lengths[pieces.ids] * pieces.counts)])
        return Bags(vocabulary, *rows, np.diff(total[pieces.indptr]), ordered=True)


Analyser = Words | CharacterRuns


def _checked(found: TokenisedTexts, bad: int) -> TokenisedTexts:
    if bad >= 0:
        raise DataError(f"Document {bad} is not valid UTF-8", "text must be", "Decode its bytes with their encoding")
    return found
