"""The values of one cell, so that sums and integrals over it can be computed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from suffice.columns.kinds import Level, Name
from suffice.errors import ParameterError
from suffice.families.assignment import Block
from suffice.families.base import AnyDensities
from suffice.families.bernoulli import Bernoulli
from suffice.families.class_prior import Uniform
from suffice.families.count_table import CountTable
from suffice.families.exponential import Exponential
from suffice.families.gamma import Gamma
from suffice.families.gaussian import StudentT
from suffice.families.histogram import Bins
from suffice.families.log_normal import LogNormal
from suffice.families.multivariate_normal.normals import NormalDensities
from suffice.families.poisson import Poisson
from suffice.families.tails import Tail
from suffice.model.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.sources import open_table

_POSITIVE = (Exponential, Gamma, LogNormal)
_DRAWS, _QUANTILES = 256, 33
_DOUBLINGS = 40  # of the range of samples on either side, to cover heavy tails
_QUADRATURE_POINTS = 16  # Gauss–Legendre points of a panel


@dataclass(frozen=True)
class CellValues:
    """``levels`` lists all values; between the edges of ``steps`` a density is constant, between those of ``smooth`` it is
    smooth."""

    kind: Literal["levels", "steps", "smooth"]
    at: tuple[Any, ...]
    tails: tuple[Tail, ...] = ()
    """Tails beyond the edges of steps; the union of two has none."""
    positive: bool = False
    """Whether all values are amounts > 0."""

    @property
    def nodes(self) -> tuple[list[Any], FloatArray]:
        """Values and log weights, such that Σ weight · f(value) is the sum over levels or steps, or Gauss–Legendre
        quadrature with 16 points per panel."""
        if self.kind == "levels":
            return list(self.at), np.zeros(len(self.at))
        edges = np.array(self.at)
        if self.kind == "steps":
            beyond = [tail.node for tail in self.tails]
            values = [*((edges[1:] + edges[:-1]) / 2).tolist(), *(value for value, _ in beyond)]
            return values, np.append(np.log(np.diff(edges)), [width for _, width in beyond])
        points, width = panel_nodes(edges[:-1], edges[1:])
        return points.ravel().tolist(), width.ravel()

    def joined(self, other: "CellValues") -> "CellValues | None":
        """The union with other values; None if one has levels and the other numbers."""
        if (self.kind == "levels") != (other.kind == "levels"):
            return None
        if self.kind == "levels":
            return CellValues("levels", tuple(dict.fromkeys((*self.at, *other.at))))
        kind: Literal["steps", "smooth"] = "steps" if self.kind == other.kind == "steps" else "smooth"
        return CellValues(kind, tuple(np.union1d(self.at, other.at).tolist()))


def panel_nodes(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gauss–Legendre points and log weights between two bounds, (panels, 16) each."""
    points, weights = np.polynomial.legendre.leggauss(_QUADRATURE_POINTS)
    middle, half = (low + high) / 2, (high - low) / 2
    return middle[:, None] + half[:, None] * points, np.log(np.outer(half, weights))


def cell_values(model: Model, name: Name) -> CellValues:
    """The values that a column may have; an error for texts, bags of words and external densities."""
    for block, density in zip(model.blocks, model.unweighted.densities, strict=True):
        if name in block.columns:
            return _values(block, density, list(block.columns).index(name))
    raise ParameterError(f"There is no column {name!r}", f"the columns are {list(model.names)[:20]}")


def _values(block: Block, density: AnyDensities, j: int) -> CellValues:
    if density.known_levels is not None:
        return CellValues("levels", tuple(density.known_levels.levels[j]))
    family = block.family
    if isinstance(family, Bernoulli):
        return CellValues("levels", (family.threshold, family.threshold + 1.0))
    if isinstance(family, CountTable):
        return CellValues("levels", tuple(range(family.max_count)))
    if isinstance(density, Bins):
        return _steps(density, j)
    if block.reads != "numbers" or (family.joint and not isinstance(density, (NormalDensities, StudentT))):
        raise ParameterError(
            f"Column {block.columns[j]!r} is modelled by {type(family).__name__}",
            "the values of a single cell cannot be enumerated",
            "Set a family of numbers or of levels",
        )
    rng = np.random.default_rng(0)
    draws = [np.asarray(density.sample(c, _DRAWS, rng)[j], dtype=np.float64) for c in range(density.n_classes)]
    if isinstance(family, Poisson):
        top = max(float(drawn.max()) for drawn in draws)
        return CellValues("levels", tuple(range(int(3 * top + 20 * np.sqrt(top) + 100))))
    inner = np.unique(np.concatenate([np.quantile(drawn, np.linspace(0, 1, _QUANTILES)) for drawn in draws]))
    span = max(float(np.ptp(inner)), 1e-12 * max(abs(float(inner[0])), 1e-300))
    beyond = span * np.exp2(np.arange(_DOUBLINGS + 1.0))
    positive = isinstance(family, _POSITIVE)
    below = inner[0] * np.exp2(-np.arange(1.0, _DOUBLINGS)) if positive else inner[0] - beyond
    least = [0.0] if positive else []
    edges = np.unique(np.concatenate([least, below, inner, inner[-1] + beyond]))
    return CellValues("smooth", tuple(edges.tolist()), positive=positive)


def _steps(density: Bins, j: int) -> CellValues:
    tails = density.tails[j]
    if tails is None:
        return CellValues("steps", ())
    return CellValues("steps", tuple(np.union1d(density.cuts[j], [tail.edge for tail in tails]).tolist()), tails)


def cell_log_density(model: Model, name: Name, values: Sequence[Level]) -> FloatArray:
    """log p(value | class) of one column, all others missing, (values, classes)."""
    flat = replace(model.unweighted, prior=Uniform(), marginalise=True, missing="ignore")
    return flat.log_joint(open_table([{name: value} for value in values])) - flat.log_prior
