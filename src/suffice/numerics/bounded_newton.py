"""Newton's method with non-negativity constraints."""

from collections.abc import Callable

import numpy as np
from scipy import linalg

from suffice.numerics.arrays import BoolArray, FloatArray
from suffice.numerics.directions import solve_positive

_MAX_PIVOTS = 20  # changes of the active set per step
_MAX_HALVINGS = 12
_MAX_DAMPING = 16.0


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

    Each step goes to the minimum of the quadratic model within the bounds, with a backtracking line search. ``curvature``
    is called with a precision, which starts at 1 and grows after a step that gains less than predicted. The method stops
    when the predicted decrease is below ``tol`` times the value.
    """
    x, (value, slope) = start, loss(start)
    damping, hessian = 1.0, curvature(x, 1.0)
    for _ in range(max_steps):
        step = bounded_step(hessian, slope, x, bounded)
        predicted = -float(slope @ step)
        if predicted <= tol * abs(value):
            break
        for halving in range(_MAX_HALVINGS):
            share = 0.5**halving
            candidate = np.where(bounded, np.maximum(x + share * step, 0.0), x + share * step)
            new_value, new_slope = loss(candidate)
            if new_value <= value - 1e-4 * share * predicted:
                break
        else:
            break
        ratio = (value - new_value) / predicted  # 1/2 for a quadratic function
        x, value, slope = candidate, new_value, new_slope
        if ratio < 0.25:
            damping = min(4.0 * damping, _MAX_DAMPING)
        if not 0.4 < ratio < 0.6:
            hessian = curvature(x, damping)
    return x


def bounded_step(curvature: FloatArray, slope: FloatArray, x: FloatArray, bounded: BoolArray) -> FloatArray:
    """The step d that approximately minimises slope · d + d · curvature · d / 2 subject to x + d ≥ 0, by active sets."""
    active = bounded & (x <= 0.0) & (slope > 0.0)
    step = np.zeros(len(x))
    for _ in range(_MAX_PIVOTS):
        free = ~active
        step = np.where(active, -x, 0.0)
        if not free.any():
            break
        right = slope[free] + curvature[np.ix_(free, active)] @ step[active]
        step[free] = -_solve(curvature[np.ix_(free, free)], right)
        below = free & bounded & (x + step < 0.0)
        if not below.any():  # bounded unknowns with a negative slope are released in the next step
            break
        active |= below
    return np.where(bounded, np.maximum(step, -x), step)


def _solve(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """matrix⁻¹ right; ``solve_positive`` if the matrix is not positive definite."""
    _, solution, failed = linalg.lapack.dposv(matrix, right, lower=1)
    return solve_positive(matrix, right) if failed else np.asarray(solution)
