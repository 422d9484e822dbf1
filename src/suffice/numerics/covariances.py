"""Covariance matrices in two forms, whole or as a diagonal plus a few outer products, with one set of operations.

A column with a variance of zero is silent: it takes no part in distances and determinants.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray, IntArray


class Covariance(ABC):
    """A symmetric matrix Σ without negative eigenvalues."""

    # — putting one together —

    @abstractmethod
    def plus(self, other: Self) -> Self: ...

    @abstractmethod
    def scaled(self, factor: float) -> Self: ...

    @abstractmethod
    def plus_diagonal(self, diagonal: FloatArray) -> Self: ...

    @abstractmethod
    def plus_outer(self, row: FloatArray) -> Self:
        """Σ + row rowᵀ"""

    @abstractmethod
    def columns(self, index: AnyArray) -> Self:
        """Of these columns alone."""

    @abstractmethod
    def silenced(self, columns: BoolArray) -> Self:
        """With nothing said about some columns."""

    @abstractmethod
    def without_correlations(self) -> Self:
        """The diagonal alone."""

    # — reading it —

    @property
    @abstractmethod
    def variances(self) -> FloatArray: ...

    @abstractmethod
    def whole(self) -> FloatArray:
        """The matrix itself."""

    @cached_property
    def live(self) -> IntArray:
        """The columns that are not silent."""
        return np.flatnonzero(self.variances > 0)

    def correlations(self) -> FloatArray:
        """Σ_ij / √(Σ_ii Σ_jj); a silent column has none with any other."""
        deviation = np.sqrt(np.where(self.variances > 0, self.variances, 1.0))
        out = self.whole() / np.outer(deviation, deviation)
        np.fill_diagonal(out, 1.0)
        return np.asarray(np.clip(out, -1.0, 1.0))

    @abstractmethod
    def spectrum(self, deviation: FloatArray) -> FloatArray:
        """Eigenvalues of a sum of outer products after each column was divided by its ``deviation``. Zeros may be left out."""

    @property
    @abstractmethod
    def rank(self) -> int:
        """In how many directions there is a density."""

    @property
    @abstractmethod
    def log_det(self) -> float: ...

    @abstractmethod
    def whitened(self, x: FloatArray) -> FloatArray:
        """Rows whose squared lengths are xᵀ Σ⁻¹ x."""

    @abstractmethod
    def solved(self, x: FloatArray) -> FloatArray:
        """Σ⁻¹ x for each row."""

    @abstractmethod
    def coloured(self, z: FloatArray) -> FloatArray:
        """Rows with covariance Σ from rows of independent standard normals."""


@dataclass(frozen=True, eq=False)
class Whole(Covariance):
    """The matrix itself.

    Directions in which the correlations have an eigenvalue below ``cut`` (the mean of all eigenvalues is 1) are given that
    much width or, if ``drops``, are left out as if nothing were known about them.
    """

    matrix: FloatArray
    cut: float = 1e-12
    drops: bool = False

    def plus(self, other: "Whole") -> "Whole":
        return replace(self, matrix=self.matrix + other.matrix)

    def scaled(self, factor: float) -> "Whole":
        return replace(self, matrix=self.matrix * factor)

    def plus_diagonal(self, diagonal: FloatArray) -> "Whole":
        return replace(self, matrix=self.matrix + np.diag(diagonal))

    def plus_outer(self, row: FloatArray) -> "Whole":
        return replace(self, matrix=self.matrix + np.outer(row, row))

    def columns(self, index: AnyArray) -> "Whole":
        return replace(self, matrix=self.matrix[np.ix_(index, index)])

    def silenced(self, columns: BoolArray) -> "Whole":
        return replace(self, matrix=np.where(columns[:, None] | columns, 0.0, self.matrix))

    def without_correlations(self) -> "Whole":
        return replace(self, matrix=np.diag(self.variances))

    def whole(self) -> FloatArray:
        return self.matrix

    @property
    def variances(self) -> FloatArray:
        return np.diagonal(self.matrix)

    def spectrum(self, deviation: FloatArray) -> FloatArray:
        return np.asarray(np.linalg.eigvalsh(self.matrix / np.outer(deviation, deviation)), dtype=np.float64)

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Deviations of the live columns, and eigenvalues and vectors of their correlations."""
        deviation = np.sqrt(self.variances[self.live])
        live = self.matrix[np.ix_(self.live, self.live)]
        values, vectors = np.linalg.eigh(live / np.outer(deviation, deviation))
        if self.drops:
            kept = values > self.cut
            return deviation, values[kept], vectors[:, kept]
        return deviation, np.maximum(values, self.cut), vectors

    @property
    def rank(self) -> int:
        return len(self._parts[1])

    @property
    def log_det(self) -> float:
        deviation, values, _ = self._parts
        return float(np.log(values).sum() + 2 * np.log(deviation).sum())

    @cached_property
    def root(self) -> FloatArray:
        """An upper triangular R, as wide as the matrix, with |R x|² = xᵀ Σ⁻¹ x."""
        deviation, values, vectors = self._parts
        whiten = (vectors / np.sqrt(values) / deviation[:, None]).T
        out = np.zeros(self.matrix.shape)
        # a column whose row of R is zero is one that nothing is known about
        out[self.live[: len(values), None], self.live] = np.linalg.qr(whiten, mode="r")
        return out

    def whitened(self, x: FloatArray) -> FloatArray:
        return np.asarray(x @ self.root.T)

    def solved(self, x: FloatArray) -> FloatArray:
        return np.asarray(self.whitened(x) @ self.root)

    def coloured(self, z: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        out = np.zeros((len(z), len(self.matrix)))
        out[:, self.live] = (z[:, : len(values)] * np.sqrt(values)) @ vectors.T * deviation
        return out


@dataclass(frozen=True, eq=False)
class LowRank(Covariance):
    """diag(``diagonal``) + ``factor``ᵀ ``factor``, with a factor of few rows: for far more columns than rows."""

    diagonal: FloatArray
    factor: FloatArray

    def plus(self, other: "LowRank") -> "LowRank":
        return LowRank(self.diagonal + other.diagonal, np.concatenate([self.factor, other.factor]))

    def scaled(self, factor: float) -> "LowRank":
        return LowRank(self.diagonal * factor, self.factor * np.sqrt(factor))

    def plus_diagonal(self, diagonal: FloatArray) -> "LowRank":
        return LowRank(self.diagonal + diagonal, self.factor)

    def plus_outer(self, row: FloatArray) -> "LowRank":
        return LowRank(self.diagonal, np.concatenate([self.factor, row[None]]))

    def columns(self, index: AnyArray) -> "LowRank":
        return LowRank(self.diagonal[index], self.factor[:, index])

    def silenced(self, columns: BoolArray) -> "LowRank":
        return LowRank(np.where(columns, 0.0, self.diagonal), np.where(columns, 0.0, self.factor))

    def without_correlations(self) -> "LowRank":
        return LowRank(self.variances, self.factor[:0])

    @cached_property
    def variances(self) -> FloatArray:
        return np.asarray(self.diagonal + np.einsum("ij,ij->j", self.factor, self.factor))

    def whole(self) -> FloatArray:
        return np.asarray(self.factor.T @ self.factor) + np.diag(self.diagonal)

    def spectrum(self, deviation: FloatArray) -> FloatArray:
        scaled = self.factor / deviation
        return np.asarray(np.linalg.eigvalsh(scaled @ scaled.T), dtype=np.float64)

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """With D² the diagonal: D of the live columns, and s², Vᵀ of the thin decomposition of factor D⁻¹ = U s Vᵀ."""
        deviation = np.sqrt(self.diagonal[self.live])
        values, vectors = _thin(self.factor[:, self.live] / deviation)
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
        return self._stretched(x[:, self.live] / deviation, 1 / np.sqrt(1 + values), vectors)

    def solved(self, x: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        out = np.zeros_like(x)
        out[:, self.live] = self._stretched(x[:, self.live] / deviation, 1 / (1 + values), vectors) / deviation
        return out

    def coloured(self, z: FloatArray) -> FloatArray:
        deviation, values, vectors = self._parts
        out = np.zeros((len(z), len(self.diagonal)))
        out[:, self.live] = self._stretched(z[:, self.live], np.sqrt(1 + values), vectors) * deviation
        return out

    @staticmethod
    def _stretched(z: FloatArray, factors: FloatArray, vectors: FloatArray) -> FloatArray:
        """z with its part along each vector multiplied."""
        along = z @ vectors.T
        rest = z - along @ vectors
        rest -= (rest @ vectors.T) @ vectors  # what rounding left behind would drown a part that is shrunk a lot
        return np.asarray(rest + (along * factors) @ vectors)


@dataclass(frozen=True, eq=False)
class Span(LowRank):
    """``factor``ᵀ ``factor`` alone: nothing is known about directions outside its span, nor about those within it whose
    correlations have an eigenvalue below ``cut``."""

    cut: float = 1e-12

    @classmethod
    def of(cls, outer: LowRank, cut: float) -> "Span":
        """Of a sum of outer products."""
        return cls(np.zeros_like(outer.diagonal), outer.factor, cut)

    def columns(self, index: AnyArray) -> "Span":
        return Span(self.diagonal[index], self.factor[:, index], self.cut)

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Deviations of the live columns, and eigenvalues and vectors of their correlations."""
        deviation = np.sqrt(self.variances[self.live])
        values, vectors = _thin(self.factor[:, self.live] / deviation)
        kept = values**2 > self.cut
        return deviation, values[kept] ** 2, vectors[kept]

    @property
    def rank(self) -> int:
        return len(self._parts[1])

    @property
    def log_det(self) -> float:
        deviation, values, _ = self._parts
        return float(np.log(values).sum() + 2 * np.log(deviation).sum())

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


def _thin(factor: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Singular values and right singular vectors of a matrix with few rows, those that are nothing left out.

    Through products of the matrix with itself, which for long rows take a tenth of the time of LAPACK's decomposition; the
    vectors are made orthonormal a second time, because the first time squares the condition of the matrix.
    """
    squares, mix = np.linalg.eigh(factor @ factor.T)
    some = squares > 1e-14 * len(squares) * squares.max(initial=0.0)
    vectors = (mix[:, some].T @ factor) / np.sqrt(squares[some])[:, None]
    lengths, turn = np.linalg.eigh(vectors @ vectors.T)
    vectors = (turn / np.sqrt(lengths)) @ (turn.T @ vectors)
    _, values, mix = np.linalg.svd(factor @ vectors.T, full_matrices=False)
    return values, mix @ vectors
