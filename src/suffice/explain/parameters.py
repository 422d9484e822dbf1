"""The parameters of every class and column, with standard errors by the Fisher information of their rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np
from scipy import special

from suffice.columns.blocks import starts
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.families.base import AnyDensities
from suffice.families.bernoulli import BernoulliDensity
from suffice.families.count_table import CountTableDensity
from suffice.families.exponential import ExponentialDensity
from suffice.families.forms import LevelTable
from suffice.families.gamma import GammaDensity
from suffice.families.gaussian import Normal
from suffice.families.histogram import Bins
from suffice.families.log_normal import LogNormalDensity
from suffice.families.multinomial import MultinomialDensity
from suffice.families.multivariate_normal import MultivariateNormal, NormalDensities, pattern
from suffice.families.poisson import PoissonDensity
from suffice.families.pooled_categorical import PooledTable
from suffice.families.text import Text
from suffice.families.text.textbook import WordDensity
from suffice.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.statistics import (
    Counts,
    CountTables,
    LogMoments,
    Moments,
    Scatter,
    Statistic,
    Sums,
    TextCounts,
    WideScatter,
)

_MAX_PAIRED_COLUMNS = 64  # columns: beyond, covariances of pairs that no pattern names are left out


@dataclass(frozen=True)
class Parameter:
    """A parameter of a class: ``error`` is its standard error, NaN if there is none."""

    column: str
    label: Label
    family: str
    name: str
    value: float
    error: float
    rows: float
    """Weight of the class in the column; for words, their count."""


ParameterValues = tuple[int, str, FloatArray, FloatArray, FloatArray]
"""The column, the name of the parameter, and its value, its variance in one row and its rows, a class at a time."""


def parameters(model: Model, names: Sequence[Name] | None = None) -> list[Parameter]:
    """Parameters of every block, class and column, by the model's estimation rule (``mean`` for ``predictive``).

    ``names`` are the column names of a matrix, whose columns are positions in the model.
    """
    plain = model.unweighted
    rule = "mean" if plain.rule == "predictive" else plain.rule
    plain = replace(plain, rule=rule)
    out = []
    for block, density, statistic in zip(plain.blocks, plain.densities, plain.tally.statistics, strict=True):
        family, columns = type(block.family).__name__, [_column_name(name, names) for name in block.columns]
        if isinstance(block.family, Text) and isinstance(density, WordDensity) and isinstance(statistic, TextCounts):
            columns, density, statistic = density.vocabulary.strings(), density.inner, block.family.by_word(statistic)
        if isinstance(block.family, MultivariateNormal) and isinstance(density, NormalDensities):
            known = list(_correlated(block.family, density, statistic))
        else:
            known = list(_found(density, statistic))
        if not known:  # no parameters in closed form: the counts
            n = plain.tally.weight
            known = [(j, "rows", n, np.full(len(n), np.nan), n) for j in range(len(columns))]
        for j, name, value, variance, rows in known:
            with np.errstate(divide="ignore", invalid="ignore"):
                error = np.sqrt(variance / rows)
            out += [
                Parameter(columns[j], label, family, name, float(value[c]), float(error[c]), float(rows[c]))
                for c, label in enumerate(plain.classes)
            ]
    return out


def _column_name(column: Name, names: Sequence[Name] | None) -> str:
    return str(names[column] if names is not None and isinstance(column, int) else column)


@singledispatch
def _found(density: AnyDensities, statistic: Statistic) -> Iterator[ParameterValues]:
    return iter(())


@_found.register
def _(density: Normal, statistic: Statistic) -> Iterator[ParameterValues]:
    yield from _normals(density, statistic, "")


@_found.register
def _(density: LogNormalDensity, statistic: Statistic) -> Iterator[ParameterValues]:
    if isinstance(density.of_log, Normal):
        yield from _normals(density.of_log, statistic, " of log")


def _normals(density: Normal, statistic: Statistic, of: str) -> Iterator[ParameterValues]:
    rows = _rows(statistic, density.centre.shape)
    for j in range(density.centre.shape[1]):
        variance = density.variance[:, j]
        yield j, f"mu{of}", density.centre[:, j], variance, rows[:, j]
        yield j, f"sigma2{of}", variance, 2 * variance**2, rows[:, j]


@_found.register
def _(density: ExponentialDensity, statistic: Statistic) -> Iterator[ParameterValues]:
    rows = _rows(statistic, density.slope.shape)
    for j, rate in enumerate(-density.slope.T):
        yield j, "lambda", rate, rate**2, rows[:, j]


@_found.register
def _(density: PoissonDensity, statistic: Statistic) -> Iterator[ParameterValues]:
    rows = _rows(statistic, density.rate.shape)
    for j, rate in enumerate(density.rate.T):
        yield j, "lambda", rate, rate, rows[:, j]


@_found.register
def _(density: GammaDensity, statistic: Statistic) -> Iterator[ParameterValues]:
    """The information is [[ψ′(k), −1/β], [−1/β, k/β²]]."""
    rows = _rows(statistic, density.shape.shape)
    for j, (k, rate) in enumerate(zip(density.shape.T, density.rate.T, strict=True)):
        trigamma = special.polygamma(1, k)
        det = trigamma * k - 1
        yield j, "shape", k, k / det, rows[:, j]
        yield j, "rate", rate, trigamma * rate**2 / det, rows[:, j]


@_found.register
def _(density: BernoulliDensity, statistic: Statistic) -> Iterator[ParameterValues]:
    rows = _rows(statistic, density.above.shape)
    for j, theta in enumerate(np.exp(density.above.T)):
        yield j, "theta", *_share(theta), rows[:, j]


@_found.register
def _(density: MultinomialDensity, statistic: Statistic) -> Iterator[ParameterValues]:
    if not np.allclose(np.exp(density.slope).sum(axis=1), 1):  # of the other classes, as in Complement
        return
    assert isinstance(statistic, Sums)
    words = statistic.total.sum(axis=1)
    for j, theta in enumerate(np.exp(density.slope.T)):
        yield j, "theta", *_share(theta), words


@_found.register
def _(density: CountTableDensity, statistic: Statistic) -> Iterator[ParameterValues]:
    assert isinstance(statistic, CountTables)
    rows = statistic.table.sum(axis=2)
    for j in range(density.columns):
        for k in range(density.size):
            name = f"theta[{k}{'+' if k == density.size - 1 else ''}]"
            yield j, name, *_share(np.exp(density.log_theta[:, j, k])), rows[:, j]


@_found.register
def _(density: LevelTable, statistic: Statistic) -> Iterator[ParameterValues]:
    start = starts(density.levels)
    with_mass = density.table + density.log_mass if isinstance(density, PooledTable) else density.table
    assert isinstance(statistic, Counts)
    table = statistic.over(density.levels)
    for j, levels in enumerate(density.levels):
        rows = table[:, start[j] : start[j + 1]].sum(axis=1)
        for k, level in enumerate(levels):
            yield j, f"theta[{level}]", *_share(np.exp(with_mass[:, start[j] + k])), rows


@_found.register
def _(density: Bins, statistic: Statistic) -> Iterator[ParameterValues]:
    for j, (column, cuts) in enumerate(zip(density.columns, density.cuts, strict=True)):
        counts = column.counts
        ends = [-np.inf, *cuts, np.inf]
        ratio = np.exp(density.table[:, density.start[j] : density.start[j + 1]])
        mass = ratio * counts.sum(axis=0) / max(counts.sum(), 1e-300)
        for k in range(counts.shape[1]):
            name = f"p[{ends[k]:g}, {ends[k + 1]:g})"
            yield j, name, *_share(mass[:, k]), counts.sum(axis=1)


def _correlated(
    family: MultivariateNormal, density: NormalDensities, statistic: Statistic
) -> Iterator[ParameterValues]:
    """The error of a covariance is √((Σ_ii Σ_jj + Σ_ij²) / n) where all covariances are free; one variance of d columns has d
    squares a row."""
    d, n = density.mean.shape[1], _weight(statistic)
    covariances = [density.covariance(c) for c in range(density.n_classes)]
    variances = np.stack([covariance.variances for covariance in covariances])
    for j in range(d):
        yield j, "mu", density.mean[:, j], variances[:, j], n
    shared = np.full(density.n_classes, n.sum()) if len(density.covariances) == 1 else n
    entries = family.free_entries(d, most=_MAX_PAIRED_COLUMNS)
    rows = {i: np.stack([covariance.row(i) for covariance in covariances]) for i, _ in entries}
    values = np.stack([rows[i][:, j] for i, j in entries], axis=1)
    if family.pattern is not None:
        spread = np.stack([pattern.entry_variances(covariance.full(), entries) for covariance in covariances])
    else:
        spread = np.stack([variances[:, i] * variances[:, j] for i, j in entries], axis=1) + values**2
    if "spherical" in family.covariance:
        spread /= np.maximum(np.count_nonzero(variances, axis=1), 1)[:, None]
    for k, (i, j) in enumerate(entries):
        name = "sigma2" if i == j else f"covariance with column {j + 1} of the block"
        yield i, name, values[:, k], spread[:, k], shared


def _share(theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    return theta, theta * (1 - theta)


def _weight(statistic: Statistic) -> FloatArray:
    """The weight of the rows of each class, or of its cells in each column."""
    assert isinstance(statistic, (Moments, Sums, LogMoments, Scatter, WideScatter))
    return statistic.weight


def _rows(statistic: Statistic, shape: tuple[int, ...]) -> FloatArray:
    weight = _weight(statistic)
    return np.broadcast_to(weight if weight.ndim == 2 else weight[:, None], shape)
