"""Decision boundaries along a line."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from suffice.numerics.arrays import FloatArray, IntArray
from suffice.numerics.monotone_roots import bisected_doubles


@dataclass(frozen=True)
class Boundary:
    """The last point before the most probable class changes, with the indices of the classes below and above."""

    at: float
    below: int
    above: int


def boundaries(scores: Callable[[FloatArray], FloatArray], grid: FloatArray) -> tuple[Boundary, ...]:
    """The points at which the class of largest score changes, to machine precision; ``scores`` maps points to (points,
    classes).

    Two changes between neighbouring points of ``grid`` may be found as one or none.

    Parameters
    ----------
    scores : callable
        Maps points to scores of shape (n_points, n_classes).
    grid : ndarray of shape (n_points,)
        Increasing points between which changes are searched.

    Returns
    -------
    tuple of Boundary
        In increasing order.

    Examples
    --------
    >>> boundaries(lambda x: np.column_stack([-(x**2), -((x - 1) ** 2)]), np.linspace(-2, 3, 11))
    (Boundary(at=0.5, below=0, above=1),)
    """
    first = scores(grid).argmax(axis=1)
    step = np.flatnonzero(np.diff(first))
    below: IntArray = first[step]
    ends = grid[step].astype(np.float64), grid[step + 1].astype(np.float64)
    low, high = bisected_doubles(lambda x: scores(x).argmax(axis=1) == below, *ends)
    above = scores(high).argmax(axis=1) if len(step) else below
    return tuple(Boundary(float(x), int(a), int(b)) for x, a, b in zip(low, below, above, strict=True))
