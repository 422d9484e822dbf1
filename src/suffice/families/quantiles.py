"""Finding the interval that a cell is in."""

from collections.abc import Sequence

import numpy as np

from suffice.numerics.arrays import AnyArray, FloatArray, IntArray


def between(cuts: Sequence[FloatArray], x: AnyArray) -> IntArray:
    """Which of the intervals that the cuts of its column leave each cell is in, −1 where it is missing.

    >>> between([np.array([1.0, 2.0])], np.array([[0.5], [1.0], [np.nan]])).tolist()
    [[0], [1], [-1]]
    """
    out = np.empty(x.shape, dtype=np.int64)
    for j, column in enumerate(cuts):
        out[:, j] = column.searchsorted(x[:, j], side="right")
    out[np.isnan(x)] = -1
    return out
