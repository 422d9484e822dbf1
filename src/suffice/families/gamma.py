"""Positive amounts: gamma columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.families.base import Rule
from suffice.families.by_column import ByColumn
from suffice.families.forms import MAX_AMOUNT, CellwiseDensity, NumberDensity
from suffice.families.given_parameters import ByClass, GivenParameters, by_class, check_within, rows_of
from suffice.families.log_normal import logarithms
from suffice.families.settings import number
from suffice.families.support import check_finite
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.gamma_shape import gamma_shape
from suffice.statistics import LogMoments


@dataclass(frozen=True)
class Gamma(ByColumn[LogMoments]):
    """x ~ Gamma(shape k, rate β), column by column.

    The prior is ``weight`` rows with the mean and mean logarithm of all classes pooled (the conjugate prior of the
    exponential family). ``mle`` and ``map`` solve log k − ψ(k) = log(mean) − mean log without and with these rows.
    Given the shape, the rate has a Gamma posterior: ``mean`` takes its mean, ``predictive`` integrates it out (a
    generalised beta prime).

    Parameters
    ----------
    weight : float, default=1.0
        Rows of the prior, which has the mean and mean logarithm of all classes pooled.

    Examples
    --------
    >>> from suffice import BayesClassifier, Gamma
    >>> model = BayesClassifier(Gamma()).fit([[0.1], [0.2], [5.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.3], [7.0]]).tolist()
    ['a', 'b']
    """

    weight: float = 1.0

    transforms: ClassVar[bool] = True

    def __post_init__(self) -> None:
        number("Gamma", "weight", self.weight)

    @classmethod
    def given(cls, shape: ByClass, scale: ByClass) -> GivenParameters[Numbers, LogMoments]:
        """A column of Γ(shape, scale), of mean shape · scale; each a mapping from class, or one number for all classes."""
        classes, (k, theta) = by_class("Gamma", shape=shape, scale=scale)
        check_within("Gamma", "shape", k, 0)
        check_within("Gamma", "scale", theta, 0)
        log_mean = special.digamma(k) + np.log(theta)
        return GivenParameters(cls(), classes, LogMoments(rows_of(classes), (k * theta)[:, None], log_mean[:, None]))

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> LogMoments:
        logs = logarithms(block, "Gamma")
        n, mean, _ = kernels.moments(block.dense, y.codes, y.n_classes, y.weight, threads)
        _, log_mean, _ = kernels.moments(logs.dense, y.codes, y.n_classes, y.weight, threads)
        check_finite(block, mean, "Gamma")
        return LogMoments(n, mean, log_mean)

    def from_statistics(self, statistic: LogMoments, pooled: LogMoments, rule: Rule) -> NumberDensity:
        nothing = pooled.weight <= 0  # an empty column: the density is never evaluated
        everywhere = LogMoments(
            np.full_like(pooled.weight, self.weight),
            np.where(nothing, 1.0, pooled.mean),
            np.where(nothing, -0.5, pooled.log_mean),
        )
        smoothed = statistic + everywhere if rule != "mle" else statistic
        seen = smoothed.weight > 0
        mean = np.where(seen, smoothed.mean, everywhere.mean)
        shape = gamma_shape(np.log(mean) - np.where(seen, smoothed.log_mean, everywhere.log_mean))
        rows = np.where(seen, smoothed.weight, 1.0)
        if rule == "predictive":
            return BetaPrime(shape, 1 + rows * shape, rows * mean)
        # flat prior on the rate given the shape: Gamma(1 + n k, Σx), whose mode is the MLE k / mean
        rate = (1 + rows * shape) / (rows * mean) if rule == "mean" else shape / mean
        return GammaDensity(shape, rate)


class _PositiveDensity(CellwiseDensity):
    """Raises for values that are not positive, naming the column."""

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        logarithms(block, "Gamma")
        super().add_to(out, block, threads)


@dataclass(frozen=True, eq=False)
class GammaDensity(_PositiveDensity):
    """(k − 1) log x − βx + k log β − log Γ(k)"""

    shape: FloatArray
    rate: FloatArray

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        k, b = self.shape[klass], self.rate[klass]
        return np.asarray((k - 1) * np.log(x) - b * x + k * np.log(b) - special.gammaln(k))

    def turning_points(self, a: int, b: int) -> FloatArray:
        shape, rate = self.shape[[a, b], 0], self.rate[[a, b], 0]
        turns = (shape[0] - shape[1]) / (rate[0] - rate[1]) if rate[0] != rate[1] else 0.0
        return _amounts(turns, MAX_AMOUNT / max(rate.max(), 1.0))

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        constant = self.shape * np.log(self.rate) - special.gammaln(self.shape)
        features = [f for n in names for f in (f"1[{n}]", str(n), f"log {n}")]
        beta = np.stack([constant, -self.rate, self.shape - 1], axis=2)
        return features, beta.reshape(len(beta), -1)

    def linear_features(self, block: Numbers) -> FloatArray:
        x, log_x = block.dense.astype(np.float64), logarithms(block, "Gamma").dense
        phi = np.stack([~np.isnan(x), np.nan_to_num(x), np.nan_to_num(log_x)], axis=2)
        return phi.reshape(len(phi), -1)

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        pairs = zip(self.shape[klass], self.rate[klass], strict=True)
        return [rng.gamma(k, 1 / b, n) for k, b in pairs]


@dataclass(frozen=True, eq=False)
class BetaPrime(_PositiveDensity):
    """The rate ~ Gamma(a, b) integrated out, at a given shape k."""

    shape: FloatArray
    a: FloatArray
    b: FloatArray

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        k, a, b = self.shape[klass], self.a[klass], self.b[klass]
        return np.asarray((k - 1) * np.log(x) - k * np.log(b) - (a + k) * np.log1p(x / b) - special.betaln(a, k))

    def turning_points(self, a: int, b: int) -> FloatArray:
        (k, k2), (n, n2), (unit, unit2) = self.shape[[a, b], 0], self.a[[a, b], 0], self.b[[a, b], 0]
        ratio, more = unit2 / unit, k - k2
        roots = np.roots([n2 - n, more * (1 + ratio) - (n + k) * ratio + n2 + k2, more * ratio])
        return _amounts(unit * roots.real, MAX_AMOUNT * min(unit, unit2, 1.0))

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        triples = zip(self.shape[klass], self.a[klass], self.b[klass], strict=True)
        return [rng.gamma(k, 1.0, n) / rng.gamma(a, 1 / b, n) for k, a, b in triples]


def _amounts(turns: FloatArray | float, most: float) -> FloatArray:
    """TurningPointDensity points that are amounts, between the smallest and the largest."""
    least = float(np.finfo(float).tiny)
    return np.unique(np.clip(np.append(turns, [least, most]), least, most))
