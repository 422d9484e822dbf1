"""The density of correlated columns: normal or Student t."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import special

from suffice.columns.blocks import Numbers
from suffice.columns.kinds import Name
from suffice.errors import DataError
from suffice.families.base import ClassDensities
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray, frozen
from suffice.numerics.covariances import Covariance, FullCovariance


class NormalDensities(ClassDensities[Numbers]):
    """N(mean, covariance) for each class, or Student t with ``dof``; one covariance may serve all classes."""

    def __init__(self, mean: FloatArray, covariances: tuple[Covariance, ...], dof: FloatArray | None) -> None:
        self.mean, self.covariances, self.dof = frozen(mean), covariances, dof
        self.n_classes = len(mean)

    @property
    def is_shared(self) -> bool:
        return len(self.covariances) == 1 and self.dof is None

    def covariance(self, klass: int) -> Covariance:
        """The covariance of one class."""
        return self.covariances[klass if len(self.covariances) > 1 else 0]

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        distances, seen = self.distances(block, threads)
        for columns, rows in seen:
            part = distances[rows]
            for c in range(self.n_classes):
                covariance = self.covariance(c) if columns is None else self.covariance(c).columns(columns)
                dof = None if self.dof is None else self.dof[c]
                out[rows, c] += log_density(part[:, c], covariance.rank, covariance.log_det, dof)

    def distances(
        self, block: Numbers, threads: int = 1
    ) -> tuple[FloatArray, list[tuple[AnyArray | None, AnyArray | slice]]]:
        """Squared Mahalanobis distances (rows, classes) over the present cells, and for each pattern of missing
        cells its columns (None for complete rows) and rows."""
        x = block.dense
        out = self._complete.distances(x, threads)
        holes = np.flatnonzero(np.isnan(out[:, 0]))
        if not len(holes):
            return out, [(None, slice(None))]
        missing = np.isnan(x[holes])
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        seen: list[tuple[AnyArray | None, AnyArray | slice]] = [(None, np.flatnonzero(~np.isnan(out[:, 0])))]
        for p, pattern in enumerate(patterns):
            rows, columns = holes[which.ravel() == p], np.flatnonzero(~pattern)
            some = tuple(c.columns(columns) for c in self.covariances)
            out[rows] = Whitener(self.mean[:, columns], some).distances(x[np.ix_(rows, columns)], threads)
            seen.append((columns, rows))
        return out, seen

    @cached_property
    def _complete(self) -> "Whitener":
        return Whitener(self.mean, self.covariances)

    def add_odds_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        if not self.is_shared:
            self.add_to(out, block, threads)
            return
        # xᵀΣ⁻¹x is equal for all classes, so the score is linear
        centre, slope, constant = self.linear_odds
        scores = np.zeros(out.shape)
        kernels.add_affine_scores(block.dense, centre, slope, constant, scores, threads)
        holes = np.flatnonzero(np.isnan(scores[:, 0]))
        if len(holes):
            scores[holes] = 0.0
            part = np.zeros((len(holes), self.n_classes))
            self.add_to(part, Numbers(block.names, block.dense[holes]), threads)
            scores[holes] = part
        out += scores

    @cached_property
    def linear_odds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Centre, slope and constant: with one covariance for all, constant + slope · (x − centre) is the log density up to a
        constant per row."""
        centre = self.mean.mean(axis=0)
        away = self.mean - centre
        slope = self.covariances[0].solved(away)
        return centre, slope, -0.5 * (slope * away).sum(axis=1)

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        drawn = self.covariance(klass).coloured(rng.normal(size=(n, self.mean.shape[1])))
        if self.dof is not None:
            drawn /= np.sqrt(rng.chisquare(self.dof[klass], (n, 1)) / self.dof[klass])
        return list((self.mean[klass] + drawn).T)

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        if not self.is_shared:
            return super().linear_terms(names)
        weights = self.covariances[0].solved(self.mean)
        constant = -0.5 * (weights * self.mean).sum(axis=1, keepdims=True)
        return ["1[block]", *map(str, names)], np.concatenate([constant, weights], axis=1)

    def linear_features(self, block: Numbers) -> FloatArray:
        x = block.dense.astype(np.float64)
        if np.isnan(x).any():
            raise DataError("Some rows have missing cells", "the linear form of correlated columns needs complete rows")
        return np.concatenate([np.ones((len(x), 1)), x], axis=1)


def log_density(
    distance: FloatArray, size: int, log_det: FloatArray | float, dof: FloatArray | float | None
) -> FloatArray:
    """The log density of a normal of rank ``size``, or of Student t with ``dof``, at squared Mahalanobis distances."""
    if dof is None:
        return np.asarray(-0.5 * (size * np.log(2 * np.pi) + log_det + distance))
    constant = (
        special.gammaln((dof + size) / 2) - special.gammaln(dof / 2) - 0.5 * (size * np.log(dof * np.pi) + log_det)
    )
    return np.asarray(constant - 0.5 * (dof + size) * np.log1p(distance / dof))


class Whitener:
    """Squared Mahalanobis distances of complete rows to the mean of each class."""

    def __init__(self, mean: FloatArray, covariances: tuple[Covariance, ...]) -> None:
        self.mean, self.covariances = mean, covariances

    def distances(self, x: AnyArray, threads: int) -> FloatArray:
        """(rows, classes); NaN for a row with a missing cell."""
        if all(isinstance(c, FullCovariance) for c in self.covariances):
            centre, roots, offset = self._roots
            return kernels.distances(x, centre, roots, offset, threads)
        out = np.empty((len(x), len(self.mean)))
        for c, mean in enumerate(self.mean):
            covariance = self.covariances[c if len(self.covariances) > 1 else 0]
            out[:, c] = (covariance.whitened(x - mean) ** 2).sum(axis=1)
        return out

    @cached_property
    def _roots(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Centres and triangular roots, and the whitened offsets of the means from the centre."""
        roots = np.stack([c.root for c in self.covariances if isinstance(c, FullCovariance)])
        if len(roots) > 1 or len(self.mean) == 1:
            return np.ascontiguousarray(self.mean), roots, np.zeros_like(self.mean)
        centre = self.mean[:1]
        return np.ascontiguousarray(centre), roots, np.ascontiguousarray((self.mean - centre) @ roots[0].T)
