"""Zeros of a function that is monotone between known points, whatever their scale."""

from collections.abc import Callable

import numpy as np

from suffice.numerics.arrays import BoolArray, FloatArray
from suffice.numerics.tables import MANTISSA, grid_cells, grid_edge

_ROUNDING = 32 * float(np.finfo(float).eps)
_HALVINGS = 65  # bisections of the doubles between two doubles, which are fewer than 2⁶⁴


def monotone_roots(f: Callable[[FloatArray], tuple[FloatArray, FloatArray]], ends: FloatArray) -> FloatArray:
    """The largest doubles before which, or at which, f has the sign that it has at the end before: one for each change.

    ``f`` gives values and the size of the terms they are differences of. Between neighbours of the rising ``ends`` it is
    monotone, so two neighbours of one sign have no zero between them and two of different signs have one, found by
    halving the doubles between them. An end where f is zero up to rounding is passed over.

    >>> monotone_roots(lambda x: (x**2 - 2, x**2 + 2), np.array([-9.0, 0.0, 9.0])).round(12).tolist()
    [-1.414213562373, 1.414213562373]
    """
    value, size = f(ends)
    sure = np.abs(value) > _ROUNDING * size
    ends, above = ends[sure], value[sure] > 0
    change = np.flatnonzero(above[1:] != above[:-1])
    before = above[change]
    return last_doubles(lambda x: (f(x)[0] > 0) == before, ends[change], ends[change + 1])[0]


def last_doubles(
    same: Callable[[FloatArray], BoolArray], low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Neighbouring doubles between ``low``, where ``same`` holds, and ``high``, where it does not: the last at which it holds,
    and the next, by halving the doubles between them."""
    first, last = grid_cells(low, MANTISSA), grid_cells(high, MANTISSA)
    for _ in range(_HALVINGS if len(first) else 0):
        middle = (first >> 1) + (last >> 1) + (first & last & 1)
        still = same(grid_edge(middle, MANTISSA))
        first, last = np.where(still, middle, first), np.where(still, last, middle)
    return grid_edge(first, MANTISSA), grid_edge(last, MANTISSA)
