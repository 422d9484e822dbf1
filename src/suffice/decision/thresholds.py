"""The numbers of one column at which the most probable class changes, all other columns missing."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.decision.boundaries import boundaries
from suffice.errors import ParameterError
from suffice.families.base import AnyDensities, WeightedDensity
from suffice.families.forms import CrossingDensity
from suffice.families.gaussian import Normal, StudentT, normal, student_t
from suffice.families.histogram import Bins
from suffice.families.multivariate_normal.normals import NormalDensities
from suffice.model import Model
from suffice.model.cells import cell_values
from suffice.numerics.arrays import FloatArray
from suffice.sources import open_table

_COUNTS = 2.0**53  # integers up to which all are exact doubles
_ROUNDING = 32 * float(np.finfo(float).eps)  # relative distance below which two crossings are one


@dataclass(frozen=True)
class Threshold:
    """The last number before the most probable class changes, and the classes below and above."""

    at: float
    below: Label
    above: Label


def thresholds(model: Model, column: Name) -> tuple[Threshold, ...]:
    """Every number of a column at which the most probable class changes, in order, to the last digits.

    Two classes of a textbook family are as probable at the roots of the difference of their log densities. Those are known
    in closed form (normals, exponentials, Poisson counts), or one lies between two turning points of the difference at most
    (Gamma, Student's t, what else has parameters integrated out). Bins change at their edges. So no region is too narrow
    to be found. Where weights are fitted, scores are compared at every edge of the cells that were counted and between
    any two of them; a region within one cell may be missed.
    """
    values = cell_values(model, column)
    alone = replace(model, marginalise=True)

    def scores(x: Any) -> FloatArray:
        return alone.log_joint(open_table([{column: value} for value in np.asarray(x).tolist()]))

    crossings = _crossings(model, column, lambda: alone.log_joint(open_table([{column: None}]))[0])
    if values.kind == "levels":
        at = values.at if crossings is None else _whole_numbers(crossings)
        return _between_counts(model, column, list(at), scores(at))
    points = _around(_edges(model, column)) if crossings is None else _between(crossings, positive=values.positive)
    found = boundaries(scores, points) if len(points) else ()
    return tuple(Threshold(b.at, model.classes[b.below], model.classes[b.above]) for b in found)


def _between_counts(model: Model, column: Name, values: list[Any], scores: FloatArray) -> tuple[Threshold, ...]:
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        raise ParameterError(
            f"Column {column!r} has levels {values[:3]}",
            "thresholds are numbers",
            "Use explain or effect for levels",
        )
    order = np.argsort(values)
    best = scores[order].argmax(axis=1)
    return tuple(
        Threshold(float(values[order[i]]), model.classes[best[i]], model.classes[best[i + 1]])
        for i in np.flatnonzero(np.diff(best)).tolist()
    )


def _crossings(model: Model, column: Name, offset: Callable[[], FloatArray]) -> FloatArray | None:
    """The points of equal probability of any two classes; None for columns of bins and of levels.

    ``offset`` is the score of a row without the column in each class.
    """
    density, j = _density(model, column)
    weight, plain = (density.weight, density.density) if isinstance(density, WeightedDensity) else (1.0, density)
    one = _marginal(plain, j) if isinstance(plain, NormalDensities) else plain
    if not isinstance(one, CrossingDensity):
        return None
    one, level = one.column(0 if one is not plain else j), offset()
    found = [np.zeros(0)]
    for a, b in combinations(np.flatnonzero(np.isfinite(level)).tolist(), 2):
        if weight > 0:
            found.append(one.crossings(a, b, float(level[a] - level[b]) / weight))
    return np.unique(np.concatenate(found))


def _density(model: Model, column: Name) -> tuple[AnyDensities, int]:
    """The density of the block of a column, and the index of the column in it."""
    for block, density in zip(model.blocks, model.densities, strict=True):
        if column in block.columns:
            return density, list(block.columns).index(column)
    raise AssertionError("cell_values refuses other columns")


def _marginal(density: NormalDensities, j: int) -> Normal | StudentT:
    """The normals of one of the columns, or Student's t."""
    variance = np.array([[density.covariance(c).variances[j]] for c in range(density.n_classes)])
    mean, uninformative = density.mean[:, j : j + 1], variance <= 0
    if density.dof is None:
        return normal(mean, variance, uninformative)
    return student_t(mean, variance, density.dof[:, None], uninformative)


def _edges(model: Model, column: Name) -> FloatArray:
    """The bounds of bins and of counted cells."""
    density, j = _density(model, column)
    assert isinstance(density, Bins)
    return np.unique(np.concatenate([density.cuts[j], density.grids[j][0], density.ends[j]]))


def _whole_numbers(crossings: FloatArray) -> list[int]:
    """Counts adjacent to crossings, with 0 and 1: only these can precede a change of the most probable class."""
    inside = np.floor(crossings[(crossings >= 0) & (crossings < _COUNTS)])
    near = (inside[:, None] + np.arange(-1, 3)).ravel()
    return [int(count) for count in np.unique(np.concatenate([[0, 1], near[near >= 0]]))]


def _between(points: FloatArray, *, positive: bool) -> FloatArray:
    """One point between any two, and one beyond either end; points that differ by rounding alone count as one."""
    points = points[points > 0] if positive else points
    if not len(points):
        return points
    points = points[np.diff(points, prepend=-np.inf) > _ROUNDING * np.abs(points)]
    reach = 2 * max(float(np.ptp(points)), float(np.abs(points).max()), 1e-300)
    ends = [points[0] / 2 if positive else points[0] - reach, points[-1] + reach]
    return np.concatenate([ends[:1], points[1:] / 2 + points[:-1] / 2, ends[1:]])


def _around(edges: FloatArray) -> FloatArray:
    """Edges, their neighbours, and points between and beyond them."""
    near = [edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)]
    return np.unique(np.concatenate([*near, _between(edges, positive=False)]))
