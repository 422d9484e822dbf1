"""Binary columns, with the Beta prior."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.families import pseudo_counts as pseudo
from suffice.families.base import AnyFamily, Rule
from suffice.families.by_column import ByColumn
from suffice.families.forms import StepDensity
from suffice.families.given_parameters import ROWS, ByClass, GivenParameters, by_class, check_within, rows_of
from suffice.families.settings import number
from suffice.families.sparse_rows import needs_every_cell, observe_parts
from suffice.families.support import refuse_infinite
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.statistics import Successes


@dataclass(frozen=True)
class Bernoulli(ByColumn[Successes]):
    """x is 1 with probability θ, column by column; any number counts as 1 where it is above ``threshold``.

    The prior is Beta(``alpha``, ``beta``), beta being alpha unless given; each one number or one per column. With n₁ ones
    among n: ``mle`` n₁ / n, ``mean`` (n₁ + α) / (n + α + β), ``map`` (n₁ + α − 1) / (n + α + β − 2); ``predictive`` is
    ``mean``, exactly.

    Parameters
    ----------
    alpha : float or sequence of float, default=1.0
        Pseudo-count of ones; one number, or one for each column.
    beta : float, sequence of float or None, default=None
        Pseudo-count of zeros; ``None`` is ``alpha``.
    threshold : float, default=0.0
        Numbers above it count as 1.

    Examples
    --------
    >>> Bernoulli(alpha=0.5).alpha
    0.5
    """

    alpha: pseudo.Alpha = 1.0
    beta: pseudo.Alpha | None = None
    threshold: float = 0.0

    takes_sparse: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", pseudo.as_alpha(self.alpha))
        if self.beta is not None:
            object.__setattr__(self, "beta", pseudo.as_alpha(self.beta, "beta"))
        number("Bernoulli", "threshold", self.threshold, least=-1e300)

    @property
    def is_by_column(self) -> bool:
        return isinstance(self.alpha, tuple) or isinstance(self.beta, tuple)

    def check(self, statistic: Successes, columns: Sequence[Name], classes: Sequence[Label]) -> None:
        pseudo.per_column(self.alpha, len(columns))
        if self.beta is not None:
            pseudo.per_column(self.beta, len(columns), "beta")

    def is_mergeable_with(self, other: AnyFamily) -> bool:
        return isinstance(other, Bernoulli) and self.threshold == other.threshold

    @classmethod
    def given(cls, p: ByClass) -> GivenParameters[Numbers, Successes]:
        """A column that is 1 with probability ``p``: a mapping from class."""
        classes, (each,) = by_class("Bernoulli", p=p)
        check_within("Bernoulli", "p", each, 0, 1)
        return GivenParameters(cls(), classes, Successes(rows_of(classes), ROWS * each[:, None]))

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> Successes:
        if needs_every_cell(block, self.threshold):
            return observe_parts(self.observe, block, y, threads)
        if not isinstance(block.values, np.ndarray):
            if np.isinf(block.values.data).any():
                refuse_infinite(block, "Bernoulli")
            rows = kernels.class_weights(y.codes, y.n_classes, y.weight, threads)
            total = kernels.sparse_sums(block.values, y.codes, y.n_classes, y.weight, self.threshold, threads)
            # fractional weights round differently when summed by class and by cell
            return Successes(np.broadcast_to(rows[:, None], total.shape), np.minimum(total, rows[:, None]))
        n, total, low = kernels.sums(block.values, y.codes, y.n_classes, y.weight, self.threshold, threads)
        if np.isneginf(low).any():
            refuse_infinite(block, "Bernoulli")
        return Successes(n, total)

    def from_statistics(self, statistic: Successes, pooled: Successes, rule: Rule) -> "BernoulliDensity":
        alpha = self._alphas(statistic.weight.shape[1])
        theta = pseudo.estimated(_both(statistic), _both(pooled), alpha, rule)
        return BernoulliDensity(
            below=pseudo.log(theta[..., 1]), above=pseudo.log(theta[..., 0]), threshold=self.threshold
        )

    def log_evidence(self, statistic: Successes) -> FloatArray:
        counts = _both(statistic)
        return np.asarray(pseudo.log_evidence(counts, self._alphas(counts.shape[1])).sum(axis=0))

    def _alphas(self, columns: int) -> FloatArray:
        ones = pseudo.per_column(self.alpha, columns)
        zeros = ones if self.beta is None else pseudo.per_column(self.beta, columns, "beta")
        return np.stack([ones, zeros], axis=-1)


def _both(statistic: Successes) -> FloatArray:
    """Ones and zeros along the last axis: the counts of a Dirichlet with two levels."""
    return np.stack([statistic.total, np.maximum(statistic.weight - statistic.total, 0.0)], axis=-1)


@dataclass(frozen=True, eq=False)
class BernoulliDensity(StepDensity):
    """log θ above the threshold, log(1 − θ) below."""

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        return [(rng.random(n) < p).astype(np.float64) for p in np.exp(self.above[klass])]
