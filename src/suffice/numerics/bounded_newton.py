"""Newton's method with lower bounds of zero on some unknowns."""

from collections.abc import Callable

import numpy as np
from scipy import linalg

from suffice.numerics.arrays import BoolArray, FloatArray
from suffice.numerics.directions import solve_positive

_PIVOTS = 20  # changes of the active set per step
_MOST_HALVINGS = 12
_MOST_DAMPING = 16.0


def minimise(
    loss: Callable[[FloatArray], tuple[float, FloatArray]],
    curvature: Callable[[FloatArray, float], FloatArray],
    start: FloatArray,
    bounded: BoolArray,
    *,
    tol: float,
    max_steps: int,
) -> FloatArray:
    """The minimum of a smooth convex function with ``bounded`` unknowns ≥ 0.

    Each step goes to the minimum of the quadratic model within the bounds, or part of the way if that is not lower.
    The curvature is requested with a level of care, which starts at 1 and grows after a bad step. Ends when a step
    is predicted to gain less than ``tol`` of the value.
    """
    x, (value, slope) = start, loss(start)
    care, curved = 1.0, curvature(x, 1.0)
    for _ in range(max_steps):
        step = bounded_step(curved, slope, x, bounded)
        promised = -float(slope @ step)
        if promised <= tol * abs(value):
            break
        for halving in range(_MOST_HALVINGS):
            share = 0.5**halving
            there = np.where(bounded, np.maximum(x + share * step, 0.0), x + share * step)
            lower, tilt = loss(there)
            if lower <= value - 1e-4 * share * promised:
                break
        else:
            break
        kept = (value - lower) / promised  # half, if it is a parabola
        x, value, slope = there, lower, tilt
        if kept < 0.25:
            care = min(4.0 * care, _MOST_DAMPING)
        if not 0.4 < kept < 0.6:
            curved = curvature(x, care)
    return x


def bounded_step(curvature: FloatArray, slope: FloatArray, x: FloatArray, bounded: BoolArray) -> FloatArray:
    """The step d that makes slope · d + d · curvature · d / 2 least, or nearly so, with x + d ≥ 0."""
    held = bounded & (x <= 0.0) & (slope > 0.0)
    step = np.zeros(len(x))
    for _ in range(_PIVOTS):
        free = ~held
        step = np.where(held, -x, 0.0)
        if not free.any():
            break
        right = slope[free] + curvature[np.ix_(free, held)] @ step[held]
        step[free] = -_solved(curvature[np.ix_(free, free)], right)
        below = free & bounded & (x + step < 0.0)
        if not below.any():  # bounded unknowns with a negative slope are released in the next step
            break
        held |= below
    return np.where(bounded, np.maximum(step, -x), step)


def _solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """matrix⁻¹ right, with a fallback for a matrix that is not positive definite."""
    _, solution, failed = linalg.lapack.dposv(matrix, right, lower=1)
    return solve_positive(matrix, right) if failed else np.asarray(solution)
