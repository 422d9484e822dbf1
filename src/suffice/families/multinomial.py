"""A bag of words: the counts of all columns are one multinomial draw, with the Dirichlet prior."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.families import pseudo_counts as pseudo
from suffice.families.base import ClassDensities, Family, Rule
from suffice.families.counted_words import OccurringWords, dirichlet_multinomial, log_theta, without
from suffice.families.forms import LinearDensity
from suffice.families.poisson import count_sums
from suffice.families.support import refuse_infinite, stored
from suffice.numerics.arrays import AnyArray, BoolArray, CodeArray, FloatArray
from suffice.statistics import Sums
from suffice.statistics.base import subtract_checked


@dataclass(frozen=True)
class Multinomial(Family[Numbers, Sums]):
    """The words of a row are drawn independently from θ; x has the count of each word.

    The prior is Dirichlet(``alpha``), one number or one per column. With n_j words of column j among n: ``mle`` n_j / n,
    ``mean`` (n_j + α) / (n + Σα), ``map`` (n_j + α − 1) / (n + Σα − d), ``predictive`` the Dirichlet-multinomial (Pólya),
    in which a word that has occurred is more likely to recur. Log probabilities are those of the words in their order: the
    number of orders is the same in every class.

    Parameters
    ----------
    alpha : float or sequence of float, default=1.0
        Pseudo-count of each word; one number, or one for each column.

    Examples
    --------
    >>> from suffice import BayesClassifier, Multinomial
    >>> model = BayesClassifier(Multinomial()).fit([[2, 0], [0, 1], [3, 1]], ["a", "b", "a"])
    >>> model.predict([[0, 2]]).tolist()
    ['b']
    """

    alpha: pseudo.Alpha = 1.0

    joint: ClassVar[bool] = True
    takes_sparse: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", pseudo.as_alpha(self.alpha))

    def check(self, statistic: Sums, columns: Sequence[Name], classes: Sequence[Label]) -> None:
        pseudo.per_column(self.alpha, len(columns))

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> Sums:
        return count_sums(block, y, threads, type(self).__name__)

    def estimate(self, statistic: Sums, rule: Rule, classes: Sequence[Label]) -> ClassDensities[Numbers]:
        counts = statistic.total
        alpha = pseudo.per_column(self.alpha, counts.shape[1])
        length = counts.sum(axis=1) / np.maximum(statistic.weight.max(axis=1, initial=0.0), 1e-300)
        if rule == "predictive":
            return DirichletMultinomialDensity(counts + alpha, length)
        theta = pseudo.estimated(counts, counts.sum(axis=0, keepdims=True), alpha, rule)
        return MultinomialDensity(np.zeros_like(theta), pseudo.log(theta), length)

    def log_evidence(self, statistic: Sums) -> FloatArray:
        """Log marginal likelihood of the words in their order."""
        alpha = pseudo.per_column(self.alpha, statistic.total.shape[1])
        return np.array([pseudo.log_evidence(statistic.total, alpha).sum()])

    def left_out(
        self,
        statistic: Sums,
        rule: Rule,
        classes: Sequence[Label],
        block: Numbers,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        words, w = OccurringWords.of(block), y.weights
        # raises for rows that were not learned
        subtract_checked(statistic.total[y.codes[words.row], words.column], w[words.row] * words.x, "words")
        alpha = pseudo.per_column(self.alpha, statistic.total.shape[1])
        out, again = np.empty((block.rows, len(classes))), np.zeros(block.rows, dtype=bool)
        for c, (counts, gone) in enumerate(self.counted_by(statistic.total, y.codes, rule)):
            left = without(counts, words, w, gone)
            if rule == "predictive":
                total = np.maximum(counts.sum() - np.where(gone, w * words.summed(words.x), 0.0), 0.0)
                a = np.maximum(left + alpha[words.column], 1e-300)
                out[:, c] = dirichlet_multinomial(words, a, np.maximum(total + alpha.sum(), 1e-300 * len(alpha)))
                continue
            each, nothing = log_theta(counts, alpha, rule, words, left)
            out[:, c] = words.summed(words.x * self.word_scores(each))
            again |= nothing
        rows = np.flatnonzero(again)
        if len(rows):  # without such a row a class is empty and has the pooled estimate
            out[rows] = super().left_out(statistic, rule, classes, block.take(rows), y[rows], threads)
        return out

    def counted_by(self, counts: FloatArray, y: CodeArray, rule: Rule) -> Iterator[tuple[FloatArray, BoolArray]]:
        """For each class, the counts it is estimated from, and a mask of the rows included in them."""
        for c, mine in enumerate(counts):
            yield (mine, y == c) if rule != "mle" or mine.any() else (counts.sum(axis=0), np.full(len(y), True))

    def word_scores(self, log_theta: FloatArray) -> FloatArray:
        """The score of each word for a class."""
        return log_theta


@dataclass(frozen=True, eq=False)
class MultinomialDensity(LinearDensity):
    """Σ_j x_j log θ_j; ``length`` is the mean number of words of a class."""

    length: FloatArray

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        return [str(n) for n in names], self.slope

    def linear_features(self, block: Numbers) -> FloatArray:
        return np.nan_to_num(block.dense.astype(np.float64))

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        return draw_words(np.exp(self.slope[klass]), self.length[klass], n, rng)


def draw_words(theta: FloatArray, length: float, n: int, rng: "np.random.Generator") -> list[AnyArray]:
    """Rows of word counts. Their lengths, which are not modelled, are Poisson with the mean of the class."""
    words = rng.multinomial(rng.poisson(length, n), theta / theta.sum())
    return list(words.T.astype(np.float64))


@dataclass(frozen=True, eq=False)
class DirichletMultinomialDensity(ClassDensities[Numbers]):
    """θ ~ Dirichlet(a) integrated out. The columns share a normaliser, so it is not a sum over columns."""

    a: FloatArray
    length: FloatArray

    @property
    def n_classes(self) -> int:  # type: ignore[override]
        return len(self.a)

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        if np.isinf(stored(block)).any():
            refuse_infinite(block, "Multinomial")
        words = OccurringWords.of(block)
        for c, a in enumerate(np.maximum(self.a, 1e-300)):
            out[:, c] += dirichlet_multinomial(words, a[words.column], a.sum())

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        rows = [
            draw_words(rng.dirichlet(np.maximum(self.a[klass], 1e-12)), self.length[klass], 1, rng) for _ in range(n)
        ]
        return list(np.array(rows).reshape(n, -1).T)
