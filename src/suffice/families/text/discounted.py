"""Words by absolute discounting toward the corpus, with scores tempered by document length.

A document's score under class c is Σ over its distinct words of log θ_cw / p_w, where θ_cw subtracts 0.8 from every
document count and redistributes it by the corpus share p_w. Each view (words, pairs, characters) has two scores: its sum
divided by (number of distinct words)^⅔, which limits overconfidence on long documents, and the sum itself. Temperatures
weight them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np

from suffice.columns.analyser import CharacterRuns
from suffice.columns.bags import Bags
from suffice.columns.documents import Documents
from suffice.columns.kinds import Name
from suffice.columns.term_rows import TermRows
from suffice.errors import NoSamplesError, NotLinearError
from suffice.families.base import ClassDensities
from suffice.families.text.correction import Correction
from suffice.families.weights import BlockWeights
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, frozen
from suffice.statistics import WordCounts

Bagged: TypeAlias = Documents | TermRows
"""Rows with bags of words."""

_DISCOUNT = 0.8
LENGTH_POWER = 2 / 3
"""Power of the number of distinct words that a score is divided by."""


@dataclass(frozen=True, eq=False)
class TextWeights(BlockWeights):
    """Temperatures of the scores, two for each view, class biases, and a correction of the words."""

    temperatures: FloatArray
    bias: FloatArray
    correction: Correction | None = None

    @property
    def is_coherent(self) -> bool:
        """Whether all corrected views have temperatures."""
        views = () if self.correction is None else self.correction.views
        return all(0 <= view.view < len(self.temperatures) // 2 for view in views)

    def tempered(self, factor: float) -> Self:
        correction = None if self.correction is None else self.correction.tempered(factor)
        return replace(self, temperatures=factor * self.temperatures, bias=factor * self.bias, correction=correction)


class ViewScores:
    """The scores of one view. ``analyser`` converts rows to bags; None if they are counted already."""

    def __init__(self, analyser: Any, counts: WordCounts) -> None:
        self.analyser, self.counts = analyser, counts
        self.table = counts.tables[0]
        self.total = np.asarray(self.table.sum(axis=1), dtype=np.float64).ravel()
        self.class_total = np.asarray(self.table.sum(axis=0), dtype=np.float64).ravel()
        self.class_words = np.bincount(self.table.indices, minlength=self.table.shape[1]).astype(np.float64)

    def bags(self, block: Bagged, threads: int) -> tuple[Bags, FloatArray]:
        """The documents over known words, and the number of distinct words of each, unknown ones included."""
        bags = block.bags(self.analyser, threads)
        return bags.within(self.counts.vocabulary, threads), np.diff(bags.indptr).astype(np.float64)

    def scores(
        self, bags: Bags, own: CodeArray | None = None, weight: FloatArray | None = None, threads: int = 1
    ) -> FloatArray:
        return kernels.discounted_scores(
            bags.indptr,
            bags.ids,
            self.table,
            self.total,
            self.class_total,
            self.class_words,
            _DISCOUNT,
            own,
            weight,
            threads,
        )

    def spelled(self, words: AnyArray) -> list[str]:
        """Words as they are shown: runs of characters in ‹›."""
        names = self.counts.vocabulary.take(words).strings()
        return [f"‹{name}›" for name in names] if isinstance(self.analyser, CharacterRuns) else names

    def log_ratios(self, words: AnyArray) -> FloatArray:
        """log θ_cw / p_w of some words, (words, classes)."""
        gain = np.zeros((len(words), self.table.shape[1]))
        cells = self.table[words].tocoo()
        share = 1 / (_DISCOUNT * self.class_words + 1)
        rarity = self.class_total.sum() / np.maximum(self.total[words], 1e-300)
        excess = np.maximum(cells.data - _DISCOUNT, 0.0)
        gain[cells.row, cells.col] = excess * rarity[cells.row] * share[cells.col]
        base = np.log((_DISCOUNT * self.class_words + 1) / (self.class_total + 1))
        return np.asarray(np.log1p(gain) + base)


class Discounted(ClassDensities[Bagged]):
    """Σ temperature · score + bias + correction, for every class at once."""

    DEFAULT_TEMPERATURES = (1.8, 0.9, 0.5)
    """Default temperatures of words, pairs and characters, for models without kept documents."""

    def __init__(self, views: Sequence[ViewScores], n_classes: int, weights: TextWeights | None = None) -> None:
        self.views, self.n_classes, self.weights = tuple(views), n_classes, weights

    @cached_property
    def temperatures(self) -> FloatArray:
        """(views, 2): of the score divided by the length, and of the score itself."""
        if self.weights is not None:
            return frozen(self.weights.temperatures.reshape(-1, 2).copy())
        return np.array([[t, 0.0] for t in self.DEFAULT_TEMPERATURES[: len(self.views)]])

    def weighted(self, weights: BlockWeights) -> "Discounted":
        assert isinstance(weights, TextWeights)
        return Discounted(self.views, self.n_classes, weights)

    def parts(self, block: Bagged, own: CodeArray | None, weight: FloatArray | None, threads: int) -> FloatArray:
        """The scores before temperatures, (views · 2, documents, classes); leave-one-out for documents with an ``own``
        class."""
        out = np.empty((2 * len(self.views), block.rows, self.n_classes))
        for v, view in enumerate(self.views):
            bags, length = view.bags(block, threads)
            out[2 * v + 1] = view.scores(bags, own, weight, threads)
            out[2 * v] = out[2 * v + 1] / np.maximum(length, 1.0)[:, None] ** LENGTH_POWER
        return out

    def left_out(self, block: Bagged, y: CodeArray, weight: FloatArray | None, threads: int) -> FloatArray:
        """Scores of documents that were learned, leave-one-out."""
        return np.asarray(np.tensordot(self.temperatures.ravel(), self.parts(block, y, weight, threads), 1))

    def add_to(self, out: FloatArray, block: Bagged, threads: int) -> None:
        for view, (tamed, plain) in zip(self.views, self.temperatures, strict=True):
            bags, length = view.bags(block, threads)
            factor = tamed / np.maximum(length, 1.0) ** LENGTH_POWER + plain
            out += factor[:, None] * view.scores(bags, threads=threads)
        if self.weights is None:
            return
        out += ~block.views.missing[:, None] * self.weights.bias
        if self.weights.correction is not None:
            every = [block.bags(view.analyser, threads) for view in self.views]
            out += self.weights.correction.scores(every, threads)

    def evidence(self, block: Bagged) -> tuple[list[str], FloatArray]:
        """By word, pair and run of characters (in ‹›) that occurs in some of the documents, and the bias if there is one."""
        bags = [view.bags(block, 1) for view in self.views]
        words = [np.unique(known.ids) for known, _ in bags]
        parts = [self._by_word(v, *bags[v], words[v]) for v in range(len(self.views))]
        if self.weights is not None and self.weights.correction is not None:
            self.weights.correction.add_evidence(parts, [known for known, _ in bags], words)
        names = [name for view, some in zip(self.views, words, strict=True) for name in view.spelled(some)]
        if self.weights is not None and self.weights.bias.any():
            names.append("(bias)")
            parts.append((~block.views.missing[:, None] * self.weights.bias)[:, None])
        return names, np.concatenate(parts, axis=1)

    def _by_word(self, v: int, bags: Bags, length: FloatArray, words: AnyArray) -> FloatArray:
        """The score of each word of one view in each document, (documents, words, classes)."""
        tamed, plain = self.temperatures[v]
        row = np.repeat(np.arange(bags.rows), np.diff(bags.indptr))
        place = np.searchsorted(words, bags.ids)
        factor = tamed / np.maximum(length, 1.0) ** LENGTH_POWER + plain
        part = np.zeros((bags.rows, len(words), self.n_classes))
        part[row, place] = factor[row, None] * self.views[v].log_ratios(words)[place]
        return part

    def check_density(self) -> None:
        raise NoSamplesError("Discounted text has scores and no density of documents", "textbook models have one")

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        self.check_density()
        raise AssertionError("a score is not a density")

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        raise NotLinearError(
            "The scores of discounted text are divided by the length of the document",
            "they are not linear in the words",
            "Use a textbook model: Text('multinomial'), or Multinomial() for a matrix",
        )
