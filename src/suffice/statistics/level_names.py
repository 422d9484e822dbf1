"""Levels of columns matched by name: unions, and indices of levels in a superset."""

from collections.abc import Sequence

import numpy as np

from suffice.columns import spelling
from suffice.columns.blocks import starts
from suffice.columns.kinds import Level
from suffice.errors import MergeError
from suffice.numerics.arrays import BoolArray, IntArray

Names = Sequence[Sequence[Level]]
"""The levels of each column; their concatenation indexes the cells of a table."""


def sorted_levels(levels: Names, occurs: BoolArray) -> tuple[tuple[tuple[Level, ...], ...], IntArray]:
    """The observed levels, sorted, and their indices among all levels."""
    kept: list[tuple[Level, ...]] = []
    order: list[int] = []
    for column, start in zip(levels, starts(levels)[:-1], strict=True):
        present = [i for i in range(len(column)) if occurs[start + i]]
        if not isinstance(column, range):
            present.sort(key=lambda i, names=column: _rank(names[i]))  # type: ignore[misc]
        kept.append(tuple(column[i] for i in present))
        order.extend(int(start) + i for i in present)
    return tuple(kept), np.array(order, dtype=np.int64)


def merged_levels(mine: Names, theirs: Names) -> tuple[tuple[Level, ...], ...]:
    """The union of the levels, by column."""
    if len(mine) != len(theirs):
        raise MergeError(f"Counts of {len(mine)} and of {len(theirs)} columns cannot be merged", "they must be as many")
    return tuple(spelling.merged_levels(a, b) for a, b in zip(mine, theirs, strict=True))


def level_indices(mine: Names, among: Names) -> IntArray:
    """The indices of these levels in a superset."""
    found: list[int] = []
    for column, others, start in zip(mine, among, starts(among)[:-1], strict=True):
        found.extend(int(start) + at for at in spelling.level_indices(column, others))
    return np.array(found, dtype=np.int64)


def cell_level(levels: Names, cell: int) -> tuple[int, Level]:
    """The column and the level of a cell."""
    column = int(np.searchsorted(starts(levels), cell, side="right")) - 1
    return column, levels[column][cell - int(starts(levels)[column])]


def _rank(level: Level) -> tuple[str, Level]:
    """A sort key: numbers before text, since a column may have both."""
    return ("" if isinstance(level, (int, float)) else type(level).__name__, level)
