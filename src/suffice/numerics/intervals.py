"""Interval search and linear interpolation by column."""

from collections.abc import Sequence

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray, SingleArray


class Intervals:
    """Intervals between the sorted cuts of each column.

    >>> Intervals([np.array([1.0, 2.0])]).indices(np.array([[0.5], [1.0], [np.nan]])).tolist()
    [[0], [1], [-1]]
    """

    def __init__(self, cuts: Sequence[FloatArray]) -> None:
        self._cuts, self._start = _concatenated(cuts)

    def indices(self, x: AnyArray, threads: int = 1) -> CodeArray:
        """The interval of each cell, (rows, columns); −1 if the cell is missing."""
        if x.shape[1] != len(self._start) - 1:
            raise ValueError(f"{x.shape[1]} columns do not fit cuts of {len(self._start) - 1}")
        out = np.empty(x.shape, dtype=np.int32)
        _kernels.intervals(x, self._cuts, self._start, out, threads)
        return out


class Polylines:
    """Piecewise linear functions of columns, by knots (2, knots) of positions and values; constant beyond the knots.

    >>> out = np.empty((3, 1), dtype=np.float32)
    >>> Polylines({1: np.array([[0.0, 2.0], [10.0, 20.0]])}).write(np.array([[9, 1.0], [9, 7.0], [9, np.nan]]), out)
    >>> out.tolist()
    [[15.0], [20.0], [0.0]]
    """

    def __init__(self, knots: dict[int, FloatArray]) -> None:
        self._columns = np.array([*knots], dtype=np.int64)
        self._at, self._start = _concatenated([at for at, _ in knots.values()])
        self._height, _ = _concatenated([height for _, height in knots.values()])
        if (np.diff(self._start) < 2).any():
            raise ValueError(f"a line needs two knots at least, not {np.diff(self._start).min()}")

    @property
    def width(self) -> int:
        """The number of functions."""
        return len(self._columns)

    def write(self, x: AnyArray, out: SingleArray, threads: int = 1) -> None:
        """Write the values for each row of x to (rows, functions); zero for a missing cell."""
        outside = (self._columns < 0) | (self._columns >= x.shape[1])
        if out.shape != (len(x), self.width) or outside.any():
            raise ValueError(f"lines at columns {self._columns} do not fit {x.shape} cells and {out.shape} heights")
        _kernels.polylines(x, self._columns, self._at, self._height, self._start, out, threads)


def _concatenated(parts: Sequence[FloatArray]) -> tuple[FloatArray, IntArray]:
    """The concatenation of arrays, and their offsets with the total at the end."""
    start = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return np.concatenate([np.zeros(0), *parts]), start
