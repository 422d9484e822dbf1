"""The family of a column of text."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from suffice.columns.analyser import Analyser, CharacterRuns, Words
from suffice.columns.documents import Documents
from suffice.columns.labels import Label
from suffice.columns.normalisers import Each, FoldAccents, Normaliser, Stem, StopWords
from suffice.errors import ParameterError
from suffice.families.base import Density, Family, Reads, Rule
from suffice.families.settings import number
from suffice.families.text import correction
from suffice.families.text.correction import Correction
from suffice.families.text.counting import presence, word_counts
from suffice.families.text.discounted import Discounted, Refinement, ViewScores
from suffice.families.text.temperatures import fit_temperatures
from suffice.families.text.textbook import Textbook, WordDensity
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.numerics.text import Split
from suffice.statistics import TextCounts, WordCounts

Model = Literal[
    "refined", "discounted", "multinomial", "bernoulli", "complement", "counts", "poisson", "negative_binomial"
]

_SHORT = 100  # words a document below which runs of characters are looked at too
_LOOKED_AT = 1000  # documents, for telling short from long
_SAMPLE = 5000  # documents that temperatures are fitted on …
_SCORES = 1 << 17  # … or as many as have so many scores, if there are very many classes


@dataclass(frozen=True)
class Text(Family):
    """A column of text as a bag of words.

    ``model`` is one of

    - ``"refined"`` (the default): ``"discounted"`` with temperatures fitted on scores of documents left out, and a short
      ridge correction of the words; it looks at the documents of ``fit`` a second time. Learning more, merging and
      forgetting keep the counts exact; what was fitted is refreshed on demand.
    - ``"discounted"``: words (marks too), pairs of neighbours and, for short texts, runs of characters, each by absolute
      discounting toward the corpus, with temperatures fitted as above.
    - ``"multinomial"``, ``"bernoulli"`` (word presence), ``"complement"``, ``"counts"`` (0, 1, … ``max_count`` − 1 or more),
      ``"poisson"``, ``"negative_binomial"``: the textbook models over words of two letters or more, with pseudo-count
      ``alpha``; ``alpha="tuned"`` takes the one under which words left out one at a time are most likely.

    ``stop_words`` (a language, or words), ``stem`` (a language) and ``strip_accents`` change words before they are counted.
    ``vocabulary`` counts the named words only, or, with ``unknown``, all others as that one word. ``min_documents`` and
    ``max_words`` prune when probabilities are estimated: what was counted stays, so pruning can change and forgetting stays
    exact. ``characters`` says whether runs of characters are looked at; ``"auto"``: if documents are shorter than 100 words.

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

    joint: ClassVar[bool] = True
    reads: ClassVar[Reads] = "documents"
    refines: ClassVar[bool] = True
    looks: ClassVar[bool] = True

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
        if self.unknown is not None and self.vocabulary is None:
            raise ParameterError(
                f"Text's unknown is {self.unknown!r} without a vocabulary", "it stands for the words outside one"
            )
        for name in ("max_count", "min_documents"):
            number("Text", name, getattr(self, name), least=2 if name == "max_count" else 1)
        number("Text", "max_words", self.max_words, least=1, optional=True)
        _ = self._normalisers  # a language that is not there is refused now

    def __repr__(self) -> str:
        default = type(self).__dataclass_fields__
        given = [
            f"{name}={getattr(self, name)!r}"
            for name in default
            if name != "model" and getattr(self, name) != default[name].default
        ]
        return f"Text({', '.join([repr(self.model), *given])})"

    # — reading —

    @property
    def _is_textbook(self) -> bool:
        return self.model not in ("refined", "discounted")

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
            chain.append(Each(_Known(frozenset(self.vocabulary), self.unknown)))
        return tuple(chain)

    @property
    def analysers(self) -> tuple[Analyser, ...]:
        """How documents become words, a view at a time."""
        if self._is_textbook:
            return (Words(Split.LONG_WORDS, lowercase=self.lowercase, normalisers=self._normalisers),)
        words = Words(Split.WORDS_AND_MARKS, lowercase=self.lowercase, normalisers=self._normalisers)
        views: list[Analyser] = [words, replace(words, ngrams=(2, 2))]
        if self.characters is True:
            views.append(CharacterRuns((1, 4), lowercase=self.lowercase))
        return tuple(views)

    def for_block(self, block: Documents) -> "Text":
        if self._is_textbook or self.characters != "auto":
            return self
        some = Words(Split.WORDS_AND_MARKS).bags(block.slice(0, _LOOKED_AT).views)
        return replace(self, characters=bool(some.lengths.sum() < _SHORT * max(1, some.rows)))

    def counts_like(self, other: Family) -> bool:
        return isinstance(other, Text) and (
            self.analysers == other.analysers and len(self._amounts) == len(other._amounts)
        )

    @property
    def _textbook(self) -> Textbook:
        return Textbook(self.model, 1.0 if self.alpha == "tuned" else float(self.alpha), self.max_count)

    @property
    def _amounts(self) -> tuple[Any, ...]:
        return self._textbook.amounts if self._is_textbook else (presence,)

    def observe(
        self, block: Documents, y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int
    ) -> TextCounts:
        there = ~block.views.missing
        return TextCounts(
            tuple(
                word_counts(block.bags(analyser, threads), there, self._amounts, y, n_classes, weight, threads)
                for analyser in self.analysers
            )
        )

    # — estimating —

    def estimate(self, statistic: TextCounts, rule: Rule, classes: Sequence[Label]) -> Density:
        views = [self._pruned(view) for view in statistic.views]
        if not self._is_textbook:
            scores = [ViewScores(analyser, view) for analyser, view in zip(self.analysers, views, strict=True)]
            return Discounted(scores, classes, None)
        counts = views[0]
        alpha = self._textbook.tuned(counts) if self.alpha == "tuned" else float(self.alpha)
        inner = self._textbook.density(counts, rule, classes, alpha)
        prior = self._textbook.log_prior_density(inner, rule, alpha)
        return WordDensity(self.analysers[0], counts.vocabulary, inner, prior)

    def left_out(
        self,
        statistic: TextCounts,
        rule: Rule,
        classes: Sequence[Label],
        block: Documents,
        y: CodeArray,
        weight: FloatArray | None,
        threads: int,
    ) -> FloatArray:
        """Of what was counted, with the temperatures of a model that has not looked twice. The textbook models are estimated
        anew for each document: its own words leave the vocabulary with it."""
        density = self.estimate(statistic, rule, classes)
        if not isinstance(density, Discounted) or self.min_documents > 1 or self.max_words is not None:
            return super().left_out(statistic, rule, classes, block, y, weight, threads)
        return np.asarray(np.tensordot(density.temperatures.ravel(), density.parts(block, y, weight, threads), 1))

    def _pruned(self, counts: WordCounts) -> WordCounts:
        """The words frequent enough to count, as a view of what was counted."""
        if self.min_documents <= 1 and (self.max_words is None or len(counts.vocabulary) <= self.max_words):
            return counts
        documents = np.asarray(counts.tables[0].sum(axis=1)).ravel()
        kept = np.flatnonzero(documents >= self.min_documents)
        if self.max_words is not None and len(kept) > self.max_words:
            totals = np.asarray(counts.tables[-1].sum(axis=1)).ravel()
            kept = np.sort(kept[np.argsort(-totals[kept], kind="stable")[: self.max_words]])
        tables = tuple(t[kept] for t in counts.tables)
        return WordCounts(counts.documents, counts.vocabulary.take(kept), tables)

    def refine(
        self,
        density: Density,
        block: Documents,
        y: CodeArray,
        weight: FloatArray | None,
        classes: Sequence[Label],
        log_prior: FloatArray,
        threads: int,
    ) -> Refinement | None:
        if not isinstance(density, Discounted):
            return None
        there = np.flatnonzero(~block.views.missing)
        if len(there) < 2 or len(np.unique(y[there])) < 2:
            return None
        parts = density.parts(block, y, weight, threads)
        size = min(_SAMPLE, max(1000, _SCORES // len(classes)))
        some = there if len(there) <= size else there[np.linspace(0, len(there) - 1, size).astype(np.int64)]
        w = None if weight is None else weight[some]
        temperatures, bias = fit_temperatures(parts[:, some], y[some], w, log_prior)
        found = Refinement(tuple(classes), temperatures, bias)
        if self.model == "discounted":
            return found
        left_out = np.tensordot(temperatures, parts, 1) + log_prior + bias
        corrected = self._corrected(density.views[0], block, y, weight, classes, left_out, there, threads)
        return replace(found, correction=corrected)

    def _corrected(
        self,
        view: ViewScores,
        block: Documents,
        y: CodeArray,
        weight: FloatArray | None,
        classes: Sequence[Label],
        left_out: FloatArray,
        there: AnyArray,
        threads: int,
    ) -> Correction | None:
        """V and b, believed as far as one fitted on half of the documents helps with the other half."""
        words = correction.informative(view.total, len(classes))
        if not len(words):
            return None
        bags = block.bags(view.analyser, threads).within(view.counts.vocabulary, threads).kept(words, threads)
        information = _information(view, words)
        w = None if weight is None else weight[there]
        halves = np.arange(len(there)) % 2 == 0
        across = np.zeros((len(there), len(classes)))
        for some in (halves, ~halves):
            told = self._information_within(block, y, weight, there[some], len(classes), words, view, threads)
            x = correction.features(bags, told)[there]
            v, b = correction.fit_correction(
                x[some], y[there[some]], None if w is None else w[some], left_out[there[some]]
            )
            across[~some] = x[~some] @ v + b
        half = correction.trust(left_out[there], across, y[there], w)
        beta = max(half, 2 * half / (1 + half))  # all documents leave half the noise; more than 1 means steps too few
        x = correction.features(bags, information)[there]
        v, b = correction.fit_correction(x, y[there], w, left_out[there])
        return Correction(tuple(classes), bags.vocabulary, information, beta * v, beta * b)

    def _information_within(
        self,
        block: Documents,
        y: CodeArray,
        weight: FloatArray | None,
        rows: AnyArray,
        n_classes: int,
        words: AnyArray,
        view: ViewScores,
        threads: int,
    ) -> FloatArray:
        """How much each word tells, read off some of the documents alone."""
        w = np.zeros(block.rows)
        w[rows] = 1.0 if weight is None else weight[rows]
        there = ~block.views.missing
        bags = block.bags(view.analyser, threads).within(view.counts.vocabulary, threads)
        counts = word_counts(bags, there, (presence,), y, n_classes, w, threads)
        part = ViewScores(view.analyser, counts)
        place = part.counts.vocabulary.find(view.counts.vocabulary.take(words), threads)
        out = np.zeros(len(words))
        out[place >= 0] = _information(part, place[place >= 0])
        return out


def _information(view: ViewScores, words: AnyArray) -> FloatArray:
    """Root mean square over the classes of log θ_cw / p_w."""
    return np.asarray(np.sqrt((view.log_ratios(words) ** 2).mean(axis=1)))


@dataclass(frozen=True)
class _Known:
    """Words of a vocabulary as they are, others as one word or none."""

    words: frozenset[str]
    unknown: str | None

    def __call__(self, token: str) -> str | None:
        return token if token in self.words else self.unknown
