"""Weight, mean vector and centred second moments by class, for far more columns than rows; no matrix is formed."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from suffice.columns.class_codes import ClassCodes
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray, frozen
from suffice.numerics.covariances import LowRankCovariance
from suffice.statistics.base import NeverLearnedError, Statistic, subtract_checked
from suffice.statistics.scatter import Scatter

_EIGENVALUE_ROUNDING = 1e-13  # relative eigenvalues below this are rounding errors


@dataclass(frozen=True, eq=False)
class WideScatter(Statistic):
    """A ``Scatter`` with Σ w (x − mean)(x − mean)ᵀ of class c stored as ``factors[c]``ᵀ ``factors[c]``.

    A factor starts as the deviations of the rows and never has more rows than columns, so it takes no more memory than the
    rows or the matrix.
    """

    weight: FloatArray
    mean: FloatArray
    factors: tuple[FloatArray, ...]

    extensive_fields: ClassVar[tuple[str, ...]] = ("weight",)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "factors", tuple(frozen(np.ascontiguousarray(f)) for f in self.factors))

    @classmethod
    def _array_names(cls) -> list[str]:
        return ["weight", "mean"]

    @classmethod
    def of(cls, x: FloatArray, y: ClassCodes) -> "WideScatter":
        """The statistic of rows; those with a missing cell or without weight are skipped."""
        w, n_classes = y.weights, y.n_classes
        complete = (w > 0) & ~np.isnan(x).any(axis=1)
        means, factors = np.zeros((n_classes, x.shape[1])), []
        total = np.bincount(y.codes[complete], w[complete], n_classes).astype(np.float64)
        for c in range(n_classes):
            mine = np.flatnonzero(complete & (y.codes == c))
            if len(mine):
                means[c] = np.average(x[mine], axis=0, weights=w[mine])
            factors.append(_compressed((x[mine] - means[c]) * np.sqrt(w[mine])[:, None]))
        return cls(total, means, tuple(factors))

    def matrix(self, klass: int) -> LowRankCovariance:
        """Σ w (x − mean)(x − mean)ᵀ of one class."""
        return LowRankCovariance(np.zeros(self.mean.shape[1]), self.factors[klass])

    def full(self) -> Scatter:
        """The statistic with full matrices."""
        return Scatter.of(self.weight, self.mean, np.stack([f.T @ f for f in self.factors]))

    @property
    def variations(self) -> FloatArray:
        """The diagonals of the matrices, (classes, columns)."""
        return np.stack([np.einsum("ij,ij->j", f, f) for f in self.factors])

    def __add__(self, other: "WideScatter") -> "WideScatter":
        weight = self.weight + other.weight
        safe = np.where(weight > 0, weight, 1.0)
        delta = other.mean - self.mean
        both = self.weight * other.weight / safe
        factors = tuple(
            _compressed(np.concatenate([a, b, np.sqrt(n) * d[None]] if n > 0 else [a, b]))
            for a, b, n, d in zip(self.factors, other.factors, both, delta, strict=True)
        )
        mean = np.where((self.weight > 0)[:, None], self.mean + (other.weight / safe)[:, None] * delta, other.mean)
        return WideScatter(weight, mean, factors)

    def __sub__(self, other: "WideScatter") -> "WideScatter":
        weight = subtract_checked(self.weight, other.weight, "complete rows")
        some = weight > 0
        safe = np.where(some, weight, 1.0)
        delta = other.mean - self.mean
        mean = np.where(some[:, None], self.mean - (other.weight / safe)[:, None] * delta, 0.0)
        between = np.where(some, self.weight * other.weight / safe, 0.0)
        factors = tuple(
            _difference(a, np.concatenate([b, np.sqrt(n) * d[None]]), c) if other.weight[c] > 0 else a
            for c, (a, b, n, d) in enumerate(zip(self.factors, other.factors, between, delta, strict=True))
        )
        return WideScatter(weight, mean, tuple(f if s else f[:0] for f, s in zip(factors, some, strict=True)))

    def scaled(self, factor: float | FloatArray) -> "WideScatter":
        by = np.broadcast_to(np.asarray(factor, dtype=np.float64), self.weight.shape)
        return WideScatter(
            self.weight * by, self.mean, tuple(f * np.sqrt(b) for f, b in zip(self.factors, by, strict=True))
        )

    def reindex_classes(self, index: IntArray, n_classes: int) -> "WideScatter":
        none = np.zeros((0, self.mean.shape[1]))
        place = {int(to): f for to, f in zip(index, self.factors, strict=True)}
        return replace(
            super().reindex_classes(index, n_classes), factors=tuple(place.get(c, none) for c in range(n_classes))
        )

    def select_classes(self, index: IntArray | CodeArray) -> "WideScatter":
        return replace(super().select_classes(index), factors=tuple(self.factors[int(c)] for c in index))

    def reindex_columns(self, index: IntArray, n_columns: int) -> "WideScatter":
        mean = np.zeros((self.n_classes, n_columns))
        mean[:, index] = self.mean
        factors = []
        for f in self.factors:
            moved = np.zeros((len(f), n_columns))
            moved[:, index] = f
            factors.append(moved)
        return WideScatter(self.weight, mean, tuple(factors))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, WideScatter)
            and super().__eq__(other)
            and all(np.array_equal(a, b) for a, b in zip(self.factors, other.factors, strict=True))
        )

    __hash__ = None


def _compressed(factor: FloatArray) -> FloatArray:
    """A factor of the same sum of outer products with no more rows than columns."""
    return factor if len(factor) <= factor.shape[1] else np.asarray(np.linalg.qr(factor, mode="r"))


def _difference(whole: FloatArray, part: FloatArray, klass: int) -> FloatArray:
    """A factor of wholeᵀ whole − partᵀ part."""
    rows = len(whole)
    basis, mix = np.linalg.qr(np.concatenate([whole, part]).T)
    kept = mix[:, :rows]
    gone = mix[:, rows:]
    values, vectors = np.linalg.eigh(kept @ kept.T - gone @ gone.T)
    counted = float((kept**2).sum())
    if values.min(initial=0.0) < -1e-9 * counted:
        raise NeverLearnedError("of squared deviation", counted, float((gone**2).sum()), (klass, 0))
    big = values > _EIGENVALUE_ROUNDING * counted
    return np.asarray((np.sqrt(values[big])[:, None] * vectors[:, big].T) @ basis.T)
