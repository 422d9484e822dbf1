"""A few steps of L-BFGS on a smooth function of very many numbers.

scipy's minimiser keeps bounds and compact matrices that cost more than the function itself when there are a million
variables and six steps; this is the two-loop recursion and a line search, nothing else.
"""

from collections import deque
from collections.abc import Callable

from suffice.numerics.arrays import FloatArray

Function = Callable[[FloatArray], tuple[float, FloatArray]]
"""Value and gradient."""


def descend(function: Function, start: FloatArray, steps: int, memory: int = 6) -> FloatArray:
    """Where ``steps`` steps downhill from ``start`` lead; the first is as long as the gradient.

    >>> import numpy as np
    >>> descend(lambda x: (float(((x - 3) ** 2).sum()), 2 * (x - 3)), np.zeros(2), 5).round(6).tolist()
    [3.0, 3.0]
    """
    at = start
    value, gradient = function(at)
    pairs: deque[tuple[FloatArray, FloatArray, float]] = deque(maxlen=memory)
    for _ in range(steps):
        direction = -_times_inverse(gradient, pairs)
        slope = float(direction @ gradient)
        if not slope < 0:
            break
        length = 1.0
        while True:
            to = at + length * direction
            new_value, new_gradient = function(to)
            if new_value <= value + 1e-4 * length * slope:
                break
            length *= 0.5
            if length < 1e-8:
                return at
        moved, turned = to - at, new_gradient - gradient
        curvature = float(moved @ turned)
        if curvature > 1e-12 * float(turned @ turned):
            pairs.append((moved, turned, 1 / curvature))
        at, value, gradient = to, new_value, new_gradient
    return at


def _times_inverse(vector: FloatArray, pairs: "deque[tuple[FloatArray, FloatArray, float]]") -> FloatArray:
    """The inverse of the second derivative, as far as the steps have shown it, times a vector."""
    out = vector.copy()
    shares = []
    for moved, turned, inverse in reversed(pairs):
        share = inverse * float(moved @ out)
        out -= share * turned
        shares.append(share)
    if pairs:
        moved, turned, inverse = pairs[-1]
        out *= 1 / (inverse * float(turned @ turned))
    for (moved, turned, inverse), share in zip(pairs, reversed(shares), strict=True):
        out += (share - inverse * float(turned @ out)) * moved
    return out
