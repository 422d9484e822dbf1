"""The family of a column of text."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from suffice.columns.analyser import Analyser, CharacterRuns, Words
from suffice.columns.class_codes import ClassCodes
from suffice.columns.documents import Documents
from suffice.columns.labels import Label
from suffice.columns.normalisers import EachToken, FoldAccents, Normaliser, Stem, StopWords
from suffice.errors import ParameterError
from suffice.families.base import AnyFamily, ClassDensities, Family, Reads, Rule
from suffice.families.settings import number
from suffice.families.text.counting import presence, word_counts
from suffice.families.text.declared_words import with_words
from suffice.families.text.discounted import Discounted, ViewScores
from suffice.families.text.textbook import SUMS_OCCURRENCES, Textbook, WordDensity
from suffice.families.text.unknown_words import unseen_share, with_unknown
from suffice.families.text.weighting import Norm, Weighting
from suffice.numerics.arrays import FloatArray
from suffice.numerics.text import Split
from suffice.statistics import Statistic, TextCounts, WordCounts

Model = Literal[
    "refined", "discounted", "multinomial", "bernoulli", "complement", "counts", "poisson", "negative_binomial"
]

_SHORT_DOCUMENT_WORDS = 100  # mean length below which character n-grams are counted too
_INSPECTED_DOCUMENTS = 1000  # for the mean length


@dataclass(frozen=True)
class Text(Family[Documents, TextCounts]):
    """A column of text as a bag of words.

    ``model`` is one of

    - ``"refined"`` (the default): ``"discounted"`` with temperatures fitted on leave-one-out scores, and a ridge correction
      of the words, both estimated from the kept documents.
    - ``"discounted"``: words and punctuation, pairs of neighbouring words and, for short texts, character n-grams, each by
      absolute discounting toward the corpus, with temperatures fitted as above.
    - ``"multinomial"``, ``"bernoulli"`` (word presence), ``"complement"``, ``"counts"`` (0, 1, … ``max_count`` − 1 or more),
      ``"poisson"``, ``"negative_binomial"``: the textbook models over words of two letters or more, with pseudo-count
      ``alpha``; ``alpha="tuned"`` maximises the leave-one-out likelihood of the words. In the Poisson models
      ``alpha`` is a number of documents at the word's mean over all classes, tuned by the marginal likelihood.

    ``stop_words`` (a language, or words), ``stem`` (a language) and ``strip_accents`` change words before they are
    counted. ``vocabulary`` counts the named words only, or, with ``unknown``, all others as that one word; in the
    textbook models its words exist even without a document. ``min_documents`` and ``max_words``
    prune when probabilities are estimated: counts are complete, so pruning can change and forgetting is exact. In
    the models that sum occurrences, ``unknown`` without a vocabulary represents pruned words and all words that did not
    occur in training; ``held_out=0.1`` gives it the expected occurrences of words that would be unknown if a tenth of
    the documents were held out. ``characters`` counts character n-grams too; ``"auto"``: if documents are shorter than
    100 words.

    The multinomial and complement models can weight words: ``sublinear_tf`` counts 1 + log of an occurrence count,
    ``norm="l1"`` or ``"l2"`` divides by the length of the document, ``use_idf`` reduces the weight of words that occur in many
    documents (when probabilities are estimated, hence after the norm, so that counts remain a sum).

    Parameters
    ----------
    model : str, default="refined"
        One of the models above.
    alpha : float or "tuned", default=1.0
        Pseudo-count of the textbook models.
    max_count : int, default=5
        Number of distinct counts of ``model="counts"``.
    characters : bool or "auto", default="auto"
        Whether to count character n-grams.
    lowercase : bool, default=True
        Whether to convert words to lower case.
    stop_words : str, collection of str or None, default=None
        Words to drop: a language, or the words.
    stem : str or None, default=None
        Language of the Snowball stemmer.
    strip_accents : bool, default=False
        Whether to drop accents.
    vocabulary : collection of str or None, default=None
        The only words that are counted.
    unknown : str or None, default=None
        Name of the word that stands for all others.
    min_documents : int, default=1
        Documents in which a word must occur.
    max_words : int or None, default=None
        Number of words, the most frequent.
    held_out : float, default=0.0
        Share of documents held out to estimate the mass of ``unknown``.
    sublinear_tf : bool, default=False
        Whether a word counts 1 + log of its occurrences.
    use_idf : bool, default=False
        Whether to weight words by inverse document frequency.
    norm : {"l1", "l2"} or None, default=None
        Norm by which a document is divided.

    Examples
    --------
    >>> Text("bernoulli", alpha=0.5)
    Text('bernoulli', alpha=0.5)
    """

    model: Model = "refined"
    alpha: float | Literal["tuned"] = 1.0
    max_count: int = 5
    characters: bool | Literal["auto"] = "auto"
    lowercase: bool = True
    stop_words: str | Collection[str] | None = None
    stem: str | None = None
    strip_accents: bool = False
    vocabulary: Collection[str] | None = None
    unknown: str | None = None
    min_documents: int = 1
    max_words: int | None = None
    held_out: float = 0.0
    sublinear_tf: bool = False
    use_idf: bool = False
    norm: Norm | None = None
    short: bool | None = field(default=None, repr=False)
    """Whether documents are short, derived from the first ones."""

    joint: ClassVar[bool] = True
    reads: ClassVar[Reads] = "documents"
    inspects_first_rows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.model not in get_args(Model):
            raise ParameterError(
                f"Text's model is {self.model!r}", f"it must be one of {', '.join(map(repr, get_args(Model)))}"
            )
        if self.alpha != "tuned":
            number("Text", "alpha", self.alpha)
        if self.characters not in (True, False, "auto"):
            raise ParameterError(f"Text's characters is {self.characters!r}", "it must be True, False or 'auto'")
        for name in ("stop_words", "vocabulary"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                object.__setattr__(self, name, frozenset(value))
        number("Text", "held_out", self.held_out, most=0.5)
        self._check_unknown()
        self._check_weighting()
        for name in ("max_count", "min_documents"):
            number("Text", name, getattr(self, name), least=2 if name == "max_count" else 1)
        number("Text", "max_words", self.max_words, least=1, optional=True)
        _ = self._normalisers  # raises for an unknown language

    def _check_unknown(self) -> None:
        if self.held_out and (self.unknown is None or self.vocabulary is not None):
            raise ParameterError(
                f"Text's held_out is {self.held_out}",
                "it needs a name for unknown words, and no vocabulary",
                "Set unknown, as in Text('multinomial', unknown='<unk>', held_out=0.1)",
            )
        if self.unknown is not None and self.vocabulary is None and self.model not in SUMS_OCCURRENCES:
            raise ParameterError(
                f"Text's unknown is {self.unknown!r} without a vocabulary",
                f"models that sum occurrences can do that: {', '.join(map(repr, SUMS_OCCURRENCES))}",
            )

    def _check_weighting(self) -> None:
        if self.norm not in (None, *get_args(Norm)):
            raise ParameterError(f"Text's norm is {self.norm!r}", "it must be 'l1', 'l2' or None")
        if not (self.sublinear_tf or self.use_idf or self.norm):
            return
        if self.model not in ("multinomial", "complement"):
            raise ParameterError(f"Text({self.model!r}) cannot weigh words", "only 'multinomial' and 'complement' can")
        if self.alpha == "tuned":
            raise ParameterError(
                "Text's alpha is 'tuned' with weighted words", "tuning needs whole counts", "Set a number"
            )

    def __repr__(self) -> str:
        default = type(self).__dataclass_fields__
        given = [
            f"{name}={getattr(self, name)!r}"
            for name in default
            if default[name].repr and name != "model" and getattr(self, name) != default[name].default
        ]
        return f"Text({', '.join([repr(self.model), *given])})"

    # — reading —

    @property
    def _is_textbook(self) -> bool:
        return self.model not in ("refined", "discounted")

    @property
    def is_weighted(self) -> bool:
        return not self._is_textbook

    @property
    def textbook(self) -> "Text":
        return self if self._is_textbook else replace(self, model="multinomial", alpha="tuned")

    @property
    def is_corrected(self) -> bool:
        return self.model == "refined"

    @property
    def _normalisers(self) -> tuple[Normaliser, ...]:
        chain: list[Normaliser] = []
        if self.strip_accents:
            chain.append(FoldAccents())
        if self.stop_words is not None:
            chain.append(StopWords(self.stop_words))
        if self.stem is not None:
            chain.append(Stem(self.stem))
        if self.vocabulary is not None:
            chain.append(EachToken(_Known(frozenset(self.vocabulary), self.unknown)))
        return tuple(chain)

    @property
    def analysers(self) -> tuple[Analyser, ...]:
        """The analyser of each view."""
        if self._is_textbook:
            return (Words(Split.LONG_WORDS, lowercase=self.lowercase, normalisers=self._normalisers),)
        words = Words(Split.WORDS_AND_MARKS, lowercase=self.lowercase, normalisers=self._normalisers)
        views: list[Analyser] = [words, replace(words, ngrams=(2, 2))]
        if self.characters is True or (self.characters == "auto" and self.short):
            views.append(CharacterRuns((1, 4), lowercase=self.lowercase))
        return tuple(views)

    def for_block(self, block: Documents) -> "Text":
        if self._is_textbook or self.characters != "auto" or self.short is not None:
            return self
        some = Words(Split.WORDS_AND_MARKS).bags(
            Documents(block.names, block.views).slice(0, _INSPECTED_DOCUMENTS).views
        )
        return replace(self, short=bool(some.lengths.sum() < _SHORT_DOCUMENT_WORDS * max(1, some.rows)))

    def inspecting(self, block: Documents) -> "Text":
        return replace(self, short=None).for_block(block)

    def is_compatible(self, statistic: TextCounts, *, exactly: bool) -> bool:
        return len(self.analysers) == len(statistic.views)

    def is_mergeable_with(self, other: AnyFamily) -> bool:
        return isinstance(other, Text) and (
            self.analysers[:2] == other.analysers[:2]
            and self.characters == other.characters
            and len(self._amounts) == len(other._amounts)
            and self._textbook.weighting == other._textbook.weighting
        )

    @property
    def _textbook(self) -> Textbook:
        alpha = 1.0 if self.alpha == "tuned" else float(self.alpha)
        return Textbook(self.model, alpha, self.max_count, Weighting(self.sublinear_tf, self.norm), self.use_idf)

    @property
    def _amounts(self) -> tuple[Any, ...]:
        return self._textbook.amounts if self._is_textbook else (presence,)

    def observe(self, block: Documents, y: ClassCodes, threads: int) -> TextCounts:
        there = ~block.views.missing
        return TextCounts(
            tuple(
                word_counts(block.bags(analyser, threads), there, self._amounts, y, threads)
                for analyser in self.analysers
            )
        )

    # — estimating —

    def estimate(self, statistic: TextCounts, rule: Rule, classes: Sequence[Label]) -> ClassDensities[Documents]:
        views = [self._pruned(view) for view in statistic.views]
        if not self._is_textbook:
            scores = [ViewScores(analyser, view) for analyser, view in zip(self.analysers, views, strict=True)]
            return Discounted(scores, len(classes))
        counts = views[0]
        alpha = self._textbook.tuned(counts) if self.alpha == "tuned" else float(self.alpha)
        inner = self._textbook.density(counts, rule, classes, alpha)
        prior = self._textbook.log_prior_density(inner, rule, alpha)
        unknown = None if self.vocabulary is not None else self.unknown
        return WordDensity(
            self.analysers[0],
            counts.vocabulary,
            inner,
            prior,
            self._textbook.weighting,
            self._textbook.word_weights(counts),
            unknown,
        )

    def fixed(self, statistic: TextCounts) -> "Text":
        """With a tuned pseudo-count fixed at its value for this statistic."""
        if self.alpha != "tuned":
            return self
        return replace(self, alpha=self._textbook.tuned(self._pruned(statistic.views[0])))

    def by_word(self, statistic: TextCounts) -> Statistic:
        """The statistic that a textbook model is estimated from, with one column per word."""
        return self._textbook.statistic(self._pruned(statistic.views[0]))

    def left_out(
        self,
        statistic: TextCounts,
        rule: Rule,
        classes: Sequence[Label],
        block: Documents,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        """Leave-one-out scores with default temperatures. The textbook models are estimated
        again for each document: its own words leave the vocabulary with it."""
        density = self.estimate(statistic, rule, classes)
        if not isinstance(density, Discounted) or self.min_documents > 1 or self.max_words is not None:
            return super().left_out(statistic, rule, classes, block, y, threads)
        return density.left_out(block, y.codes, y.weight, threads)

    def _pruned(self, counts: WordCounts) -> WordCounts:
        """The counts of the words that are frequent enough; all others are summed under the unknown word, if there is
        one. The words of a vocabulary of a textbook model always exist."""
        if self.vocabulary is not None and self._is_textbook:
            counts = with_words(counts, {*self.vocabulary, *([] if self.unknown is None else [self.unknown])})
        has_unknown = self.unknown is not None and self.vocabulary is None
        if self.min_documents <= 1 and self.max_words is None and not has_unknown:
            return counts
        documents = np.asarray(counts.tables[0].sum(axis=1)).ravel()
        kept = np.flatnonzero(documents >= self.min_documents)
        if self.max_words is not None and len(kept) > self.max_words:
            totals = np.asarray(counts.tables[-1].sum(axis=1)).ravel()
            kept = np.sort(kept[np.argsort(-totals[kept], kind="stable")[: self.max_words]])
        if self.unknown is not None and has_unknown:
            share = np.ones(len(documents))
            share[kept] = unseen_share(documents[kept], self.held_out) if self.held_out else 0.0
            return with_unknown(counts, self.unknown, share)
        return WordCounts(counts.documents, counts.vocabulary.take(kept), tuple(t[kept] for t in counts.tables))


@dataclass(frozen=True)
class _Known:
    """Maps words outside a vocabulary to one word, or drops them."""

    words: frozenset[str]
    unknown: str | None

    def __call__(self, token: str) -> str | None:
        return token if token in self.words else self.unknown
