"""Cutting columns into groups of about equal mass, and finding the group of a cell."""

from collections.abc import Sequence

import numpy as np

from suffice.numerics.arrays import AnyArray, FloatArray, IntArray


def equal_groups(mass: FloatArray, most: int) -> IntArray:
    """The group of each of some ordered cells: ``most`` groups, or hardly more, of about equal mass.

    A cell heavier than such a share (a spike: zeros, codes) stands alone, and the others share what is left.
    """
    spikes = np.zeros(len(mass), dtype=bool)
    while True:
        groups = max(most - int(spikes.sum()), 1)
        share = mass[~spikes].sum() / groups
        heavy = (mass > share) & ~spikes
        if groups == 1 or not heavy.any():
            break
        spikes |= heavy
    # between two spikes: as many groups as there are shares, each cell in the one its middle falls into
    run = np.cumsum(spikes) * 2 + ~spikes  # odd: a run of light cells
    out = np.zeros(len(mass), dtype=np.int64)
    light = np.where(spikes, 0.0, mass)
    before = np.cumsum(light) - light
    first = np.concatenate([[True], run[1:] != run[:-1]]) if len(mass) else np.zeros(0, dtype=bool)
    begins = np.maximum.accumulate(np.where(first, np.arange(len(mass)), 0))
    if share > 0:
        out = np.floor((before - before[begins] + light / 2) / share).astype(np.int64)
    change = np.concatenate([[False], (run[1:] != run[:-1]) | (out[1:] != out[:-1])]) if len(mass) else first
    return np.cumsum(change)


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
