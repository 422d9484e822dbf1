"""Correlated columns: the Mahalanobis distance of the present cells."""

from collections.abc import Sequence
from itertools import product as combinations

import numpy as np
from scipy import special

from suffice.columns.kinds import Name
from suffice.families.multivariate_normal import NormalDensities
from suffice.numerics.arrays import AnyArray
from suffice.sql.cells import CellSteps
from suffice.sql.expressions import literal, total, weighted_total
from suffice.sql.log_densities import log_densities

_MAX_MARGINALISED = 5  # columns for which every pattern of missing cells is marginalised


@log_densities.register
def _(density: NormalDensities, names: Sequence[Name], cells: CellSteps) -> list[str]:
    xs = [cells.number(name) for name in names]
    if len(xs) > _MAX_MARGINALISED:  # a row with a missing cell scores NULL
        return log_normals(density, xs)
    patterns = [np.flatnonzero(p) for p in combinations([False, True], repeat=len(xs))]
    tests = [" AND ".join(f"{x} IS {'NOT ' if j in p else ''}NULL" for j, x in enumerate(xs)) for p in patterns]
    return [
        "CASE " + " ".join(f"WHEN {t} THEN {_normal(density, c, p, xs)}" for t, p in zip(tests, patterns, strict=True)) + " END"
        for c in range(density.n_classes)
    ]  # fmt: skip


def log_normals(density: NormalDensities, xs: Sequence[str]) -> list[str]:
    """Log densities of complete rows."""
    return [_normal(density, c, np.arange(len(xs)), xs) for c in range(density.n_classes)]


def linear_odds(density: NormalDensities, xs: Sequence[str]) -> list[str]:
    """``log_normals`` with a shared covariance, up to a constant per row."""
    centre, slopes, constants = density.linear_odds
    offsets = constants - slopes @ centre
    return [f"({literal(b)} + {weighted_total(slope, xs)})" for b, slope in zip(offsets, slopes, strict=True)]


def _normal(density: NormalDensities, klass: int, columns: AnyArray, xs: Sequence[str]) -> str:
    """The log density of the present columns."""
    if not len(columns):
        return "0e0"
    covariance = density.covariance(klass).columns(columns)
    deviations = [f"({xs[j]} - {literal(density.mean[klass, j])})" for j in columns]
    axes = covariance.whitened(np.eye(len(columns))).T
    components = [weighted_total(axis, deviations) for axis in axes]
    distance = total([f"({a}) * ({a})" for a in components])
    size = covariance.rank
    if density.dof is None:
        return f"({literal(-0.5 * (size * np.log(2 * np.pi) + covariance.log_det))} - 0.5e0 * ({distance}))"
    v = float(density.dof[klass])
    constant = (
        special.gammaln((v + size) / 2) - special.gammaln(v / 2) - 0.5 * (size * np.log(v * np.pi) + covariance.log_det)
    )
    return f"({literal(constant)} - {literal(0.5 * (v + size))} * ln(1e0 + ({distance}) / {literal(v)}))"
