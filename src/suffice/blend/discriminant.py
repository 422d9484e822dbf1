"""Gaussian discriminant analysis of scores, between one covariance for all classes and one for each."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg

from suffice.columns.blocks import Numbers
from suffice.families.multivariate_normal.normals import Normals
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.covariances import Whole
from suffice.posterior import log_posterior
from suffice.statistics import Scatter

_SHRINKAGES = (0.02, 0.1, 0.4)
_POOLINGS = (2.0, 8.0, 32.0, 128.0, None)  # rows a column that the pooled covariance counts for
_TEMPERATURES = (0.03, 0.06, 0.12, 0.25, 0.5, 0.75, 1.0)
_RIDGE = 1e-4
_WORK = 300_000_000  # rows · classes · columns² of each that is tried
_FEWEST, _MOST = 500, 2_000


@dataclass(frozen=True, eq=False)
class Discriminant:
    """N(mean, Σ) for each class: Σ = (S + ν P) / (n + ν) of its scatter S over n rows and the pooled covariance P, whose
    correlations are shrunk by a share. ν is ``pooling`` rows for each column; None, all classes share P."""

    scatter: Scatter
    shrinkage: float
    pooling: float | None

    @cached_property
    def _pooled(self) -> FloatArray:
        rows = max(self._rows, 1.0)
        within = self.scatter.m2.sum(axis=0) / rows
        width = np.maximum(np.diagonal(within), 1e-6)
        return np.asarray((1 - self.shrinkage) * within + np.diag((self.shrinkage + _RIDGE) * width))

    @property
    def _rows(self) -> float:
        """What the pooled covariance is divided by."""
        return float(self.scatter.weight.sum() - len(self.scatter.weight))

    @property
    def _prior_rows(self) -> float:
        return np.inf if self.pooling is None else self.pooling * max(len(self._pooled), 4)

    def _covariance(self, c: int) -> FloatArray:
        nu = self._prior_rows
        return np.asarray((self.scatter.m2[c] + nu * self._pooled) / (self.scatter.weight[c] + nu))

    @cached_property
    def _normals(self) -> Normals:
        shared = self.pooling is None
        matrices = [self._pooled] if shared else [self._covariance(c) for c in range(len(self.scatter.weight))]
        return Normals(self.scatter.mean.copy(), tuple(Whole(m) for m in matrices), None)

    def log_odds(self, z: FloatArray, threads: int) -> FloatArray:
        """log N of each row under each class, (rows, classes), up to a number a row."""
        out = np.zeros((len(z), len(self.scatter.weight)))
        self._normals.add_odds_to(out, Numbers(range(z.shape[1]), z), threads)
        return out

    def left_out(self, z: FloatArray, y: CodeArray) -> FloatArray:
        """The same for rows that were summed, each taken out of the scatter of its class and of the pooled one.

        A row e away from the mean of its n rows takes n / (n − 1) e eᵀ with it, so every inverse and determinant follows from
        eᵀ Σ⁻¹ e and its like. (How the widths that correlations are shrunk toward change is left aside.)
        """
        n, mean = self.scatter.weight, self.scatter.mean
        out = np.empty((len(z), len(n)))
        factor = np.where(n[y] > 1, n[y] / np.maximum(n[y] - 1, 1e-12), 1.0)
        shared, nu = self.pooling is None, self._prior_rows
        in_pooled = (1 - self.shrinkage) * factor / max(self._rows, 1.0)
        root = e = m = q = z
        for c in range(len(n)):
            if c == 0 or not shared:
                lower = np.linalg.cholesky(self._pooled if shared else self._covariance(c))
                log_det = 0.0 if shared else 2 * float(np.log(np.diagonal(lower)).sum())
                root = linalg.solve_triangular(lower, z.T, lower=True, check_finite=False).T
                m = linalg.solve_triangular(lower, mean.T, lower=True, check_finite=False).T
                e = root - m[y]
                q = (e * e).sum(axis=1)
            own = y == c
            rows = n[c] + nu
            gone = in_pooled if shared else np.where(own, factor + nu * in_pooled, nu * in_pooled) / rows
            scale = np.ones(len(z)) if shared else np.where(own, (rows - 1) / rows, 1.0)
            left = np.maximum(1 - gone * q, 1e-3)
            away = root - m[c]
            cross = (away * e).sum(axis=1)
            distance = (
                ((away * away).sum(axis=1) + gone * cross * cross / left) * scale * np.where(own, factor, 1.0) ** 2
            )
            spread = 0.0 if shared else log_det + np.log(left) - z.shape[1] * np.log(scale)
            out[:, c] = -0.5 * (distance + spread)
        return out


def choose(scatter: Scatter, z: FloatArray, y: CodeArray, weight: FloatArray, log_prior: FloatArray) -> Discriminant:
    """The one of a few under which rows left out tell their class best, at whatever temperature suits it."""

    few = slice(0, int(np.clip(_WORK // (len(log_prior) * z.shape[1] ** 2), _FEWEST, _MOST)))
    z, y, weight = z[few], y[few], weight[few]

    def loss(made: Discriminant) -> float:
        scores = made.left_out(z, y)
        every = np.arange(len(y))
        return min(-float(weight @ log_posterior(t * scores + log_prior, log_prior)[every, y]) for t in _TEMPERATURES)

    return min((Discriminant(scatter, s, p) for s in _SHRINKAGES for p in _POOLINGS), key=loss)
