"""Zeros of a function that is monotone between known points, whatever their scale."""

from collections.abc import Callable

import numpy as np

from suffice.numerics.arrays import FloatArray
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
    low, high = grid_cells(ends[change], MANTISSA), grid_cells(ends[change + 1], MANTISSA)
    for _ in range(_HALVINGS if len(change) else 0):
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        same = (f(grid_edge(middle, MANTISSA))[0] > 0) == above[change]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return grid_edge(low, MANTISSA)
