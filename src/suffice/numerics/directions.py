"""Descent directions: Newton's, with the Hessian of a sample of rows, and L-BFGS, from the last steps."""

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

from suffice.numerics.arrays import FloatArray, inner
from suffice.numerics.descent import Point


def solve_positive(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """matrix⁻¹ right for a symmetric matrix that is positive definite up to rounding.

    It is scaled to a unit diagonal, so that units of columns do not matter. If it is singular (duplicate or zero columns),
    the smallest sufficient ridge is added to the diagonal.

    >>> solve_positive(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([3.0, 3.0])).round(6)
    array([1., 1.])
    """
    if not np.isfinite(matrix).all():
        raise ValueError("the matrix is not finite")
    diagonal = np.sqrt(np.maximum(np.diagonal(matrix), 0.0))
    units = np.where(diagonal > 0.0, diagonal, 1.0)
    scaled = matrix / units / units[:, None]
    ridge = 1e-14 * len(scaled)
    while True:  # entries are at most one, so this ends when the matrix is diagonally dominant, if not before
        try:
            factor = linalg.cho_factor(
                scaled + ridge * np.eye(len(scaled)), lower=True, overwrite_a=True, check_finite=False
            )
        except linalg.LinAlgError:
            ridge *= 100.0
        else:
            shaped = units.reshape(-1, *[1] * (right.ndim - 1))
            solution: FloatArray = linalg.cho_solve(factor, right / shaped, check_finite=False) / shaped
            return solution


class LBFGS:
    """Limited-memory BFGS: the curvature along the last steps, and a multiple of the identity in other directions.

    ``dot`` is the inner product of the space; ``first`` the length of the first step in units of the gradient.
    """

    def __init__(self, dot: Callable[[FloatArray, FloatArray], float], first: float = 1.0, pairs: int = 5) -> None:
        self._dot, self._scale = dot, first
        self._pairs: deque[tuple[FloatArray, FloatArray, float]] = deque(maxlen=pairs)

    def direction(self, point: Point) -> FloatArray:
        direction = -point.gradient
        scratch = np.empty_like(direction)  # saves memory for long vectors
        shares = []
        for step, change, curved in reversed(self._pairs):
            shares.append(self._dot(step, direction) / curved)
            direction -= np.multiply(change, shares[-1], out=scratch)
        direction = self._base_direction(point, direction)
        for (step, change, curved), share in zip(self._pairs, reversed(shares), strict=True):
            direction += np.multiply(step, share - self._dot(change, direction) / curved, out=scratch)
        return direction

    def _base_direction(self, point: Point, direction: FloatArray) -> FloatArray:
        direction *= self._scale
        return direction

    def update(self, before: Point, after: Point) -> None:
        step, change = after.x - before.x, after.gradient - before.gradient
        curved, squared = self._dot(step, change), self._dot(change, change)
        if curved > 1e-20 * squared:  # not lost in rounding
            self._pairs.append((step, change, curved))
            self._scale = curved / squared


class Newton(LBFGS):
    """Newton steps with the Hessian of a sample of the rows.

    Sampling errors are corrected by L-BFGS. If the gradient hardly decreases, the sample grows; with all rows no correction
    is needed.
    """

    def __init__(self, curvature: Callable[[Any, float], FloatArray], share: float = 1.0) -> None:
        super().__init__(inner)
        self._curvature, self._share = curvature, share

    def _base_direction(self, point: Point, direction: FloatArray) -> FloatArray:
        return solve_positive(self._curvature(point, self._share), direction)

    def update(self, before: Point, after: Point) -> None:
        if after.size > 0.7 * before.size:
            self._share = min(1.0, 4.0 * self._share)
        if self._share < 1.0:
            super().update(before, after)
        else:
            self._pairs.clear()
