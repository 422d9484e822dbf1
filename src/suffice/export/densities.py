"""Densities of blocks as terms of the scoring form. Terms equal for all classes are dropped."""

from collections.abc import Sequence
from functools import singledispatch

import numpy as np
from scipy import special

from suffice.columns.blocks import BlockData, starts
from suffice.columns.kinds import Name
from suffice.export import form
from suffice.export.correlated import correlated_term
from suffice.export.form import Term
from suffice.export.inputs import Inputs
from suffice.families import forms
from suffice.families.base import AnyDensities, WeightedDensity
from suffice.families.count_table import CountTableDensity
from suffice.families.exponential import ExponentialDensity, Lomax
from suffice.families.gamma import BetaPrime, GammaDensity
from suffice.families.histogram import Bins
from suffice.families.log_normal import LogNormalDensity
from suffice.families.multinomial import DirichletMultinomialDensity
from suffice.families.multivariate_normal import NormalDensities
from suffice.families.one_dependence.tan import TANDensity
from suffice.families.poisson import NegativeBinomial, PoissonDensity
from suffice.families.pooled_categorical import PooledTable
from suffice.numerics.arrays import CodeArray, FloatArray


@singledispatch
def density_terms(density: AnyDensities, names: Sequence[Name], inputs: Inputs) -> list[Term] | None:
    """The terms of log p(cells of these columns | class); None if the density has no such form."""
    return None


@density_terms.register(WeightedDensity)
def _(density: WeightedDensity[BlockData], names: Sequence[Name], inputs: Inputs) -> list[Term] | None:
    if not density.weight:  # zero times −∞ is zero
        return []
    terms = density_terms(density.density, names, inputs)
    return None if terms is None else [form.with_weight(term, density.weight) for term in terms]


# — numbers —


