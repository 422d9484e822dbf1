"""The family of a document-term matrix."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.columns.class_codes import ClassCodes
from suffice.columns.labels import Label
from suffice.columns.term_rows import TermRows
from suffice.families.base import Family, Reads, Rule
from suffice.families.multinomial import Multinomial
from suffice.families.text.counting import presence, word_counts
from suffice.families.text.discounted import Discounted, ViewScores
from suffice.numerics.arrays import FloatArray
from suffice.statistics import TextCounts


@dataclass(frozen=True)
class Terms(Family[TermRows, TextCounts]):
    """The columns of a document-term matrix, of counts or TF-IDF, as words: ``Text()`` for documents that are counted already.

    Absolute discounting toward the corpus, with temperatures fitted on leave-one-out scores, and a ridge correction of the
    words. The correction weights a word by 1 + log of its count; fractions, as in TF-IDF, are counted in units of the
    smallest of their row. It is the default for sparse matrices of more than 4,096 columns.

    Examples
    --------
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from suffice import BayesClassifier
    >>> mails = ["cheap pills", "lunch at noon", "cheap watches", "noon, then?"]
    >>> counts = CountVectorizer().fit(mails)
    >>> model = BayesClassifier(Terms()).fit(counts.transform(mails), ["spam", "ham", "spam", "ham"])
    >>> model.predict(counts.transform(["cheap, cheap lunch", "noon"])).tolist()
    ['spam', 'ham']
    """

    joint: ClassVar[bool] = True
    reads: ClassVar[Reads] = "terms"
    analysers: ClassVar[tuple[None]] = (None,)
    """One view, without an analyser."""

    @property
    def textbook(self) -> Multinomial:
        return Multinomial()

    @property
    def is_weighted(self) -> bool:
        return True

    @property
    def is_corrected(self) -> bool:
        return True

    def observe(self, block: TermRows, y: ClassCodes, threads: int) -> TextCounts:
        there = np.ones(block.rows, dtype=bool)
        counts = word_counts(block.bags(None, threads), there, (presence,), y, threads)
        return TextCounts((counts,))

    def estimate(self, statistic: TextCounts, rule: Rule, classes: Sequence[Label]) -> Discounted:
        return Discounted([ViewScores(None, statistic.views[0])], len(classes))

    def left_out(
        self,
        statistic: TextCounts,
        rule: Rule,
        classes: Sequence[Label],
        block: TermRows,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        return self.estimate(statistic, rule, classes).left_out(block, y.codes, y.weight, threads)
