"""Many small covariance matrices, one per row of a table."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.numerics.arrays import BoolArray, FloatArray
from suffice.numerics.covariances.base import Matrix

_MIN_CONDITIONAL_SHARE = 1e-6  # of a variance given the other columns, for an accurate factor


@dataclass(frozen=True, eq=False)
class CovarianceStack(Matrix):
    """``matrices`` (rows, columns, columns)."""

    matrices: FloatArray

    def plus(self, other: "CovarianceStack") -> "CovarianceStack":
        return CovarianceStack(self.matrices + other.matrices)

    def scaled(self, factor: float | FloatArray) -> "CovarianceStack":
        return CovarianceStack(self.matrices * np.reshape(factor, (-1, 1, 1)))

    def plus_diagonal(self, diagonal: FloatArray) -> "CovarianceStack":
        return CovarianceStack(self.matrices + diagonal[..., None] * np.eye(diagonal.shape[-1]))

    def plus_outer(self, row: FloatArray) -> "CovarianceStack":
        return CovarianceStack(self.matrices + row[:, :, None] * row[:, None, :])

    def zeroed(self, columns: BoolArray) -> "CovarianceStack":
        return CovarianceStack(np.where(columns[:, :, None] | columns[:, None, :], 0.0, self.matrices))

    def without_correlations(self) -> "CovarianceStack":
        return CovarianceStack(np.zeros_like(self.matrices)).plus_diagonal(self.variances)

    def floored(self, floor: float, variances: FloatArray) -> "CovarianceStack":
        """With a floor for constant columns. (Well-conditioned matrices have no singular direction.)"""
        return self._plus_where_constant(floor, variances)

    @property
    def variances(self) -> FloatArray:
        return np.diagonal(self.matrices, axis1=1, axis2=2)

    @cached_property
    def is_well_conditioned(self) -> BoolArray:
        """The mask of well-conditioned matrices."""
        return np.asarray(np.einsum("rii->ri", self._factors).min(axis=1) ** 2 > _MIN_CONDITIONAL_SHARE)

    @cached_property
    def _deviation(self) -> FloatArray:
        return np.sqrt(np.where(self.variances > 0, self.variances, 1.0))

    @cached_property
    def _factors(self) -> FloatArray:
        """Cholesky factors of the correlations; zeros for a matrix without a factor."""
        correlations = self.matrices / (self._deviation[:, :, None] * self._deviation[:, None, :])
        out = np.zeros_like(correlations)
        for j in range(out.shape[1]):
            row = correlations[:, j:, j] - np.einsum("rik,rk->ri", out[:, j:, :j], out[:, j, :j])
            pivot = np.sqrt(np.maximum(row[:, :1], 0.0))
            out[:, j:, j] = np.divide(row, pivot, out=np.zeros_like(row), where=pivot > 0)
        return out

    @property
    def log_det(self) -> FloatArray:
        diagonal = np.einsum("rii->ri", self._factors) * self._deviation
        return np.asarray(2 * np.log(diagonal).sum(axis=1))

    def distances(self, x: FloatArray) -> FloatArray:
        """xᵀ Σ⁻¹ x of row i under matrix i, by vectorised forward substitution."""
        z = x / self._deviation
        for j in range(z.shape[1]):
            z[:, j] -= np.einsum("rk,rk->r", self._factors[:, j, :j], z[:, :j])
            z[:, j] /= self._factors[:, j, j]
        return np.asarray((z**2).sum(axis=1))
