"""The door to the kernels of rows as pairs of columns see them."""

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import CodeArray, IntArray
from suffice.numerics.kernels import check_rows
from suffice.numerics.tables import Tables
from suffice.numerics.weighing import ScoredRows


def pair_cells(codes: CodeArray, pairs: IntArray, steps: CodeArray, threads: int) -> CodeArray:
    """The cell of each row in each pair, (rows, pairs), −1 where one of its two codes is.

    ``steps`` (2, pairs, 1 + codes): how far each code of the two columns leads, the first of them that of code −1.
    """
    if steps.shape[:2] != (2, len(pairs)) or codes.max(initial=-1) + 2 > steps.shape[2]:
        raise ValueError(f"steps {steps.shape} do not fit {len(pairs)} pairs of codes up to {codes.max(initial=-1)}")
    out = np.empty((len(codes), len(pairs)), dtype=np.int32)
    _kernels.pair_cells(np.ascontiguousarray(codes), np.ascontiguousarray(pairs), steps[0], steps[1], out, threads)
    return out


def pair_left_out(
    cells: CodeArray, start: IntArray, tables: Tables, into: ScoredRows, first: int, threads: int
) -> None:
    """Write what the tables say of rows in these cells, each left out of them, as scores from ``first`` on."""
    check_rows("cells", len(cells), into.y, into.weight)
    if len(tables.own) != start[-1] or len(start) != cells.shape[1] + 1 or first + cells.shape[1] > into.parts:
        raise ValueError(f"{cells.shape[1]} pairs of {start[-1]} cells do not fit tables {tables.own.shape}")
    _kernels.pair_left_out(cells, start, tables.own, tables.others, into.y, into.lines, into.lanes, first, threads)
