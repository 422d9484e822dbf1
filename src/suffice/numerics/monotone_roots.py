"""Roots of a function that is monotone between known points, at any scale."""

from collections.abc import Callable

import numpy as np

from suffice.numerics.arrays import BoolArray, FloatArray
from suffice.numerics.tables import MANTISSA, grid_cells, grid_edge

_ROUNDING = 32 * float(np.finfo(float).eps)
_BISECTIONS = 65  # there are fewer than 2⁶⁴ doubles between two doubles


def monotone_roots(f: Callable[[FloatArray], tuple[FloatArray, FloatArray]], ends: FloatArray) -> FloatArray:
    """For each sign change of f between neighbouring ``ends``, the largest double with the sign of the left end.

    ``f`` returns values and the magnitude of the terms that cancel in them. It is monotone between neighbours of the
    sorted ``ends``, so neighbours of different signs enclose one root, found by bisection of the doubles between them.
    Ends where f is zero up to rounding are skipped.

    >>> monotone_roots(lambda x: (x**2 - 2, x**2 + 2), np.array([-9.0, 0.0, 9.0])).round(12).tolist()
    [-1.414213562373, 1.414213562373]
    """
    value, size = f(ends)
    significant = np.abs(value) > _ROUNDING * size
    ends, above = ends[significant], value[significant] > 0
    change = np.flatnonzero(above[1:] != above[:-1])
    before = above[change]
    return bisected_doubles(lambda x: (f(x)[0] > 0) == before, ends[change], ends[change + 1])[0]


def bisected_doubles(
    condition: Callable[[FloatArray], BoolArray], low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The last double from ``low``, where ``condition`` is true, to ``high``, where it is false, at which it is true, and the
    next double, by bisection."""
    first, last = grid_cells(low, MANTISSA), grid_cells(high, MANTISSA)
    for _ in range(_BISECTIONS if len(first) else 0):
        middle = (first >> 1) + (last >> 1) + (first & last & 1)
        holds = condition(grid_edge(middle, MANTISSA))
        first, last = np.where(holds, middle, first), np.where(holds, last, middle)
    return grid_edge(first, MANTISSA), grid_edge(last, MANTISSA)
