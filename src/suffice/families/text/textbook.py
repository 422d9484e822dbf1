"""The textbook models of a bag of words, over the words of a vocabulary: families of numbers applied to word counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.columns.analyser import Analyser
from suffice.columns.blocks import Numbers
from suffice.columns.documents import Documents
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.columns.vocabulary import Vocabulary
from suffice.errors import DataError, NoSamplesError
from suffice.families.base import ClassDensities, Family, Rule
from suffice.families.bernoulli import Bernoulli, BernoulliDensity
from suffice.families.complement import Complement
from suffice.families.count_table import CountTable
from suffice.families.forms import LinearDensity
from suffice.families.multinomial import Multinomial
from suffice.families.poisson import Poisson
from suffice.families.text.counting import Amount, at_least, presence
from suffice.families.text.weighting import Weighting, inverse_document_frequency
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.statistics import CountTables, Statistic, Successes, Sums, WordCounts

SUMS_OCCURRENCES = ("multinomial", "complement", "poisson", "negative_binomial")
"""The models that need only the number of occurrences of each word."""

_MAX_TABLE_CELLS = 1 << 28  # of words × classes: 2 GiB


@dataclass(frozen=True)
class Textbook:
    """A model of word counts by a family of numbers: the statistic of words, and its form as the family's statistic."""

    model: str
    alpha: float
    max_count: int
    weighting: Weighting
    use_idf: bool

    @property
    def amounts(self) -> tuple[Amount, ...]:
        """Document counts first, for pruning; then the amounts of the model."""
        if self.model == "bernoulli":
            return (presence,)
        if self.model == "counts":
            return tuple(at_least(k) for k in range(1, self.max_count))
        return (presence, self.weighting)

    def family(self, alpha: float) -> Family[Numbers, Any]:
        if self.model == "bernoulli":
            return Bernoulli(alpha)
        if self.model == "counts":
            return CountTable(self.max_count, alpha)
        if self.model == "complement":
            return Complement(alpha)
        return Multinomial(alpha) if self.model == "multinomial" else Poisson(rate=alpha)

    def density(
        self, counts: WordCounts, rule: Rule, classes: Sequence[Label], alpha: float
    ) -> ClassDensities[Numbers]:
        words, n = len(counts.vocabulary), len(classes)
        if words * n > _MAX_TABLE_CELLS:
            raise DataError(
                f"A table of {words:,} words × {n:,} classes would have {words * n:,} cells",
                f"a textbook model of text may have {_MAX_TABLE_CELLS:,}",
                "Prune the vocabulary with min_documents or max_words, or use Text('discounted')",
            )
        rule = "predictive" if self.model == "negative_binomial" else rule
        return self.family(alpha).estimate(self.statistic(counts), rule, classes)

    def log_prior_density(self, inner: ClassDensities[Numbers], rule: Rule, alpha: float) -> float:
        """Log prior density of θ under the Dirichlet (or Beta) prior of which it is the mode: the mean given α is the mode
        given α + 1."""
        exponent = {"mle": 0.0, "map": alpha - 1}.get(rule, alpha)
        if exponent == 0:
            return 0.0
        if isinstance(inner, BernoulliDensity):
            return exponent * float(inner.above.sum() + inner.below.sum())
        return (
            exponent * float(inner.slope.sum())
            if self.model == "multinomial" and isinstance(inner, LinearDensity)
            else 0.0
        )

    def statistic(self, counts: WordCounts) -> Statistic:
        """Word counts as the statistic of the family of numbers."""
        rows = counts.documents[:, None]
        if self.model == "bernoulli":
            return Successes(np.broadcast_to(rows, _dense(counts, 0).shape), np.minimum(_dense(counts, 0), rows))
        if self.model != "counts":
            total = _dense(counts, 1)
            if self.use_idf:
                total *= self.word_weights(counts)
            return Sums(np.broadcast_to(rows, total.shape), total)
        reached = [
            np.broadcast_to(rows, _dense(counts, 0).shape),
            *(_dense(counts, k) for k in range(self.max_count - 1)),
        ]
        table = [a - b for a, b in pairwise(reached)]
        return CountTables(np.maximum(np.stack([*table, reached[-1]], axis=2), 0.0))

    def word_weights(self, counts: WordCounts) -> FloatArray:
        """The weight of an occurrence of each word: its inverse document frequency, or one."""
        if not self.use_idf:
            return np.ones(len(counts.vocabulary))
        documents = np.asarray(counts.tables[0].sum(axis=1)).ravel()
        return inverse_document_frequency(documents, float(counts.documents.sum()))

    def tuned(self, counts: WordCounts) -> float:
        """The α of largest leave-one-out likelihood of words (or documents, for word presence); for rates, that of largest
        marginal likelihood."""
        grid = 2.0 ** np.arange(-10, 4)
        if self.model in ("poisson", "negative_binomial"):
            statistic = self.statistic(counts)
            likely = [float(self.family(a).log_evidence(statistic).sum()) for a in grid]
        else:
            likely = [self._left_out(counts, a) for a in grid]
        return float(grid[int(np.argmax(likely))])

    def _left_out(self, counts: WordCounts, alpha: float) -> float:
        table = counts.tables[0 if self.model in ("bernoulli", "counts") else 1]
        seen, klass = table.data, table.indices
        words = table.shape[0]
        if self.model in ("bernoulli", "counts"):
            n = counts.documents
            there = seen * np.log(np.maximum(seen - 1, 0) + alpha) + (n[klass] - seen) * np.log(
                np.maximum(n[klass] - seen - 1, 0) + alpha
            )
            empty = words - np.bincount(klass, minlength=len(n))
            never = empty * n * np.log(np.maximum(n - 1, 0) + alpha)
            return float(there.sum() + never.sum() - (words * n * np.log(np.maximum(n - 1, 0) + 2 * alpha)).sum())
        total = np.bincount(klass, seen, len(counts.documents))
        there = seen * np.log(np.maximum(seen - 1, 0) + alpha)
        return float(there.sum() - (total * np.log(np.maximum(total - 1, 0) + alpha * words)).sum())


