"""Sampling of numbers from the cells in which a column was counted."""

import numpy as np

from suffice.families.tails import Tail, widths_of
from suffice.numerics.arrays import FloatArray

_TINY = np.finfo(np.float64).tiny


def draw_numbers(
    grid: FloatArray,
    end: FloatArray,
    tails: tuple[Tail, Tail],
    cuts: FloatArray,
    ratio: FloatArray,
    n: int,
    rng: "np.random.Generator",
) -> FloatArray:
    """``n`` of one class, which has ``ratio`` times the mass of all classes in each bin.

    Bins and tails are drawn by the density of the class; within a bin, cells are drawn by the rows of all classes.
    """
    edge, mass = grid
    low, high = tails
    beyond = np.exp([low.log_mass, high.log_mass])
    inside = np.searchsorted(cuts, edge, side="right")
    share = mass / mass.sum() * ratio[inside] * (1 - beyond.sum())
    p = np.concatenate([share, beyond * ratio[[0, -1]]])
    drawn = rng.choice(len(p), size=n, p=p / p.sum())
    whole = _are_whole(edge, end)
    first, width = np.append(edge, [0.0, 0.0]), np.append(widths_of(edge, end), [0.0, 0.0])
    x = first[drawn] + np.where(width < _TINY, 0.0, width)[drawn] * rng.random(n)  # the cell of zero
    x = np.trunc(x) if whole else x
    for place, tail in enumerate(tails, start=len(edge)):
        there = np.flatnonzero(drawn == place)
        beyond_rows = tail.draw(len(there), rng)
        x[there] = np.rint(beyond_rows) if whole else beyond_rows
    return x


def _are_whole(edge: FloatArray, end: FloatArray) -> bool:
    """Whether the number closest to zero in each cell is an integer."""
    simplest = np.where(edge >= 0, edge, np.nextafter(end, -np.inf))
    return bool((simplest == np.rint(simplest)).all())
