"""Gaussian columns, with the normal-inverse-χ² prior."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import ParameterError
from suffice.families.base import Rule
from suffice.families.by_column import ByColumn
from suffice.families.forms import QuadraticDensity, StudentDensity
from suffice.families.given_parameters import ROWS, ByClass, GivenParameters, by_class, check_within, rows_of
from suffice.families.settings import number
from suffice.families.support import check_finite, refuse_vanishing
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.statistics import Moments

_TINY = float(np.finfo(np.float64).tiny)  # the largest precision is finite


@dataclass(frozen=True)
class Gaussian(ByColumn[Moments]):
    """x ~ N(μ, σ²), column by column.

    The prior has the weight of ``mean_weight`` rows at ``mean`` and ``variance_weight`` rows with squared deviation
    ``variance`` (a normal-inverse-χ² with κ₀ = mean_weight, ν₀ = variance_weight + 2, ν₀σ₀² = variance_weight · variance),
    by default one row at the mean and variance of the column over all classes, so that it does not depend on units. With n
    rows of mean m and variance estimates from them:

    - ``mle``: m and M2 / n
    - ``mean``: μ = (κ₀ μ₀ + n m) / (κ₀ + n), σ² = (variance_weight · variance + M2 + shift) / (variance_weight + n)
    - ``map``: the same μ, the same numerator over (variance_weight + n + 5)
    - ``predictive``: Student t with ν₀ + n degrees of freedom

    No variance falls below ``floor`` times the variance of the whole column, and a column that is constant over all
    classes scores 0.

    Parameters
    ----------
    mean : float or None, default=None
        Prior mean; ``None`` is the mean of the column over all classes.
    mean_weight : float, default=1.0
        Rows that the prior mean counts for.
    variance : float or None, default=None
        Prior variance; ``None`` is the variance of the column over all classes.
    variance_weight : float, default=1.0
        Rows that the prior variance counts for.
    floor : float, default=1e-9
        Lower bound of a variance, relative to that of the whole column.

    Examples
    --------
    >>> from suffice import BayesClassifier, Gaussian
    >>> model = BayesClassifier(Gaussian(), estimate="mle").fit([[1.0], [3.0], [10.0], [14.0]], ["a", "a", "b", "b"])
    >>> model.predict([[4.0]])
    array(['a'], dtype='<U1')
    """

    mean: float | None = None
    mean_weight: float = 1.0
    variance: float | None = None
    variance_weight: float = 1.0
    floor: float = 1e-9

    def __post_init__(self) -> None:
        for name in ("mean_weight", "variance_weight", "floor"):
            number("Gaussian", name, getattr(self, name))
        number("Gaussian", "mean", self.mean, least=-1e150, most=1e150, optional=True)
        number("Gaussian", "variance", self.variance, least=1e-300, optional=True)

    @classmethod
    def given(cls, mean: ByClass, sd: ByClass) -> GivenParameters[Numbers, Moments]:
        """A column of N(mean, sd²); each a mapping from class, or one number for all classes.

        >>> from suffice import BayesClassifier
        >>> ill = Gaussian.given(mean={"healthy": 25, "ill": 50}, sd={"healthy": 10, "ill": 10})
        >>> model = BayesClassifier.from_densities({"blood": ill}, prior={"healthy": 0.8, "ill": 0.2})
        >>> model.predict_proba({"blood": [37.5]}).round(6).tolist()
        [[0.8, 0.2]]
        """
        classes, (centre, spread) = by_class("Gaussian", mean=mean, sd=sd)
        check_within("Gaussian", "sd", spread, 0)
        return GivenParameters(
            cls(), classes, Moments.of(rows_of(classes), centre[:, None], ROWS * spread[:, None] ** 2)
        )

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> Moments:
        n, mean, m2 = kernels.moments(block.dense, y.codes, y.n_classes, y.weight, threads)
        check_finite(block, m2, "Gaussian")
        return Moments.of(n, mean, m2)

    def check(self, statistic: Moments, columns: Sequence[Name], classes: Sequence[Label]) -> None:
        refuse_vanishing(statistic.weight > 0, statistic.mean, statistic.pooled().m2[0], columns, "Gaussian")

    def from_statistics(self, statistic: Moments, pooled: Moments, rule: Rule) -> "Normal | StudentT":
        spread = _spread(pooled)
        # a column that is constant up to rounding cannot separate classes
        constant = spread <= (1e-14 * np.abs(pooled.mean)) ** 2
        if rule == "mle":
            empty = statistic.weight <= 0  # a class without cells of the column gets the pooled estimate
            n = np.where(empty, pooled.weight, statistic.weight)
            mean = np.where(empty, pooled.mean, statistic.mean)
            variance = np.where(empty, pooled.m2, statistic.m2) / np.maximum(n, 1e-300)
            return normal(mean, np.maximum(variance, self.floor * spread), constant)
        constant = constant & (self.variance is None)
        kappa, rows = self.mean_weight + statistic.weight, self.variance_weight + statistic.weight
        mean, squares = self._updated(statistic, pooled)
        lowest = self.floor * spread
        if rule == "predictive":
            dof = rows + 2
            scale2 = np.maximum(squares / dof, lowest) * (1 + 1 / np.maximum(kappa, 1e-12))
            return student_t(mean, scale2, dof, constant)
        # mode of p(μ, σ²) ∝ (σ²)^-(ν/2 + 3/2) …, with ν = rows + 2
        divisor = rows + 5 if rule == "map" else np.maximum(rows, 1e-12)
        return normal(mean, np.maximum(np.where(rows > 0, squares / divisor, spread), lowest), constant)

    def _variance0(self, pooled: Moments) -> FloatArray:
        spread = _spread(pooled)
        return spread if self.variance is None else np.full_like(spread, self.variance)

    def _updated(self, statistic: Moments, pooled: Moments) -> tuple[FloatArray, FloatArray]:
        """Posterior mean and sum of squared deviations: of the prior's rows and the counted rows."""
        mean0 = pooled.mean if self.mean is None else np.full_like(pooled.mean, self.mean)
        n = statistic.weight
        kappa = self.mean_weight + n
        delta = statistic.mean - mean0
        share = np.divide(n, kappa, out=np.zeros_like(n), where=kappa > 0)
        shift = np.where(n > 0, self.mean_weight * share * delta**2, 0.0)
        squares = self.variance_weight * self._variance0(pooled) + statistic.m2 + shift
        return np.where(n > 0, mean0 + share * delta, mean0), squares

    def log_evidence(self, statistic: Moments) -> FloatArray:
        if self.mean_weight == 0 or self.variance_weight == 0:
            raise ParameterError(
                f"The prior of {self} has no weight", "a marginal likelihood needs mean_weight and variance_weight > 0"
            )
        pooled, n = statistic.pooled(), statistic.weight
        before = self.variance_weight * self._variance0(pooled)
        silent = before <= 0  # a constant column scores 0
        _, after = self._updated(statistic, pooled)
        nu = self.variance_weight + 2
        each = (
            special.gammaln((nu + n) / 2)
            - special.gammaln(nu / 2)
            + 0.5 * np.log(self.mean_weight / (self.mean_weight + n))
            + 0.5 * nu * np.log(np.where(silent, 1.0, before))
            - 0.5 * (nu + n) * np.log(np.where(silent, 1.0, after))
            - 0.5 * n * np.log(np.pi)
        )
        return np.asarray(np.where(silent, 0.0, each).sum(axis=0))


