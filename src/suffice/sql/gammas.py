"""Densities of counts and amounts with gamma functions."""

from collections.abc import Sequence

import numpy as np
from scipy import special

from suffice.columns.kinds import Name
from suffice.families.exponential import Lomax
from suffice.families.gamma import BetaPrime, GammaDensity
from suffice.families.multinomial import DirichletMultinomialDensity
from suffice.families.poisson import NegativeBinomial, PoissonDensity
from suffice.sql.cells import CellSteps
from suffice.sql.expressions import literal, total
from suffice.sql.forms import linear
from suffice.sql.log_densities import log_densities, sum_over_cells


@log_densities.register
def _(density: PoissonDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    scores = linear(density, names, cells)
    factorials = [f"COALESCE({cells.dialect.log_gamma(f'({cells.number(n)} + 1e0)')}, 0e0)" for n in names]
    return [f"({score} - {total(factorials)})" for score in scores]


@log_densities.register
def _(density: GammaDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    constant = density.shape * np.log(density.rate) - special.gammaln(density.shape)
    terms = []
    for j, x in enumerate(map(cells.number, names)):
        each = zip(constant[:, j], density.shape[:, j] - 1, density.rate[:, j], strict=True)
        terms.append([f"({literal(a)} + {literal(k)} * ln({x}) - {literal(b)} * {x})" for a, k, b in each])
    return sum_over_cells(density, terms)


@log_densities.register
def _(density: BetaPrime, names: Sequence[Name], cells: CellSteps) -> list[str]:
    constant = -density.shape * np.log(density.b) - special.betaln(density.a, density.shape)
    terms = []
    for j, x in enumerate(map(cells.number, names)):
        each = zip(constant[:, j], density.shape[:, j], density.a[:, j], density.b[:, j], strict=True)
        terms.append([
            f"({literal(c)} + {literal(k - 1)} * ln({x}) - {literal(a + k)} * ln(1e0 + {x} / {literal(b)}))"
            for c, k, a, b in each
        ])  # fmt: skip
    return sum_over_cells(density, terms)


@log_densities.register
def _(density: Lomax, names: Sequence[Name], cells: CellSteps) -> list[str]:
    terms = []
    for j, x in enumerate(map(cells.number, names)):
        each = zip(density.shape[:, j], density.scale[:, j], strict=True)
        terms.append([
            f"({literal(np.log(a) + a * np.log(b))} - {literal(a + 1)} * ln({x} + {literal(b)}))" for a, b in each
        ])  # fmt: skip
    return sum_over_cells(density, terms)


@log_densities.register
def _(density: NegativeBinomial, names: Sequence[Name], cells: CellSteps) -> list[str]:
    log_gamma = cells.dialect.log_gamma
    terms = []
    for j, x in enumerate(map(cells.number, names)):
        factorial = log_gamma(f"({x} + 1e0)")
        column = []
        for r, b in zip(density.shape[:, j], density.rows[:, j], strict=True):
            constant = r * np.log(b / (b + 1)) - special.gammaln(r)
            rest = f"{literal(constant)} - {literal(np.log(b + 1))} * {x} - {factorial}"
            column.append(f"({log_gamma(f'({x} + {literal(r)})')} + {rest})")
        terms.append(column)
    return sum_over_cells(density, terms)


@log_densities.register
def _(density: DirichletMultinomialDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    log_gamma, xs = cells.dialect.log_gamma, [cells.number(name) for name in names]
    words = total([f"COALESCE({x}, 0e0)" for x in xs])
    terms = [
        [
            f"({log_gamma(f'({x} + {literal(a)})')} - {literal(special.gammaln(a))})"
            for a in np.maximum(density.a[:, j], 1e-300)
        ]
        for j, x in enumerate(xs)
    ]
    sums = np.maximum(density.a, 1e-300).sum(axis=1)
    return [
        f"({score} + {literal(special.gammaln(a))} - {log_gamma(f'({words} + {literal(a)})')})"
        for score, a in zip(sum_over_cells(density, terms), sums, strict=True)
    ]
