"""Operations on a covariance matrix, for every form of storage."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Self

import numpy as np

from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray, IntArray

EIGENVALUE_ROUNDING = 1e-13
"""Eigenvalues of correlations below this are rounding errors."""


class Matrix(ABC):
    """Operations for estimation, on one matrix or on many."""

    @abstractmethod
    def plus(self, other: Self) -> Self: ...

    @abstractmethod
    def scaled(self, factor: float | FloatArray) -> Self: ...

    @abstractmethod
    def plus_diagonal(self, diagonal: FloatArray) -> Self: ...

    @abstractmethod
    def plus_outer(self, row: FloatArray) -> Self:
        """Σ + row rowᵀ"""

    @abstractmethod
    def zeroed(self, columns: BoolArray) -> Self:
        """With zeros in the rows and columns of ``columns``."""

    @abstractmethod
    def without_correlations(self) -> Self:
        """The diagonal alone."""

    @abstractmethod
    def floored(self, floor: float, variances: FloatArray) -> Self:
        """With ``floor`` times ``variances`` added in directions of zero variance."""

    @property
    @abstractmethod
    def variances(self) -> FloatArray: ...

    def _plus_where_constant(self, floor: float, variances: FloatArray) -> Self:
        constant = self.variances <= 0
        return self.plus_diagonal(np.where(constant, floor * variances, 0.0)) if constant.any() else self


class Covariance(Matrix):
    """A symmetric matrix Σ without negative eigenvalues."""

    @abstractmethod
    def columns(self, index: AnyArray) -> Self:
        """The covariance of a subset of columns."""

    @abstractmethod
    def dropping(self, cut: float) -> "Covariance":
        """Without the directions in which the correlations have an eigenvalue below ``cut``."""

    @abstractmethod
    def row(self, column: int) -> FloatArray:
        """One row of the matrix."""

    @abstractmethod
    def full(self) -> FloatArray:
        """The matrix itself."""

    @cached_property
    def live(self) -> IntArray:
        """The columns of positive variance."""
        return np.flatnonzero(self.variances > 0)

    def correlations(self) -> FloatArray:
        """Σ_ij / √(Σ_ii Σ_jj); zero for columns of zero variance."""
        deviation = np.sqrt(np.where(self.variances > 0, self.variances, 1.0))
        out = self.full() / np.outer(deviation, deviation)
        np.fill_diagonal(out, 1.0)
        return np.asarray(np.clip(out, -1.0, 1.0))

    @abstractmethod
    def spectrum(self, deviation: FloatArray) -> FloatArray:
        """Eigenvalues of a sum of outer products after division of each column by its ``deviation``; zeros may be omitted."""

    @property
    @abstractmethod
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """A scale for each live column, and eigenvalues and eigenvectors of the matrix after division by it."""

    @property
    def rank(self) -> int:
        """The number of directions with a density."""
        return len(self._parts[1])

    @cached_property
    def log_det(self) -> float:
        scale, values, _ = self._parts
        return float(np.log(values).sum() + 2 * np.log(scale).sum())

    @abstractmethod
    def whitened(self, x: FloatArray) -> FloatArray:
        """Rows whose squared lengths are xᵀ Σ⁻¹ x."""

    @abstractmethod
    def solved(self, x: FloatArray) -> FloatArray:
        """Σ⁻¹ x for each row."""

    @abstractmethod
    def coloured(self, z: FloatArray) -> FloatArray:
        """Rows with covariance Σ from rows of independent standard normals."""