def _dense(counts: WordCounts, table: int) -> FloatArray:
    return np.asarray(counts.tables[table].T.toarray(), dtype=np.float64)


class WordDensity(ClassDensities[Documents]):
    """A density of numbers over the words of documents: Σ amount · weight.

    Words outside the vocabulary are counted as the ``unknown`` word, if there is one.
    """

    def __init__(
        self,
        analyser: Analyser,
        vocabulary: Vocabulary,
        inner: ClassDensities[Numbers],
        log_prior_density: float,
        weighting: Weighting,
        word_weights: FloatArray,
        unknown: str | None,
    ) -> None:
        self.analyser, self.vocabulary, self.inner = analyser, vocabulary, inner
        self.weighting, self.word_weights = weighting, word_weights
        self.unknown = None if unknown is None else int(vocabulary.find(Vocabulary.of([unknown])[0])[0])
        self.n_classes = inner.n_classes
        self._log_prior_density = log_prior_density

    @property
    def log_prior_density(self) -> float:
        return self._log_prior_density

    def _numbers(self, block: Documents, threads: int) -> Numbers:
        whole = block.bags(self.analyser, threads)
        bags = whole.within(self.vocabulary, threads)
        shape = (bags.rows, len(self.vocabulary))
        matrix = sp.csr_array(
            (self.weighting(bags, whole) * self.word_weights[bags.ids], bags.ids, bags.indptr), shape=shape
        )
        if self.unknown is not None:
            outside = np.flatnonzero(self.vocabulary.find(whole.vocabulary, threads) < 0)
            rest = whole.selected(outside, threads)
            row = np.repeat(np.arange(rest.rows), np.diff(rest.indptr))
            amounts = self.weighting(rest, whole) * self.word_weights[self.unknown]
            matrix = matrix + sp.csr_array((amounts, (row, np.full(len(row), self.unknown))), shape=shape)
        return Numbers(range(len(self.vocabulary)), matrix)

    def add_to(self, out: FloatArray, block: Documents, threads: int) -> None:
        missing = block.views.missing
        if not missing.any():
            self.inner.add_to(out, self._numbers(block, threads), threads)
            return
        part = np.zeros(out.shape)  # a missing document scores 0; in an empty one the absence of words is evidence
        self.inner.add_to(part, self._numbers(block, threads), threads)
        out[~missing] += part[~missing]

    def evidence(self, block: Documents) -> tuple[list[str], FloatArray]:
        """Evidence of each word that occurs in the documents, and the sum over all other words."""
        numbers = self._numbers(block, 1)
        words = np.unique(numbers.values.indices)  # type: ignore[union-attr]
        names = self.vocabulary.take(words).strings()
        _, parts = self.inner.evidence(Numbers(numbers.names, numbers.values))
        whole = self.log_density(block)
        some = np.where(block.views.missing[:, None, None], 0.0, parts[:, words])
        return [*names, "(other words)"], np.concatenate([some, (whole - some.sum(axis=1))[:, None]], axis=1)

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        raise NoSamplesError("A bag of words has no order", "documents cannot be sampled from it")

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        return self.inner.linear_terms(self.vocabulary.strings())

    def linear_features(self, block: Documents) -> FloatArray:
        return self.inner.linear_features(self._numbers(block, 1))
