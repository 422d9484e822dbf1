"""Complement naive Bayes: a class is scored by how badly the words of the *other* classes explain the row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.columns.labels import Label
from suffice.errors import NoSamplesError
from suffice.families.base import Rule
from suffice.families.multinomial import Multinomial, Words
from suffice.numerics.arrays import AnyArray
from suffice.statistics import Sums


@dataclass(frozen=True)
class Complement(Multinomial):
    """score = −Σ_j x_j log θ̃_j, with θ̃ estimated from all the other classes (Rennie et al. 2003).

    It ranks classes better than the multinomial where they are unevenly large, but it is a score, not a density: it cannot
    be sampled from. ``norm`` divides the weights of a class by their sum. ``predictive`` is ``mean``.
    """

    norm: bool = False

    def estimate(self, statistic: Sums, rule: Rule, classes: Sequence[Label]) -> "Weights":
        everything = statistic.total.sum(axis=0)
        rest = replace(statistic, total=np.maximum(everything - statistic.total, 0.0))
        plug_in: Rule = "mean" if rule == "predictive" else rule
        density = super().estimate(rest, plug_in, classes)
        assert isinstance(density, Words)
        # a word that no other class has ever used is as telling as a probability can be, not infinitely so
        weights = np.minimum(-density.slope, -np.log(np.finfo(np.float64).tiny))
        if self.norm:
            total = weights.sum(axis=1, keepdims=True)
            weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        return Weights(density.constant, weights, density.length)


@dataclass(frozen=True, eq=False)
class Weights(Words):
    """The weights of complement naive Bayes, larger for words the other classes do not use."""

    def sample(self, klass: int, n: int, rng: np.random.Generator) -> list[AnyArray]:
        raise NoSamplesError(
            "Complement scores classes and is no density, so it cannot be sampled from",
            "Multinomial can",
            "Use Multinomial() for these columns",
        )
