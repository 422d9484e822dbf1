"""Gaussian discriminant analysis of scores, between one covariance for all classes and one for each."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg

from suffice.columns.blocks import Numbers
from suffice.families.multivariate_normal.normals import NormalDensities
from suffice.numerics.arrays import CodeArray, FloatArray, SingleArray
from suffice.numerics.covariances import FullCovariance
from suffice.numerics.threads import parallel_map
from suffice.parts.kept_rows import KeptRows
from suffice.posterior import log_posterior
from suffice.statistics import Scatter

_DEFAULT_SHRINKAGE, _OTHER_SHRINKAGES = 0.1, (0.02, 0.4)  # shrinkages
_POOLINGS = (2.0, 32.0, None)  # rows per column that the pooled covariance counts for
_MAX_COVARIANCES = 100  # classes; with more, all share one covariance
_TEMPERATURES = (0.06, 0.12, 0.25, 0.5, 1.0)
_VARIANCE_RIDGE = 1e-4
_MAX_PRODUCTS = 300_000_000  # rows · classes · columns² of each candidate
_MIN_PRODUCTS_PER_THREAD = 20_000_000  # rows · classes · columns²
_MIN_TRIAL_ROWS, _MAX_TRIAL_ROWS = 500, 1_000
_BATCH_CELLS = 1 << 20  # of whitened rows


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
        return np.asarray((1 - self.shrinkage) * within + np.diag((self.shrinkage + _VARIANCE_RIDGE) * width))

    @property
    def _rows(self) -> float:
        """The divisor of the pooled scatter."""
        return float(self.scatter.weight.sum() - len(self.scatter.weight))

    @property
    def _prior_rows(self) -> float:
        return np.inf if self.pooling is None else self.pooling * max(len(self._pooled), 4)

    @property
    def _covariances(self) -> list[FloatArray]:
        """One covariance for all classes, or one per class."""
        if self.pooling is None:
            return [self._pooled]
        nu = self._prior_rows
        return [(m2 + nu * self._pooled) / (n + nu) for m2, n in zip(self.scatter.m2, self.scatter.weight, strict=True)]

    @cached_property
    def normals(self) -> NormalDensities:
        """The normals of the classes."""
        return NormalDensities(self.scatter.mean.copy(), tuple(FullCovariance(m) for m in self._covariances), None)

    def log_odds(self, z: SingleArray, threads: int) -> FloatArray:
        """log N of each row under each class, (rows, classes), up to a constant per row."""
        out = np.zeros((len(z), len(self.scatter.weight)))
        self.normals.add_odds_to(out, Numbers(range(z.shape[1]), z), threads)
        return out

    def linear_terms(self) -> FloatArray:
        """β of 1, of the scores and, where each class has a covariance, of their products (i ≤ j), (classes, features)."""
        precisions = [np.linalg.inv(each) for each in self._covariances]
        mean, shared = self.scatter.mean, self.pooling is None
        each = precisions * len(mean) if shared else precisions
        slope = np.stack([p @ m for p, m in zip(each, mean, strict=True)])
        constant = -0.5 * (slope * mean).sum(axis=1, keepdims=True)
        if shared:
            return np.concatenate([constant, slope], axis=1)
        log_det = np.array([np.linalg.slogdet(p)[1] for p in precisions])[:, None]
        i, j = np.triu_indices(len(mean[0]))
        products = np.stack([np.where(i == j, -0.5, -1.0) * p[i, j] for p in precisions])
        return np.concatenate([constant + 0.5 * log_det, slope, products], axis=1)

    def linear_features(self, z: SingleArray) -> FloatArray:
        """1, the scores, and their products."""
        wide = z.astype(np.float64)
        found = [np.ones((len(z), 1)), wide]
        if self.pooling is not None:
            i, j = np.triu_indices(z.shape[1])
            found.append(wide[:, i] * wide[:, j])
        return np.concatenate(found, axis=1)

    @cached_property
    def _inverse_roots(self) -> tuple[FloatArray, FloatArray]:
        """L⁻¹ of each covariance Σ = L Lᵀ, one for all classes or one each, and log |Σ|."""
        lower = np.linalg.cholesky(np.stack(self._covariances))
        inverse = np.stack([linalg.lapack.dtrtri(each, lower=1)[0] for each in lower])
        return np.tril(inverse), 2 * np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1)

    @cached_property
    def precisions(self) -> tuple[FloatArray, FloatArray]:
        """Σ⁻¹, one for all classes or one each, and log |Σ|."""
        inverse, log_det = self._inverse_roots
        return inverse.transpose(0, 2, 1) @ inverse, log_det

    def left_out(self, z: SingleArray, y: CodeArray, left_out_weight: FloatArray) -> FloatArray:
        """Leave-one-out log-odds of rows that were summed: each row is subtracted, with weight ``left_out_weight``, from the
        scatter of its class and from the pooled one."""
        covariances, columns = self._inverse_roots[0].shape[:2]
        some = max(1, _BATCH_CELLS // (covariances * columns))
        runs = [slice(i, i + some) for i in range(0, len(z), some)]
        return np.concatenate([self._without_each(z[rows], y[rows], left_out_weight[rows]) for rows in runs])

    def _without_each(self, z: SingleArray, y: CodeArray, weight: FloatArray) -> FloatArray:
        """A row of weight w, e away from the mean of n, removes w n / (n − w) e eᵀ from the scatter, so every inverse
        and determinant follows from eᵀ Σ⁻¹ e and similar products. (The change of the diagonal that correlations are shrunk
        toward is neglected.)"""
        inverse, log_det = self._inverse_roots
        n, mean = self.scatter.weight, self.scatter.mean
        each, classes = np.arange(len(z)), np.arange(len(n))
        at = np.zeros(len(n), dtype=np.int64) if self.pooling is None else classes  # the covariance of each class
        means = mean @ inverse.transpose(0, 2, 1)  # (covariances, classes, columns)
        between = means @ means.transpose(0, 2, 1)
        root = (z @ inverse.reshape(-1, z.shape[1]).T.astype(z.dtype)).reshape(len(z), *inverse.shape[:2])
        size = np.einsum("rmd,rmd->rm", root, root)
        along = np.stack([root[:, m] @ means[m].T.astype(z.dtype) for m in range(len(means))], axis=1)
        # squared distances and inner products between the row, the mean of its class and that of each class
        to_own, to = along[each, :, y][:, at], along[:, at, classes]
        q = size[:, at] - 2 * to_own + between[:, y, y].T[:, at]
        away = size[:, at] - 2 * to + between[at, classes, classes]
        cross = size[:, at] - to_own - to + between[at, classes][:, y].T

        own = y[:, None] == classes
        w = weight[:, None]
        factor = np.where(n[y] > weight, n[y] / np.maximum(n[y] - weight, 1e-12), 1.0)[:, None]
        gone = (1 - self.shrinkage) * w * factor / max(self._rows, 1.0)
        scale: FloatArray | float = 1.0
        if self.pooling is not None:
            rows, nu = n + self._prior_rows, self._prior_rows
            gone = np.where(own, w * factor + nu * gone, nu * gone) / rows
            scale = np.where(own, (rows - w) / rows, 1.0)
        left = np.maximum(1 - gone * q, 1e-3)
        distance = (away + gone * cross**2 / left) * scale * np.where(own, factor, 1.0) ** 2
        if self.pooling is not None:
            distance += log_det + np.log(left) - z.shape[1] * np.log(scale)
        return np.asarray(-0.5 * distance)


def choose(scatter: Scatter, z: SingleArray, rows: KeptRows, log_prior: FloatArray, threads: int) -> Discriminant:
    """The candidate of least leave-one-out log-loss at its best temperature: the best
    pooling first, then the best shrinkage."""
    few = slice(0, int(np.clip(_MAX_PRODUCTS // (len(log_prior) * z.shape[1] ** 2), _MIN_TRIAL_ROWS, _MAX_TRIAL_ROWS)))
    z, y, weight, left_out_weight = z[few], rows.y[few], rows.weight[few], rows.left_out_weight[few]
    every = np.arange(len(y))

    def loss(made: Discriminant) -> float:
        scores = made.left_out(z, y, left_out_weight)
        return min(-float(weight @ log_posterior(t * scores + log_prior, log_prior)[every, y]) for t in _TEMPERATURES)

    defaults = [
        Discriminant(scatter, _DEFAULT_SHRINKAGE, p)
        for p in (_POOLINGS if len(log_prior) <= _MAX_COVARIANCES else (None,))
    ]
    # small tasks are not worth a thread
    threads = threads if len(z) * len(log_prior) * z.shape[1] ** 2 > _MIN_PRODUCTS_PER_THREAD else 1
    losses = parallel_map(loss, defaults, threads)
    best = defaults[int(np.argmin(losses))]
    others = [Discriminant(scatter, s, best.pooling) for s in _OTHER_SHRINKAGES]
    losses = [min(losses), *parallel_map(loss, others, threads)]
    return [best, *others][int(np.argmin(losses))]
