"""A covariance matrix of far more columns than rows, stored as a diagonal plus outer products."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray
from suffice.numerics.covariances.base import Covariance

_NEGLIGIBLE = 1e-12  # relative to a variance


@dataclass(frozen=True, eq=False)
class LowRankCovariance(Covariance):
    """diag(``diagonal``) + ``factor``ᵀ ``factor``, with a factor of few rows."""

    diagonal: FloatArray
    factor: FloatArray

    def plus(self, other: "LowRankCovariance") -> "LowRankCovariance":
        return LowRankCovariance(self.diagonal + other.diagonal, np.concatenate([self.factor, other.factor]))

    def scaled(self, factor: float | FloatArray) -> "LowRankCovariance":
        return LowRankCovariance(self.diagonal * factor, self.factor * np.sqrt(factor))

    def plus_diagonal(self, diagonal: FloatArray) -> "LowRankCovariance":
        return LowRankCovariance(self.diagonal + diagonal, self.factor)

    def plus_outer(self, row: FloatArray) -> "LowRankCovariance":
        return LowRankCovariance(self.diagonal, np.concatenate([self.factor, row[None]]))

    def columns(self, index: AnyArray) -> "LowRankCovariance":
        return LowRankCovariance(self.diagonal[index], self.factor[:, index])

    def zeroed(self, columns: BoolArray) -> "LowRankCovariance":
        return LowRankCovariance(np.where(columns, 0.0, self.diagonal), np.where(columns, 0.0, self.factor))

    def dropping(self, cut: float) -> "LowRankCovariance":
        # a diagonal has variance in every direction
        return self if self.diagonal.any() else SpanCovariance(self.diagonal, self.factor, cut)

    def without_correlations(self) -> "LowRankCovariance":
        return LowRankCovariance(self.variances, self.factor[:0])

    def floored(self, floor: float, variances: FloatArray) -> "LowRankCovariance":
        """With a diagonal, since fewer outer products than columns leave singular directions."""
        live = np.flatnonzero(variances > 0)
        if len(self.factor) >= len(live) and len(live):
            own = self.columns(live)
            full = np.sort(own.spectrum(np.sqrt(np.maximum(own.variances, 1e-300))))[-len(live)] > floor
            floor = _NEGLIGIBLE if full else floor
        return LowRankCovariance(np.maximum(self.diagonal, floor * variances), self.factor)

    @cached_property
    def variances(self) -> FloatArray:
        return np.asarray(self.diagonal + np.einsum("ij,ij->j", self.factor, self.factor))

    def row(self, column: int) -> FloatArray:
        out = self.factor[:, column] @ self.factor
        out[column] += self.diagonal[column]
        return np.asarray(out)

    def full(self) -> FloatArray:
        return np.asarray(self.factor.T @ self.factor) + np.diag(self.diagonal)

    def spectrum(self, deviation: FloatArray) -> FloatArray:
        scaled = self.factor / deviation
        return np.asarray(np.linalg.eigvalsh(scaled @ scaled.T), dtype=np.float64)

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """With D² the diagonal: D of the live columns, and s² and Vᵀ of the thin SVD factor D⁻¹ = U s Vᵀ."""
        deviation = np.sqrt(self.diagonal[self.live])
        values, vectors = _thin_svd(self.factor[:, self.live] / deviation)
        return deviation, values**2, vectors

    @property
    def rank(self) -> int:
        return len(self.live)

    @property
    def log_det(self) -> float:
        deviation, values, _ = self._parts
        return float(np.log1p(values).sum() + 2 * np.log(deviation).sum())

    def whitened(self, x: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        return self._scaled_along(x[:, self.live] / deviation, 1 / np.sqrt(1 + values), vectors)

    def solved(self, x: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        out = np.zeros_like(x)
        out[:, self.live] = self._scaled_along(x[:, self.live] / deviation, 1 / (1 + values), vectors) / deviation
        return out

    def coloured(self, z: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        out = np.zeros((len(z), len(self.diagonal)))
        out[:, self.live] = self._scaled_along(z[:, self.live], np.sqrt(1 + values), vectors) * deviation
        return out

    @staticmethod
    def _scaled_along(z: FloatArray, factors: FloatArray, vectors: FloatArray) -> FloatArray:
        """z with the component along each vector scaled."""
        along = z @ vectors.T
        rest = z - along @ vectors
        rest -= (rest @ vectors.T) @ vectors  # rounding errors would dominate a strongly shrunk component
        return np.asarray(rest + (along * factors) @ vectors)


@dataclass(frozen=True, eq=False)
class SpanCovariance(LowRankCovariance):
    """``factor``ᵀ ``factor`` without a diagonal: directions outside its span, and those in which the correlations have an
    eigenvalue below ``cut``, are dropped."""

    cut: float = 1e-12

    def columns(self, index: AnyArray) -> "SpanCovariance":
        return SpanCovariance(self.diagonal[index], self.factor[:, index], self.cut)

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Deviations of the live columns, and eigenvalues and eigenvectors of their correlations."""
        deviation = np.sqrt(self.variances[self.live])
        values, vectors = _thin_svd(self.factor[:, self.live] / deviation)
        kept = values**2 > self.cut
        return deviation, values[kept] ** 2, vectors[kept]

    rank = Covariance.rank
    log_det = Covariance.log_det

    def whitened(self, x: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        return np.asarray((x[:, self.live] / deviation) @ vectors.T / np.sqrt(values))

    def solved(self, x: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        out = np.zeros_like(x)
        out[:, self.live] = (self.whitened(x) / np.sqrt(values)) @ vectors / deviation
        return out

    def coloured(self, z: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        out = np.zeros((len(z), len(self.diagonal)))
        out[:, self.live] = (z[:, : len(values)] * np.sqrt(values)) @ vectors * deviation
        return out


def _thin_svd(factor: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Non-zero singular values and right singular vectors of a matrix with few rows.

    The Gram matrix is used, which for long rows takes a tenth of the time of LAPACK's SVD. Vectors are orthonormalised
    twice, since the Gram matrix squares the condition number.
    """
    squares, mix = np.linalg.eigh(factor @ factor.T)
    some = squares > 1e-14 * len(squares) * squares.max(initial=0.0)
    vectors = (mix[:, some].T @ factor) / np.sqrt(squares[some])[:, None]
    lengths, turn = np.linalg.eigh(vectors @ vectors.T)
    vectors = (turn / np.sqrt(lengths)) @ (turn.T @ vectors)
    _, values, mix = np.linalg.svd(factor @ vectors.T, full_matrices=False)
    return values, mix @ vectors
