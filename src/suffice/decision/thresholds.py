"""The numbers of one column at which the most probable class changes, all other columns missing."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.decision.boundaries import boundaries
from suffice.errors import ParameterError
from suffice.families.base import Weighed
from suffice.families.forms import QuadraticDensity
from suffice.families.gaussian import normal
from suffice.families.histogram import Bins
from suffice.families.log_normal import OnLog
from suffice.families.multivariate_normal.normals import NormalDensities
from suffice.model import Model
from suffice.model.cells import cell_values
from suffice.numerics.arrays import FloatArray
from suffice.sources import open_table


@dataclass(frozen=True)
class Threshold:
    """The last number at which one class is the most probable, and the classes below and above."""

    at: float
    below: Label
    above: Label


def thresholds(model: Model, column: Name) -> tuple[Threshold, ...]:
    """Every number of a column at which the most probable class changes, in order, to the last digits.

    Of normals the candidates are the roots of the differences of their log densities, of histograms the edges of all cells
    that were counted, so that no region is too narrow to be found. Other densities (Exponential, Gamma, Student's t) are
    sampled at the nodes of Gauss–Legendre quadrature over the column, 16 a panel; a region between two nodes may be missed.
    """
    values = cell_values(model, column)
    alone = replace(model, marginalise=True)

    def scores(x: Any) -> FloatArray:
        return alone.log_joint(open_table([{column: value} for value in np.asarray(x).tolist()]))

    if values.kind == "levels":
        return _between_counts(model, column, list(values.at), scores(values.at))
    grid = np.array([value for value in values.nodes[0] if np.isfinite(value)])
    grid = np.unique(np.concatenate([grid, _candidates(model, column)]))
    found = boundaries(scores, grid)
    return tuple(Threshold(b.at, model.classes[b.below], model.classes[b.above]) for b in found)


def _between_counts(model: Model, column: Name, values: list[Any], scores: FloatArray) -> tuple[Threshold, ...]:
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        raise ParameterError(
            f"Column {column!r} has levels {values[:3]}",
            "thresholds are numbers",
            "Look at explain or effect for levels",
        )
    order = np.argsort(values)
    best = scores[order].argmax(axis=1)
    return tuple(
        Threshold(float(values[order[i]]), model.classes[best[i]], model.classes[best[i + 1]])
        for i in np.flatnonzero(np.diff(best)).tolist()
    )


def _candidates(model: Model, column: Name) -> FloatArray:
    """Points such that two neighbours, or the points between them, have whatever class wins somewhere."""
    block, density = next((b, d) for b, d in zip(model.blocks, model.densities, strict=True) if column in b.columns)
    j = list(block.columns).index(column)
    weight, plain = (density.weight, density.density) if isinstance(density, Weighed) else (1.0, density)
    if isinstance(plain, Bins):
        edges = np.unique(np.concatenate([plain.cuts[j], plain.grids[j][0], plain.ends[j]]))
        return _around(edges)
    if isinstance(plain, OnLog) and isinstance(plain.of_log, QuadraticDensity):
        with np.errstate(over="ignore"):
            roots = np.exp(_roots(plain.of_log, j, weight, model.log_prior))
        return _around(roots[np.isfinite(roots) & (roots > 0)], positive=True)
    if isinstance(plain, QuadraticDensity):
        return _around(_roots(plain, j, weight, model.log_prior))
    if isinstance(plain, NormalDensities) and plain.dof is None:
        return _around(_roots(_marginal(plain, j), 0, weight, model.log_prior))
    return np.zeros(0)


def _marginal(density: NormalDensities, j: int) -> QuadraticDensity:
    """The normals of one of the columns."""
    variance = np.array([[density.covariance(c).variances[j]] for c in range(density.n_classes)])
    return normal(density.mean[:, j : j + 1], variance, variance <= 0)


def _roots(density: QuadraticDensity, j: int, weight: float, log_prior: FloatArray) -> FloatArray:
    """Where two classes have the same log joint."""
    centre, bend = density.centre[:, j], weight * density.curvature[:, j]
    middle = centre.mean()
    away = centre - middle  # so that squares of far-off centres do not cancel
    with np.errstate(invalid="ignore"):
        terms = np.stack([-bend, 2 * bend * away, weight * density.constant[:, j] - bend * away**2 + log_prior])
    found = [np.zeros(0)]
    for a, b in combinations(range(density.n_classes), 2):
        coefficients = terms[:, a] - terms[:, b]
        if np.isfinite(coefficients).all():
            roots = np.roots(coefficients)
            found.append(roots.real[np.abs(roots.imag) <= 1e-9 * np.abs(roots)] + middle)
    return np.unique(np.concatenate(found))


def _around(points: FloatArray, *, positive: bool = False) -> FloatArray:
    """Points, their neighbours, one between any two, and one far beyond either end."""
    if not len(points):
        return points
    reach = 2 * max(float(np.ptp(points)), float(np.abs(points).max()), 1e-300)
    low = points[0] / 1e6 if positive else points[0] - reach
    out = [points, np.nextafter(points, -np.inf), np.nextafter(points, np.inf), points[1:] / 2 + points[:-1] / 2]
    return np.concatenate([*out, [low, points[-1] + reach]])
