"""Counts, with the Gamma prior on their rate."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
from scipy import special

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.families import pseudo_counts as pseudo
from suffice.families.base import Rule
from suffice.families.by_column import ByColumn
from suffice.families.forms import CellwiseDensity, LinearDensity, NumberDensity
from suffice.families.given_parameters import ROWS, ByClass, GivenParameters, by_class, check_within, rows_of
from suffice.families.settings import number
from suffice.families.sparse_rows import needs_every_cell, observe_parts
from suffice.families.support import check_amounts, check_finite, refuse_below, smallest, stored
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray, SparseRows
from suffice.numerics.monotone_roots import monotone_roots
from suffice.statistics import Sums

_MAX_COUNT = 2.0**31  # up to which two classes are compared


@dataclass(frozen=True)
class Poisson(ByColumn[Sums]):
    """x ~ Poisson(λ), column by column.

    The prior is Gamma(``shape``, ``rate``): ``shape`` events in ``rate`` rows; by default one row at the mean of the column
    over all classes (with half an event and one row added, so that it is positive). With total s in n rows: ``mle``
    s / n, ``mean`` (shape + s) / (rate + n), ``map`` (shape + s − 1)⁺ / (rate + n), ``predictive`` the negative binomial
    with shape + s failures.

    Parameters
    ----------
    shape : float or None, default=None
        Events of the prior; ``None`` is ``rate`` rows at the column's mean over all classes.
    rate : float, default=1.0
        Rows in which they occurred.

    Examples
    --------
    >>> Poisson(shape=2.0, rate=1.0).rate
    1.0
    """

    shape: float | None = None
    rate: float = 1.0

    takes_sparse: ClassVar[bool] = True
    transforms: ClassVar[bool] = True

    def __post_init__(self) -> None:
        number("Poisson", "shape", self.shape, optional=True)
        number("Poisson", "rate", self.rate)

    @classmethod
    def given(cls, rate: ByClass) -> GivenParameters[Numbers, Sums]:
        """A column of counts of mean ``rate``: a mapping from class."""
        classes, (mean,) = by_class("Poisson", rate=rate)
        check_within("Poisson", "rate", mean, 0)
        return GivenParameters(cls(), classes, Sums(rows_of(classes), ROWS * mean[:, None]))

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> Sums:
        if needs_every_cell(block):
            return observe_parts(self.observe, block, y, threads)
        return count_sums(block, y, threads, "Poisson")

    def from_statistics(self, statistic: Sums, pooled: Sums, rule: Rule) -> NumberDensity:
        n, total = statistic.weight, statistic.total
        if rule == "mle":
            return PoissonDensity.of(np.where(n > 0, total / np.where(n > 0, n, 1.0), _overall_mean(pooled)))
        shape = self._shape(pooled)
        rows = np.maximum(self.rate + n, 1e-12)
        if rule == "predictive":
            shape = np.maximum(shape + total, 1e-12)
            return NegativeBinomial(shape, np.broadcast_to(rows, shape.shape))
        events = np.maximum(shape + total - 1, 0.0) if rule == "map" else shape + total
        return PoissonDensity.of(events / rows)

    def _shape(self, pooled: Sums) -> FloatArray:
        """Events of the prior."""
        overall_mean = _overall_mean(pooled)
        return self.rate * overall_mean if self.shape is None else np.full_like(overall_mean, self.shape)

    def log_evidence(self, statistic: Sums) -> FloatArray:
        """Up to Σ log x!, which does not depend on the prior and is not in the statistic."""
        shape, n, s = np.maximum(self._shape(statistic.pooled()), 1e-12), statistic.weight, statistic.total
        rate = max(self.rate, 1e-12)
        each = (
            shape * np.log(rate) - (shape + s) * np.log(rate + n) + special.gammaln(shape + s) - special.gammaln(shape)
        )
        return np.asarray(each.sum(axis=0))


def _overall_mean(pooled: Sums) -> FloatArray:
    """The overall mean with half an event and one row added, so that it is positive."""
    return np.asarray((pooled.total + 0.5) / (pooled.weight + 1))


def count_sums(block: Numbers, y: ClassCodes, threads: int, family: str) -> Sums:
    """Weights and totals of columns that must not be negative, dense or sparse."""
    if not isinstance(block.values, np.ndarray):
        rows = kernels.class_weights(y.codes, y.n_classes, y.weight, threads)
        total = kernels.sparse_sums(block.values, y.codes, y.n_classes, y.weight, None, threads)
        n, low = np.broadcast_to(rows[:, None], total.shape), smallest(block)
    else:
        n, total, low = kernels.sums(block.values, y.codes, y.n_classes, y.weight, None, threads)
    refuse_below(block, low, 0.0, family)
    check_finite(block, total, family)
    return Sums(n, total)


def with_data(rows: SparseRows, data: AnyArray) -> SparseRows:
    """The same sparsity with other values."""
    return sp.csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def log_factorials(block: Numbers) -> FloatArray:
    """Σ_j log x_j! of every row."""
    if isinstance(block.values, np.ndarray):
        return np.asarray(np.nansum(special.gammaln(block.values.astype(np.float64) + 1), axis=1))
    logs = with_data(block.values, np.nan_to_num(special.gammaln(stored(block).astype(np.float64) + 1)))
    return np.asarray(logs.sum(axis=1), dtype=np.float64).ravel()


@dataclass(frozen=True, eq=False)
class PoissonDensity(LinearDensity):
    """x log λ − λ − log x!"""

    @classmethod
    def of(cls, rate: FloatArray) -> "PoissonDensity":
        return cls(constant=-rate, slope=pseudo.log(rate))

    @property
    def rate(self) -> FloatArray:
        return -self.constant

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        check_amounts(block, "Poisson")
        super().add_to(out, block, threads)
        out -= log_factorials(block)[:, None]

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        return np.asarray(super().cell_log_density(x, klass) - special.gammaln(x + 1))

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        return [rng.poisson(rate, n).astype(np.float64) for rate in self.rate[klass]]


@dataclass(frozen=True, eq=False)
class NegativeBinomial(CellwiseDensity):
    """λ ~ Gamma(shape, rows) integrated out."""

    shape: FloatArray
    rows: FloatArray

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        check_amounts(block, "Poisson")
        if isinstance(block.values, np.ndarray) or needs_every_cell(block):
            super().add_to(out, block, threads)
            return
        # the score of zeros in all cells, then the difference for stored cells
        cells, at = block.values.data.astype(np.float64), block.values.indices
        out += (self.shape * np.log(self.rows / (self.rows + 1))).sum(axis=1) - log_factorials(block)[:, None]
        for c, (r, b) in enumerate(zip(self.shape, self.rows, strict=True)):
            odds = special.gammaln(cells + r[at]) - special.gammaln(r)[at] - cells * np.log(b + 1)[at]
            out[:, c] += np.asarray(with_data(block.values, odds).sum(axis=1)).ravel()

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        r, b = self.shape[klass], self.rows[klass]
        return np.asarray(
            special.gammaln(x + r)
            - special.gammaln(r)
            - special.gammaln(x + 1)
            + r * np.log(b / (b + 1))
            - special.xlogy(x, b + 1)
        )

    def turning_points(self, a: int, b: int) -> FloatArray:
        """The slope ψ(x + r) − ψ(x + s) − log odds is monotone."""
        (r, s), odds = self.shape[[a, b], 0], np.log1p(self.rows[[a, b], 0])
        ends = np.array([0.0, _MAX_COUNT])

        def slope(x: FloatArray) -> tuple[FloatArray, FloatArray]:
            up, down = special.digamma(x + r) - odds[0], special.digamma(x + s) - odds[1]
            return up - down, np.abs(up) + np.abs(down)

        return np.unique(np.append(ends, monotone_roots(slope, ends)))

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        pairs = zip(self.shape[klass], self.rows[klass], strict=True)
        return [rng.poisson(rng.gamma(r, 1 / b, n)).astype(np.float64) for r, b in pairs]
