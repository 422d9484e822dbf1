"""Fourier sums of rows of numbers."""

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import FloatArray, SingleArray

_WAVES_PER_VECTOR = 16  # of the kernel


class FourierSum:
    """Σ a cos(ω · z) + b sin(ω · z) for ``frequencies`` ω (numbers, waves) and ``coefficients`` (2 · waves, classes), cosines
    first.

    Sums are in a fixed order, so the result for a row does not depend on other rows.

    >>> waves = FourierSum(np.array([[np.pi]]), np.array([[2.0], [1.0]]))
    >>> waves.scores(np.array([[1.0], [0.5]], dtype=np.float32)).round(12).tolist()
    [[-2.0], [1.0]]
    """

    def __init__(self, frequencies: SingleArray | FloatArray, coefficients: FloatArray) -> None:
        waves = frequencies.shape[1]
        if coefficients.shape[0] != 2 * waves:
            raise ValueError(f"{coefficients.shape[0]} coefficients do not fit {waves} cosines and as many sines")
        more = -waves % _WAVES_PER_VECTOR
        self._frequencies = np.pad(frequencies.astype(np.float64), ((0, 0), (0, more)))
        halves = [np.pad(half, ((0, more), (0, 0))) for half in np.split(coefficients, 2)]
        self._coefficients = np.ascontiguousarray(np.concatenate(halves).T, dtype=np.float64)

    def scores(self, z: SingleArray, threads: int = 1) -> FloatArray:
        """(rows, classes)"""
        if z.shape[1] != len(self._frequencies):
            raise ValueError(f"{z.shape[1]} numbers do not fit {len(self._frequencies)} frequencies")
        out = np.zeros((len(z), len(self._coefficients)))
        z = np.ascontiguousarray(z, dtype=np.float32)
        _kernels.wave_scores(z, self._frequencies, self._coefficients, out, threads)
        return out
