"""A block of columns that vary together: the multivariate normal, with the normal-inverse-Wishart prior."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, get_args

import numpy as np
from scipy.special import gammaln

from suffice.columns.blocks import Numbers
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import DataError, ParameterError
from suffice.families import base
from suffice.families.base import Family, Rule
from suffice.families.settings import number
from suffice.families.support import check_finite
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, BoolArray, CodeArray, FloatArray, frozen
from suffice.statistics import Scatter

Covariance = Literal["full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical"]

_WIDEST = 4096  # columns: the matrix of each class is kept whole


@dataclass(frozen=True)
class MultivariateNormal(Family):
    """x ~ N(μ, Σ) over all the columns of the block: Gaussian discriminant analysis.

    ``covariance`` says what Σ may be: its own for each class (``"full"``), shared by all (``"tied"``, whose posterior is
    logistic), without correlations (``"diagonal"``), or one variance for all columns (``"spherical"``); the last two also
    ``"tied_…"``.

    The prior is worth ``mean_weight`` rows at the mean of all classes together and ``covariance_weight`` rows whose
    covariance is the diagonal of the column variances over all classes (normal-inverse-Wishart, κ₀ = mean_weight,
    ν₀ = covariance_weight + d + 1). With n rows of scatter M: ``mle`` M / n; ``mean``
    (covariance_weight · S₀ + M + shift) / (covariance_weight + n); ``map`` the same numerator over
    (covariance_weight + n + 2d + 3); ``predictive`` the multivariate Student t. The tied forms pool the scatter around each
    class's own mean; under ``mle`` a class with no more complete rows than columns does the same. Directions in which
    nothing varies are given ``floor`` of the column variances.

    Rows with a missing cell are left out when learning, and summed out when predicting.
    """

    covariance: Covariance = "full"
    mean_weight: float = 1.0
    covariance_weight: float = 1.0
    floor: float = 1e-9

    joint: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.covariance not in get_args(Covariance):
            raise ParameterError(
                f"MultivariateNormal's covariance is {self.covariance!r}",
                f"it must be one of {', '.join(map(repr, get_args(Covariance)))}",
            )
        for name in ("mean_weight", "covariance_weight", "floor"):
            number("MultivariateNormal", name, getattr(self, name))

    def observe(self, block: Numbers, y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int) -> Scatter:
        if len(block.names) > _WIDEST:
            raise DataError(
                f"A block of {len(block.names)} columns was given to MultivariateNormal",
                f"it keeps a matrix of all pairs of columns for each class, so at most {_WIDEST} can go together",
                "Use Gaussian(), or several smaller blocks",
            )
        n, mean, m2 = kernels.scatter(block.dense, y, n_classes, weight, threads)
        check_finite(block, m2, "MultivariateNormal")
        return Scatter.of(n, mean, m2)

    def estimate(self, statistic: Scatter, rule: Rule, classes: Sequence[Label]) -> "Normals":
        n, columns = statistic.weight, statistic.mean.shape[1]
        total = max(float(n.sum()), 1e-300)
        centre = (n[:, None] * statistic.mean).sum(axis=0) / total
        away = statistic.mean - centre
        variances = (np.diagonal(statistic.m2, axis1=1, axis2=2) + n[:, None] * away**2).sum(axis=0) / total
        prior_rows = 0.0 if rule == "mle" else self.covariance_weight
        kappa = n if rule == "mle" else self.mean_weight + n
        share = np.divide(n, kappa, out=np.zeros_like(n), where=kappa > 0)
        mean = centre + share[:, None] * away
        scatter = statistic.m2 + prior_rows * np.diag(variances)
        if rule != "mle":
            scatter = scatter + (self.mean_weight * share)[:, None, None] * away[:, :, None] * away[:, None, :]
        rows = n + prior_rows
        if self.covariance.startswith("tied"):
            # the prior counts once, not once a class
            scatter = (scatter - prior_rows * np.diag(variances)).sum(axis=0, keepdims=True) + prior_rows * np.diag(
                variances
            )
            rows = np.array([total + prior_rows])
        elif rule == "mle":  # of too few rows for a matrix of their own there is no maximum: they take the shared one
            few = n <= columns
            scatter = np.where(few[:, None, None], scatter.sum(axis=0), scatter)
            rows = np.where(few, total, rows)
        empty = rows <= 0  # no complete row and no prior: as wide as the whole column
        scatter = np.where(empty[:, None, None], np.diag(variances), self._shaped(scatter))
        rows = np.where(empty, 1.0, rows)
        divisor = rows + 2 * columns + 3 if rule == "map" else rows
        silent = variances <= (1e-14 * np.abs(centre)) ** 2
        floor = self.floor * np.diag(variances)
        if rule != "predictive":
            return Normals(mean, scatter / divisor[:, None, None] + floor, None, silent)
        dof = rows + 2  # ν_n − d + 1
        widened = (1 + 1 / np.maximum(kappa, 1e-12))[:, None, None]
        return Normals(mean, (scatter / dof[:, None, None] + floor) * widened, np.broadcast_to(dof, n.shape), silent)

    def _shaped(self, scatter: FloatArray) -> FloatArray:
        """What of the matrix the kind of covariance keeps."""
        if self.covariance in ("full", "tied"):
            return scatter
        diagonal = np.diagonal(scatter, axis1=1, axis2=2)
        if "spherical" in self.covariance:
            diagonal = np.broadcast_to(diagonal.mean(axis=1, keepdims=True), diagonal.shape)
        return diagonal[:, :, None] * np.eye(scatter.shape[1])


class Normals(base.Density):
    """N(mean, scale) for each class, or Student t with ``dof``; one scale may serve all classes.

    ``silent`` columns, constant in training, say nothing.
    """

    def __init__(self, mean: FloatArray, scale: FloatArray, dof: FloatArray | None, silent: BoolArray) -> None:
        self.mean, self.scale, self.dof, self.silent = frozen(mean), frozen(scale), dof, silent
        self.n_classes = len(mean)

    @property
    def is_shared(self) -> bool:
        return len(self.scale) == 1 and self.dof is None

    def _matrix(self, klass: int) -> FloatArray:
        matrix: FloatArray = self.scale[klass if len(self.scale) > 1 else 0]
        return matrix

    @cached_property
    def _complete(self) -> "list[Root]":
        seen = np.flatnonzero(~self.silent)
        return [Root.of(self._matrix(c)[np.ix_(seen, seen)]) for c in range(self.n_classes)]

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        x = block.dense.astype(np.float64, copy=False)
        holes = np.isnan(x)
        holes[:, self.silent] = True
        if (holes == self.silent).all():
            self._add(out, x, np.flatnonzero(~self.silent), self._complete)
            return
        patterns, which = np.unique(holes, axis=0, return_inverse=True)
        for p, pattern in enumerate(patterns):
            rows, seen = np.flatnonzero(which.ravel() == p), np.flatnonzero(~pattern)
            roots = [Root.of(self._matrix(c)[np.ix_(seen, seen)]) for c in range(self.n_classes)]
            part = np.zeros((len(rows), self.n_classes))
            self._add(part, x[rows], seen, roots)
            out[rows] += part

    def _add(self, out: FloatArray, x: FloatArray, seen: AnyArray, roots: "list[Root]") -> None:
        size = len(seen)
        for c, root in enumerate(roots):
            distance = root.distance(x[:, seen] - self.mean[c, seen])
            if self.dof is None:
                out[:, c] -= 0.5 * (size * np.log(2 * np.pi) + root.log_det + distance)
            else:
                v = float(self.dof[c])
                constant = gammaln((v + size) / 2) - gammaln(v / 2) - 0.5 * (size * np.log(v * np.pi) + root.log_det)
                out[:, c] += constant - 0.5 * (v + size) * np.log1p(distance / v)

    def sample(self, klass: int, n: int, rng: np.random.Generator) -> list[AnyArray]:
        seen = np.flatnonzero(~self.silent)
        draws = np.repeat(self.mean[[klass]], n, axis=0)
        normal = self._complete[klass].coloured(rng.normal(size=(n, len(seen))))
        if self.dof is not None:
            normal /= np.sqrt(rng.chisquare(self.dof[klass], (n, 1)) / self.dof[klass])
        draws[:, seen] += normal
        return list(draws.T)

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        if not self.is_shared:
            return super().linear_terms(names)
        # xᵀΣ⁻¹x is the same in every class, so it drops out of the posterior
        seen = np.flatnonzero(~self.silent)
        root = self._complete[0]
        white = root.whitened(self.mean[:, seen])
        weights = np.zeros_like(self.mean)
        weights[:, seen] = white @ root.whiten.T
        constant = -0.5 * (white**2).sum(axis=1, keepdims=True)
        return ["1[block]", *map(str, names)], np.concatenate([constant, weights], axis=1)

    def linear_features(self, block: Numbers) -> FloatArray:
        x = block.dense.astype(np.float64)
        if np.isnan(x).any():
            raise DataError("Some rows have missing cells", "the linear form of correlated columns needs complete rows")
        return np.concatenate([np.ones((len(x), 1)), x], axis=1)


@dataclass(frozen=True, eq=False)
class Root:
    """A covariance matrix taken apart: x ↦ x · whiten has unit covariance, and back again."""

    whiten: FloatArray
    colour: FloatArray
    log_det: float

    @classmethod
    def of(cls, matrix: FloatArray) -> "Root":
        """By the eigenvectors of the correlations; a direction in which nothing varies is given a little width."""
        deviation = np.sqrt(np.diagonal(matrix))
        values, vectors = np.linalg.eigh(matrix / np.outer(deviation, deviation))
        values = np.maximum(values, 1e-12 * max(1.0, values.max(initial=0.0)))
        return cls(
            whiten=vectors / deviation[:, None] / np.sqrt(values),
            colour=(vectors * deviation[:, None] * np.sqrt(values)).T,
            log_det=float(np.log(values).sum() + 2 * np.log(deviation).sum()),
        )

    def whitened(self, x: FloatArray) -> FloatArray:
        return x @ self.whiten

    def coloured(self, z: FloatArray) -> FloatArray:
        return z @ self.colour

    def distance(self, x: FloatArray) -> FloatArray:
        """Squared Mahalanobis distance from zero."""
        return np.asarray((self.whitened(x) ** 2).sum(axis=1))
