"""Waiting times, with the Gamma prior on their rate."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.families.base import Rule
from suffice.families.by_column import ByColumn
from suffice.families.forms import MAX_AMOUNT, CellwiseDensity, LinearDensity, NumberDensity
from suffice.families.given_parameters import ROWS, ByClass, GivenParameters, by_class, check_within, rows_of
from suffice.families.poisson import count_sums
from suffice.families.settings import number
from suffice.families.support import check_amounts
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.statistics import Sums

_MIN_WAIT = float(np.finfo(np.float64).tiny)  # lower bound of the mean wait, so that the rate is finite


@dataclass(frozen=True)
class Exponential(ByColumn[Sums]):
    """x ~ λ e^(−λx), column by column.

    The prior is Gamma(``shape``, ``scale``): ``shape`` waits of total duration ``scale``; by default one wait at the mean
    of the column over all classes. With n waits of total s: ``mle`` n / s, ``mean`` (shape + n) / (scale + s), ``map``
    (shape + n − 1)⁺ / (scale + s), ``predictive`` Lomax with shape + n and scale + s.

    Parameters
    ----------
    shape : float, default=1.0
        Waits of the prior.
    scale : float or None, default=None
        Their total duration; ``None`` is ``shape`` times the column's mean over all classes.

    Examples
    --------
    >>> from suffice import BayesClassifier, Exponential
    >>> model = BayesClassifier(Exponential()).fit([[0.1], [0.2], [5.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.3], [7.0]]).tolist()
    ['a', 'b']
    """

    shape: float = 1.0
    scale: float | None = None

    transforms: ClassVar[bool] = True

    def __post_init__(self) -> None:
        number("Exponential", "shape", self.shape)
        number("Exponential", "scale", self.scale, optional=True)

    @classmethod
    def given(cls, rate: ByClass) -> GivenParameters[Numbers, Sums]:
        """A column of density rate · e^(−rate · x): a mapping from class."""
        classes, (each,) = by_class("Exponential", rate=rate)
        check_within("Exponential", "rate", each, 0)
        return GivenParameters(cls(), classes, Sums(rows_of(classes), ROWS / each[:, None]))

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> Sums:
        return count_sums(Numbers(block.names, block.dense), y, threads, "Exponential")

    def from_statistics(self, statistic: Sums, pooled: Sums, rule: Rule) -> NumberDensity:
        n, total = statistic.weight, statistic.total
        if rule == "mle":
            mean = np.where(n > 0, total / np.where(n > 0, n, 1.0), _overall_mean(pooled))
            return ExponentialDensity.of(1 / np.maximum(mean, _MIN_WAIT))
        scale = self._scale(pooled) + total
        shape = np.broadcast_to(self.shape + n, scale.shape)
        scale = np.maximum(scale, _MIN_WAIT * np.maximum(shape, 1.0))
        if rule == "predictive":
            return Lomax(np.maximum(shape, 1e-12), scale)
        return ExponentialDensity.of(np.maximum(shape - (rule == "map"), 1e-12) / scale)

    def _scale(self, pooled: Sums) -> FloatArray:
        """Total duration of the waits of the prior."""
        overall_mean = _overall_mean(pooled)
        return self.shape * overall_mean if self.scale is None else np.full_like(overall_mean, self.scale)

    def log_evidence(self, statistic: Sums) -> FloatArray:
        a, b = max(self.shape, 1e-12), np.maximum(self._scale(statistic.pooled()), _MIN_WAIT)
        n, s = statistic.weight, statistic.total
        return np.asarray(
            (a * np.log(b) - (a + n) * np.log(b + s) + special.gammaln(a + n) - special.gammaln(a)).sum(axis=0)
        )


def _overall_mean(pooled: Sums) -> FloatArray:
    """The mean wait over all classes."""
    some = pooled.weight > 0
    return np.where(some, pooled.total / np.where(some, pooled.weight, 1.0), 1.0)


@dataclass(frozen=True, eq=False)
class ExponentialDensity(LinearDensity):
    """log λ − λ x"""

    @classmethod
    def of(cls, rate: FloatArray) -> "ExponentialDensity":
        return cls(constant=np.log(rate), slope=-rate)

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        check_amounts(block, "Exponential")
        super().add_to(out, block, threads)

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        return [rng.exponential(-1 / slope, n) for slope in self.slope[klass]]


@dataclass(frozen=True, eq=False)
class Lomax(CellwiseDensity):
    """λ ~ Gamma(shape, scale) integrated out."""

    shape: FloatArray
    scale: FloatArray

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        check_amounts(block, "Exponential")
        super().add_to(out, block, threads)

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        a, b = self.shape[klass], self.scale[klass]
        return np.asarray(np.log(a) - np.log(b) - (a + 1) * (np.log(x + b) - np.log(b)))

    def turning_points(self, a: int, b: int) -> FloatArray:
        (p, q), (s, t) = self.shape[[a, b], 0] + 1, self.scale[[a, b], 0]
        turns = (p * t - q * s) / (q - p) if p != q else 0.0
        return np.unique([0.0, max(turns, 0.0), MAX_AMOUNT])

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        pairs = zip(self.shape[klass], self.scale[klass], strict=True)
        return [rng.pareto(a, n) * b for a, b in pairs]
