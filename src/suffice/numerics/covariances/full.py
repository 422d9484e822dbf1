"""A covariance matrix stored in full."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray
from suffice.numerics.covariances.base import Covariance


@dataclass(frozen=True, eq=False)
class FullCovariance(Covariance):
    """The matrix itself.

    Eigenvalues of the correlations below ``cut`` (their mean is 1) are raised to it or, if ``drops``, are dropped with their
    directions.
    """

    matrix: FloatArray
    cut: float = 1e-12
    drops: bool = False

    def plus(self, other: "FullCovariance") -> "FullCovariance":
        return replace(self, matrix=self.matrix + other.matrix)

    def scaled(self, factor: float | FloatArray) -> "FullCovariance":
        return replace(self, matrix=self.matrix * factor)

    def plus_diagonal(self, diagonal: FloatArray) -> "FullCovariance":
        return replace(self, matrix=self.matrix + np.diag(diagonal))

    def plus_outer(self, row: FloatArray) -> "FullCovariance":
        return replace(self, matrix=self.matrix + np.outer(row, row))

    def columns(self, index: AnyArray) -> "FullCovariance":
        return replace(self, matrix=self.matrix[np.ix_(index, index)])

    def zeroed(self, columns: BoolArray) -> "FullCovariance":
        return replace(self, matrix=np.where(columns[:, None] | columns, 0.0, self.matrix))

    def dropping(self, cut: float) -> "FullCovariance":
        return FullCovariance(self.matrix, cut, drops=True)

    def without_correlations(self) -> "FullCovariance":
        return replace(self, matrix=np.diag(self.variances))

    def floored(self, floor: float, variances: FloatArray) -> "FullCovariance":
        return replace(self._plus_where_constant(floor, variances), cut=floor)

    def row(self, column: int) -> FloatArray:
        return np.asarray(self.matrix[column])

    def full(self) -> FloatArray:
        return self.matrix

    @property
    def variances(self) -> FloatArray:
        return np.diagonal(self.matrix)

    def spectrum(self, deviation: FloatArray) -> FloatArray:
        return np.asarray(np.linalg.eigvalsh(self.matrix / np.outer(deviation, deviation)), dtype=np.float64)

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Deviations of the live columns, and eigenvalues and eigenvectors of their correlations."""
        deviation = np.sqrt(self.variances[self.live])
        live = self.matrix[np.ix_(self.live, self.live)]
        values, vectors = np.linalg.eigh(live / np.outer(deviation, deviation))
        if self.drops:
            kept = values > self.cut
            return deviation, values[kept], vectors[:, kept]
        return deviation, np.maximum(values, self.cut), vectors

    @cached_property
    def root(self) -> FloatArray:
        """An upper triangular R of the shape of Σ with |R x|² = xᵀ Σ⁻¹ x."""
        deviation, values, vectors = self._parts
        whiten = (vectors / np.sqrt(values) / deviation[:, None]).T
        out = np.zeros(self.matrix.shape)
        # columns with a zero row of R are ignored
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
