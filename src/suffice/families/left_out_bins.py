"""Leave-one-out log densities of a column of bins, with bins and shrinkage re-estimated without the row."""

from collections.abc import Callable, Hashable

import numpy as np

from suffice.columns.class_codes import ClassCodes
from suffice.families.number_bins import first_cells, may_be_codes
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.numerics.tables import grid_cells, grid_edge
from suffice.statistics import GridCounts
from suffice.statistics.base import check_difference, subtract_checked

_ROWS = "rows with such a number"


def left_out_bins(
    counts: GridCounts, most: int, x: FloatArray, y: ClassCodes, score: Callable[[GridCounts, float], FloatArray]
) -> FloatArray:
    """log p(x | class), (rows, classes), of learned rows of one column; a missing cell adds nothing.

    ``score`` bins the counts without the row, at most ``most`` bins, and returns the log density of its number, (classes,).
    Rows share a score if the remaining bins, their bin, class and weight are equal, so the number of scores is a few per
    bin. Values that may be codes have one per value and class.
    """
    ((cells, table),), (bits,) = counts.columns(), counts.bits
    out = np.zeros((len(x), counts.n_classes))
    rows = np.flatnonzero(~np.isnan(x))
    weights = y.weights[rows]
    kinds, first, which = np.unique(
        np.column_stack([_places(cells, grid_cells(x[rows], bits), weights), y.codes[rows], weights]),
        axis=0,
        return_index=True,
        return_inverse=True,
    )
    scores = np.empty((len(kinds), counts.n_classes))
    done: dict[Hashable, int] = {}
    for k, (place, klass, weight) in enumerate(kinds.tolist()):
        number = float(x[rows[first[k]]])
        left = _without(cells, table, int(place), int(klass), weight)
        key = (_bins_left(*left, bits, most, number), klass, weight)
        same = k if key[0] is None else done.setdefault(key, k)
        scores[k] = scores[same] if same < k else score(GridCounts.of((bits,), [left], counts.n_classes), number)
    out[rows] = scores[which.ravel()]
    return out


def _places(cells: IntArray, some: IntArray, weight: FloatArray) -> IntArray:
    """The indices of some cells among the non-empty ones; a row of zero weight was not counted and may have none."""
    places = np.searchsorted(cells, some)
    found, needed = (np.append(cells, -1)[places] == some).astype(np.float64), (weight > 0).astype(np.float64)
    check_difference(found - needed, found, needed, _ROWS)
    return places


def _without(cells: IntArray, table: FloatArray, place: int, klass: int, weight: float) -> tuple[IntArray, FloatArray]:
    """The non-empty cells without one row, and their counts."""
    if weight == 0:
        return cells, table
    less = table.copy()
    less[klass, place] = subtract_checked(table[klass, [place]], np.array([weight]), _ROWS)[0]
    return (cells, less) if less[:, place].any() else (np.delete(cells, place), np.delete(less, place, axis=1))


def _bins_left(cells: IntArray, table: FloatArray, bits: int, most: int, number: float) -> Hashable:
    """The bounds of the bins, and the bin of a number; None if its density depends on more than the rows of each
    bin."""
    if not len(cells) or not grid_edge(cells[:1], bits)[0] <= number < grid_edge(cells[-1:] + 1, bits)[0]:
        return None  # the number is in a tail, whose scale depends on all cells
    first = first_cells(table, most)
    if may_be_codes(table, first):
        return None
    begin = cells[first]
    return begin.tobytes(), int(np.searchsorted(grid_edge(begin, bits), number, side="right"))