@density_terms.register
def _(density: forms.LinearDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    at = inputs.numbers(names, "amounts" if isinstance(density, (PoissonDensity, ExponentialDensity)) else "numbers")
    return [form.Linear(columns=at, constant=density.constant, slope=density.slope)]


@density_terms.register
def _(density: forms.StepDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    just_above = np.array([np.nextafter(density.threshold, np.inf)])
    return [
        form.CodeTable(
            coding=inputs.cuts(name, just_above), values=np.stack([density.below[:, j], density.above[:, j]])
        )
        for j, name in enumerate(names)
    ]


@density_terms.register
def _(density: forms.QuadraticDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    return [_symmetric(density, inputs.numbers(names))]


@density_terms.register
def _(density: forms.StudentDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    return [_symmetric(density, inputs.numbers(names))]


@density_terms.register
def _(density: LogNormalDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    assert isinstance(density.of_log, (forms.QuadraticDensity, forms.StudentDensity))
    return [_symmetric(density.of_log, inputs.numbers(names, "positive"), of_log=True)]


def _symmetric(density: forms.QuadraticDensity | forms.StudentDensity, at: CodeArray, *, of_log: bool = False) -> Term:
    constant, centre, curvature = density.constant, density.centre, density.curvature
    if isinstance(density, forms.StudentDensity):
        return form.Student(
            columns=at, constant=constant, centre=centre, curvature=curvature, power=density.power, of_log=of_log
        )
    return form.Quadratic(columns=at, constant=constant, centre=centre, curvature=curvature, of_log=of_log)


@density_terms.register
def _(density: Bins, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    tables = (density.table[:, a:b] for a, b in zip(density.start, density.start[1:], strict=False))
    return [
        form.CodeTable(coding=inputs.cuts(name, cuts), values=table.T)
        for name, cuts, table in zip(names, density.cuts, tables, strict=True)
        if table.shape[1]
    ]


@density_terms.register
def _(density: CountTableDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    inputs.numbers(names, "counts")
    cuts = np.arange(1.0, density.size)
    return [
        form.CodeTable(coding=inputs.cuts(name, cuts), values=density.log_theta[:, j].T) for j, name in enumerate(names)
    ]


# — amounts and counts —


@density_terms.register
def _(density: GammaDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    constant = density.shape * np.log(density.rate) - special.gammaln(density.shape)
    return [_amounts(inputs.numbers(names, "positive"), constant, density.shape - 1, slope=-density.rate)]


@density_terms.register
def _(density: BetaPrime, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    k, a, b = density.shape, density.a, density.b
    constant = -k * np.log(b) - special.betaln(a, k)
    return [_amounts(inputs.numbers(names, "positive"), constant, k - 1, tail=a + k, scale=b)]


@density_terms.register
def _(density: Lomax, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    a, b = density.shape, density.scale
    return [_amounts(inputs.numbers(names, "amounts"), np.log(a) - np.log(b), np.zeros_like(a), tail=a + 1, scale=b)]


def _amounts(
    at: CodeArray, constant: FloatArray, log_slope: FloatArray, slope: FloatArray | None = None,
    tail: FloatArray | None = None, scale: FloatArray | None = None,
) -> Term:  # fmt: skip
    nothing, ones = np.zeros_like(constant), np.ones_like(constant)
    return form.Amounts(
        columns=at,
        constant=constant,
        log_slope=log_slope,
        slope=nothing if slope is None else slope,
        tail=nothing if tail is None else tail,
        scale=ones if scale is None else scale,
    )


@density_terms.register
def _(density: NegativeBinomial, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    r, b = density.shape, density.rows
    constant = r * np.log(b / (b + 1)) - special.gammaln(r)
    return [form.LogGamma(columns=inputs.numbers(names, "amounts"), constant=constant, slope=-np.log(b + 1), shape=r)]


@density_terms.register
def _(density: DirichletMultinomialDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    at, a = inputs.numbers(names), np.maximum(density.a, 1e-300)
    total = a.sum(axis=1)
    return [
        form.LogGamma(columns=at, constant=-special.gammaln(a), slope=np.zeros_like(a), shape=a),
        form.LogGammaOfSum(columns=at, constant=special.gammaln(total), shape=total),
    ]


# — levels —


@density_terms.register
def _(density: forms.LevelTable, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    return _tables(density, names, inputs)


def _tables(density: forms.LevelTable, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    start = starts(density.levels)
    return [
        form.CodeTable(
            coding=inputs.level_codes(
                name, levels, range(len(levels)), takes="ordinals" if density.numbered else "levels"
            ),
            values=density.table[:, start[j] : start[j + 1]].T,
        )
        for j, (name, levels) in enumerate(zip(names, density.levels, strict=True))
    ]


@density_terms.register
def _(density: PooledTable, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    terms: list[Term] = list(_tables(density, names, inputs))
    for name, prefixes in zip(names, density.prefixes, strict=True):
        if prefixes:
            coding = inputs.prefixes(name, tuple(p.length for p in prefixes), tuple(p.spelled for p in prefixes))
            terms.append(form.CodeTable(coding=coding, values=np.concatenate([p.table for p in prefixes], axis=1).T))
    return terms


@density_terms.register
def _(density: TANDensity, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    start = starts(density.levels)
    terms: list[Term] = []
    for j, parent in enumerate(density.parents.tolist()):
        levels = density.levels[j]
        child = inputs.level_codes(names[j], levels, range(len(levels)))
        given = density.log_given[:, start[j] : start[j + 1]]  # (parents' levels and none, levels, classes)
        if parent < 0:
            terms.append(form.CodeTable(coding=child, values=given[-1]))
            continue
        above = density.levels[parent]
        none = len(above)
        left = inputs.level_codes(names[parent], above, range(none), none, none)
        tables = np.concatenate([given[start[parent] : start[parent + 1]], given[-1:]])
        terms.append(
            form.PairTable(
                left=left,
                right=child,
                left_steps=np.arange(none + 1, dtype=np.int32) * len(levels),
                right_steps=np.arange(len(levels), dtype=np.int32),
                values=tables.reshape(-1, density.n_classes),
            )
        )
    return terms


@density_terms.register
def _(density: NormalDensities, names: Sequence[Name], inputs: Inputs) -> list[Term]:
    return [correlated_term(density, names, inputs)]
