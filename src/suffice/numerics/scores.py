"""Scores with parameters of −inf (probability zero), for which 0 · −inf and −inf − (−inf) would be NaN.

The kernel is called with zeros in place of −inf, and again to count the −inf of each row; a row with any scores −inf. Tables
without −inf need one call.
"""

import numpy as np

from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray, SparseRows


def _split(table: FloatArray) -> tuple[FloatArray, FloatArray]:
    impossible = np.isneginf(table)
    return np.where(impossible, 0.0, table), impossible.astype(np.float64)


def add_linear(x: AnyArray, constant: FloatArray, slope: FloatArray, out: FloatArray, threads: int) -> None:
    """out[r, c] += Σ_j constant[c, j] + slope[c, j] x[r, j] for x ≥ 0, with 0 · −inf = 0."""
    finite, impossible = _split(slope)
    hits = np.zeros_like(out)
    kernels.add_linear_scores(x, constant, finite, out, threads)
    kernels.add_step_scores(x, 0.0, np.zeros_like(impossible), impossible, hits, threads)
    out[hits > 0] = -np.inf


class SparseSlopes:
    """Scores of sparse rows, out += Σ constant + x · slopeᵀ, with 0 · −inf = 0; parameters are laid out for the kernel once."""

    def __init__(self, constant: FloatArray, slope: FloatArray) -> None:
        self._start = constant.sum(axis=1)
        finite, impossible = _split(slope)
        self._finite = kernels.class_rows(finite)
        self._impossible = kernels.class_rows(impossible) if impossible.any() else None

    def add_to(self, out: FloatArray, x: SparseRows, threads: int) -> None:
        kernels.add_sparse_scores(x, None, self._start, self._finite, out, threads)
        if self._impossible is not None:
            hits = np.zeros_like(out)
            kernels.add_sparse_scores(x, 0.0, np.zeros_like(self._start), self._impossible, hits, threads)
            out[hits > 0] = -np.inf


class SparseSteps:
    """Scores of sparse rows, out[r, c] += Σ_j above[c, j] if x[r, j] > threshold else below[c, j].

    Cells that are not stored are zero, so below: a row starts from Σ_j below[c, j], and stored cells above add a difference.
    """

    def __init__(self, threshold: float, below: FloatArray, above: FloatArray) -> None:
        low, never_low = _split(below)
        high, never_high = _split(above)
        self._threshold = threshold
        self._start = low.sum(axis=1)
        self._change = kernels.class_rows(high - low)
        self._impossible = never_low.sum(axis=1)
        changes = never_high - never_low
        self._impossible_change = kernels.class_rows(changes) if changes.any() else None

    def add_to(self, out: FloatArray, x: SparseRows, threads: int) -> None:
        kernels.add_sparse_scores(x, self._threshold, self._start, self._change, out, threads)
        if self._impossible_change is not None:
            hits = np.zeros_like(out)
            kernels.add_sparse_scores(x, self._threshold, self._impossible, self._impossible_change, hits, threads)
            out[hits > 0] = -np.inf
        elif self._impossible.any():
            out[:, self._impossible > 0] = -np.inf
