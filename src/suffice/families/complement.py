"""Complement naive Bayes: a class is scored by minus the log-likelihood of the row under the *other* classes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.labels import Label
from suffice.errors import NoSamplesError
from suffice.families.base import Family, Rule
from suffice.families.multinomial import Multinomial, MultinomialDensity
from suffice.numerics.arrays import AnyArray, BoolArray, CodeArray, FloatArray
from suffice.statistics import Sums


@dataclass(frozen=True)
class Complement(Multinomial):
    """score = −Σ_j x_j log θ̃_j, with θ̃ estimated from all the other classes (Rennie et al. 2003).

    It ranks classes better than the multinomial if they are of unequal size, but it is a score, not a density: it cannot
    be sampled. ``norm`` divides the weights of a class by their sum. ``predictive`` is ``mean``.

    Parameters
    ----------
    alpha : float or sequence of float, default=1.0
        Pseudo-count of each word; one number, or one for each column.
    norm : bool, default=False
        Whether to divide the weights of a class by their sum.

    Examples
    --------
    >>> from suffice import BayesClassifier, Complement
    >>> model = BayesClassifier(Complement()).fit([[2, 0], [0, 1], [3, 1]], ["a", "b", "a"])
    >>> model.predict([[0, 2]]).tolist()
    ['b']
    """

    norm: bool = False

    def estimate(self, statistic: Sums, rule: Rule, classes: Sequence[Label]) -> "ComplementWeights":
        everything = statistic.total.sum(axis=0)
        rest = replace(statistic, total=np.maximum(everything - statistic.total, 0.0))
        plug_in: Rule = "mean" if rule == "predictive" else rule
        density = super().estimate(rest, plug_in, classes)
        assert isinstance(density, MultinomialDensity)
        weights = self.word_scores(density.slope)
        if self.norm:
            total = weights.sum(axis=1, keepdims=True)
            weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        return ComplementWeights(density.constant, weights, density.length)

    def log_evidence(self, statistic: Sums) -> FloatArray:
        return Family.log_evidence(self, statistic)  # not a density

    def word_scores(self, log_theta: FloatArray) -> FloatArray:
        # a word absent from all other classes gets the largest finite weight
        return np.asarray(np.minimum(-log_theta, -np.log(np.finfo(np.float64).tiny)))

    def counted_by(self, counts: FloatArray, y: CodeArray, rule: Rule) -> Iterator[tuple[FloatArray, BoolArray]]:
        for c, rest in enumerate(np.maximum(counts.sum(axis=0) - counts, 0.0)):
            yield rest, y != c

    def left_out(
        self,
        statistic: Sums,
        rule: Rule,
        classes: Sequence[Label],
        block: Numbers,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        plug_in: Rule = "mean" if rule == "predictive" else rule
        if self.norm:  # the normalised weights depend on every word, so there is no shortcut
            return Family.left_out(self, statistic, plug_in, classes, block, y, threads)
        return super().left_out(statistic, plug_in, classes, block, y, threads)


@dataclass(frozen=True, eq=False)
class ComplementWeights(MultinomialDensity):
    """The weights of complement naive Bayes, larger for words that are rare in the other classes."""

    def check_density(self) -> None:
        raise NoSamplesError(
            "Complement is a score and not a density, so it cannot be sampled",
            "Multinomial can",
            "Use Multinomial() for these columns",
        )

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        self.check_density()
        raise AssertionError("a score is not a density")
