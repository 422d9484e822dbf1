"""A joint density of rows: the marginal densities of the columns, coupled by a Gaussian copula in each class.

p(x | c) = Π p(x_j | c) · N(z; 0, R_c) / Π N(z_j; 0, 1), with z_j = Φ⁻¹(F_jc(x_j)). The marginals are those of the
columns, and marginalising a column leaves the copula of the others, so missing cells are easily marginalised.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg, special

from suffice.columns.blocks import BlockData, Numbers
from suffice.families.histogram import Bins
from suffice.families.margins import Margin
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray

if TYPE_CHECKING:
    from suffice.columns.kinds import Name
    from suffice.families.base import AnyDensities
    from suffice.statistics.row_sample import RowSample

_MAX_BIN_SHARE = 0.1  # largest share of a bin in a class for which the distribution function is treated as continuous
_MAX_COUPLED_COLUMNS = 256
_MAX_CORRELATED_ROWS = 2_000  # standard error .02; a served model re-estimates correlations after every label
_MIN_RANK = 1e-15  # smallest distance of a rank from 0 and 1


@dataclass(frozen=True, eq=False)
class Copula:
    """Correlations of normal scores within each class."""

    places: list[tuple[int, int]]
    """Block and column of each score."""
    margins: list[list[Margin]]
    """The distribution functions of each score, by class."""
    correlation: FloatArray
    """(classes, scores, scores)"""

    @classmethod
    def of(
        cls, densities: "Sequence[AnyDensities]", sample: "RowSample", columns: "Sequence[Sequence[Name]]"
    ) -> "Copula | None":
        """Estimate correlations from kept rows. Those of a class are shrunk toward the pooled ones, which have the weight of
        as many rows as there are columns. None if fewer than two columns have continuous marginals."""
        places, margins = [], []
        for i, density in enumerate(densities):
            for j in range(len(density.cuts) if isinstance(density, Bins) else 0):
                assert isinstance(density, Bins)
                found = [Margin.of(density, j, c) for c in range(density.n_classes)]
                each = [margin for margin in found if margin is not None]
                if each and max(margin.largest for margin in each) <= _MAX_BIN_SHARE:
                    places.append((i, j))
                    margins.append(each)
        if not 1 < len(places) <= _MAX_COUPLED_COLUMNS:
            return None
        rows = sample.take(np.arange(min(sample.rows, _MAX_CORRELATED_ROWS)))
        made = cls(places, margins, np.empty(0))
        z = made._scores(rows.blocks(columns), rows.y)
        return cls(places, margins, _correlations(z, rows.y, rows.weight, len(margins[0])))

    def _scores(self, read: Sequence[BlockData | None], y: CodeArray) -> FloatArray:
        """Φ⁻¹(F(x)) of rows under the class of each, missing cells NaN."""
        out = np.empty((len(y), len(self.places)))
        for k, cells in enumerate(self._cells(read)):
            for c in np.unique(y):
                here = y == c
                out[here, k] = self._score(k, int(c), cells[here])
        return out

    def _cells(self, read: Sequence[BlockData | None]) -> list[FloatArray]:
        dense = {i: cells.dense for i, cells in enumerate(read) if isinstance(cells, Numbers)}
        return [np.asarray(dense[i][:, j], dtype=np.float64) for i, j in self.places]

    def _score(self, k: int, klass: int, x: FloatArray) -> FloatArray:
        rank = np.clip(self.margins[k][klass].rank(x), _MIN_RANK, 1 - _MIN_RANK)
        return np.asarray(special.ndtri(np.where(np.isnan(x), np.nan, rank)))

    def add_to(self, joint: FloatArray, read: Sequence[BlockData | None]) -> None:
        """Add the log density of the copula of each class."""
        cells = self._cells(read)
        there = ~np.isnan(np.stack(cells, axis=1))
        patterns, which = np.unique(there, axis=0, return_inverse=True)
        for c in range(joint.shape[1]):
            z = np.stack([self._score(k, c, x) for k, x in enumerate(cells)], axis=1)
            for p, pattern in enumerate(patterns):
                here, some = np.flatnonzero(which.ravel() == p), np.flatnonzero(pattern)
                if len(some) > 1:
                    joint[here, c] += _log_copula(z[np.ix_(here, some)], self.correlation[c][np.ix_(some, some)])

    def draw(self, klass: int, n: int, rng: "np.random.Generator") -> dict[tuple[int, int], AnyArray]:
        """Draw numbers from one class: an array per block and column."""
        root = np.linalg.cholesky(self.correlation[klass])
        u = special.ndtr(rng.standard_normal((n, len(root))) @ root.T)
        return {at: self.margins[k][klass].number(u[:, k]) for k, at in enumerate(self.places)}


def _log_copula(z: FloatArray, correlation: FloatArray) -> FloatArray:
    root = np.linalg.cholesky(correlation)
    white = linalg.solve_triangular(root, z.T, lower=True)
    return np.asarray((z**2).sum(axis=1) / 2 - (white**2).sum(axis=0) / 2 - np.log(np.diag(root)).sum())


def _correlations(z: FloatArray, y: CodeArray, weight: FloatArray, n_classes: int) -> FloatArray:
    """Correlations of scores by class; missing scores count as zero, their mean."""
    d = z.shape[1]
    z = np.nan_to_num(z)
    each = [_products(z[y == c], weight[y == c]) for c in range(n_classes)]
    rows = np.array([weight[y == c].sum() for c in range(n_classes)])
    identity = np.eye(d)
    pooled = _scaled(sum(each, d * identity))
    return np.array([_scaled(own + d * pooled) if n else pooled for own, n in zip(each, rows, strict=True)])


def _products(z: FloatArray, weight: FloatArray) -> FloatArray:
    return np.asarray((z * weight[:, None]).T @ z)


def _scaled(products: FloatArray) -> FloatArray:
    """Products scaled to correlations."""
    scale = np.sqrt(np.diag(products))
    return np.asarray(products / np.outer(scale, scale))