def _spread(pooled: Moments) -> FloatArray:
    """The variance of all classes together."""
    return np.divide(pooled.m2, pooled.weight, out=np.zeros_like(pooled.m2), where=pooled.weight > 0)


def normal(mean: FloatArray, variance: FloatArray, silent: AnyArray) -> "Normal":
    """The density of N(mean, variance); ``silent`` columns have log density 0."""
    mean, variance, silent = np.broadcast_arrays(mean, variance, silent)
    safe = np.where(silent, 1.0, np.maximum(variance, _TINY))
    return Normal(
        constant=np.where(silent, 0.0, -0.5 * np.log(2 * np.pi * safe)),
        centre=np.array(mean),
        curvature=np.where(silent, 0.0, 0.5 / safe),
    )


def student_t(mean: FloatArray, scale2: FloatArray, dof: FloatArray, silent: AnyArray) -> "StudentT":
    """The density of Student's t."""
    # computed before broadcasting: degrees of freedom are few
    factor = special.gammaln((dof + 1) / 2) - special.gammaln(dof / 2)
    mean, scale2, dof, silent = np.broadcast_arrays(mean, scale2, dof, silent)
    safe = np.where(silent, 1.0, np.maximum(scale2, _TINY))
    constant = factor - 0.5 * np.log(dof * np.pi * safe)
    return StudentT(
        constant=np.where(silent, 0.0, constant),
        centre=np.array(mean),
        curvature=np.where(silent, 0.0, 1 / (dof * safe)),
        power=np.where(silent, 0.0, (dof + 1) / 2),
    )


@dataclass(frozen=True, eq=False)
class Normal(QuadraticDensity):
    """N(centre, 1 / (2 curvature)), curvature 0 standing for a column that is constant."""

    @property
    def variance(self) -> FloatArray:
        return np.divide(0.5, self.curvature, out=np.zeros_like(self.curvature), where=self.curvature > 0)

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        deviation = np.sqrt(self.variance[klass])
        return [rng.normal(m, s, n) for m, s in zip(self.centre[klass], deviation, strict=True)]


@dataclass(frozen=True, eq=False)
class StudentT(StudentDensity):
    """Student t with 2 · power − 1 degrees of freedom."""

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        draws: list[AnyArray] = []
        for m, q, p in zip(self.centre[klass], self.curvature[klass], self.power[klass], strict=True):
            dof = 2 * p - 1
            draws.append(m + rng.standard_t(dof, n) / np.sqrt(q * dof) if q > 0 else np.full(n, m))
        return draws
