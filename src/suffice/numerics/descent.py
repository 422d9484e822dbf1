"""Descent on a smooth convex function, with one loop and one line search for all rules of direction.

Scipy's L-BFGS-B has an overhead of half a second per step for two million weights, and computes a gradient with each value,
though in the space of rows values are cheaper.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from suffice.numerics.arrays import FloatArray

_SUM_ROUNDING = 1e-13  # relative error of sums over many rows
_MAX_IDLE_STEPS = 30  # steps without a smaller value or gradient
_DECREASE = 1e-4  # minimum share of the decrease predicted by the slope


class Point(Protocol):
    """A point of the descent. The value is computed eagerly; the gradient and its norm may be lazy."""

    @property
    def x(self) -> FloatArray: ...
    @property
    def value(self) -> float: ...
    @property
    def gradient(self) -> FloatArray: ...
    @property
    def size(self) -> float:
        """The norm of the gradient, to which the tolerance applies."""

    def slope(self, direction: FloatArray) -> float:
        """The derivative along a direction."""


P = TypeVar("P", bound=Point)


class DirectionRule(Protocol):
    """A rule for the direction of the next step, updated by each step."""

    def direction(self, point: Point) -> FloatArray: ...
    def update(self, before: Point, after: Point) -> None: ...


@dataclass(frozen=True)
class Descent(Generic[P]):
    """The result: the last point, the number of steps, and whether it converged."""

    point: P
    steps: int
    converged: bool


def descend(
    start: P,
    evaluate: Callable[[FloatArray], P],
    direction_rule: DirectionRule,
    *,
    tol: float,
    max_steps: int,
    slope_ratio: float = 0.9,
    report: Callable[[int, P], None] = lambda step, point: None,
) -> Descent[P]:
    """Descend from ``start`` until the norm of the gradient is at most ``tol``, or decreases are below rounding.

    The line search ends when the slope is at most ``slope_ratio`` times that at its start: 0.9 is an inexact search, 0.1 a
    nearly exact one, for cheap values.
    """
    point = start
    report(0, point)
    least, idle = point.size, 0
    for step in range(max_steps):
        if point.size <= tol:
            return Descent(point, step, True)
        direction = direction_rule.direction(point)
        following = _search(point, evaluate, direction, slope_ratio)
        flat = _is_flat(point, direction)
        if following is None:
            return Descent(point, step, flat)
        report(step + 1, following)
        direction_rule.update(point, following)
        point = following
        idle = idle + 1 if flat and point.size > 0.5 * least else 0
        least = min(least, point.size)
        if idle == _MAX_IDLE_STEPS:
            return Descent(point, step + 1, True)
    return Descent(point, max_steps, point.size <= tol)


def _rounding(point: Point) -> float:
    """The rounding error of the value, which is a mean of terms of order one."""
    return _SUM_ROUNDING * max(1.0, abs(point.value))


def _is_flat(point: Point, direction: FloatArray) -> bool:
    """Whether the predicted decrease along this direction is below the rounding error of the value."""
    return -point.slope(direction) <= 10 * _rounding(point)


def _search(point: P, evaluate: Callable[[FloatArray], P], direction: FloatArray, slope_ratio: float) -> P | None:
    """The first point along the direction that satisfies the strong Wolfe conditions; None if there is none."""
    slope = point.slope(direction)
    if not slope < 0.0:
        return None
    found: P | None = None
    low, low_slope, high, high_slope = 0.0, slope, np.inf, np.nan
    length = 1.0
    for _ in range(60):
        trial = evaluate(point.x + length * direction)
        if trial.value <= point.value + _DECREASE * length * slope + _rounding(point):
            trial_slope = trial.slope(direction)
            if found is None or trial.value <= found.value:
                found = trial
            if abs(trial_slope) <= slope_ratio * -slope:
                return trial
            if trial_slope < 0.0:
                low, low_slope = length, trial_slope
            else:
                high, high_slope = length, trial_slope
        else:  # too far, or NaN
            high, high_slope = length, np.nan
        length = _next_length(low, low_slope, high, high_slope)
        if high - low < 1e-12 * high:
            break
    return found


def _next_length(low: float, low_slope: float, high: float, high_slope: float) -> float:
    """The step length at which the linearly interpolated slope is zero, kept inside the bracket of the minimum."""
    if high == np.inf:
        return 4.0 * low
    share = low_slope / (low_slope - high_slope) if high_slope > 0.0 else 0.25
    return low + min(0.9, max(0.1, share)) * (high - low)
