"""Bins of one column of numbers: in order, or, where numbers are codes, each value by itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.families.shrunk import ShrunkColumn, Stage, Strength, shrink, shrink_in_stages
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.numerics.tables import equal_groups, grid_edge

_MOST, _EACH = 4_096, 3.0  # values that are told apart, and rows of each on average
_APART = 24  # values that are told apart well enough in order
_UNEVEN = 2.0  # standard deviations of χ², from which on values within bins are looked at


@dataclass(frozen=True, eq=False)
class NumberBins:
    """Where bins begin, but for the first, and their tables."""

    cuts: FloatArray
    column: ShrunkColumn


def cut(cells: IntArray, table: FloatArray, bits: int, most: int, strength: Strength) -> NumberBins:
    """At most ``most`` bins of about equal mass, or hardly more, halved again and again (a Pólya tree).

    Numbers may be codes, whose order tells nothing. Where rows left out gain by it, each value is a bin of its own, shrunk
    toward all classes together by itself, or within the bins. Both are read off the same counts.
    """
    group = equal_groups(table.sum(axis=0), most)
    first = np.flatnonzero(np.diff(group, prepend=-1))
    edge, end = grid_edge(cells, bits), grid_edge(cells + 1, bits)
    counts = np.add.reduceat(table, first, axis=1) if len(first) else table
    column = shrink(counts, strength, binary=True, log_width=np.log(_width(np.append(edge[first], end[-1:]))))
    ordered = NumberBins(edge[first[1:]], column)
    if not _may_be_codes(table, first):
        return ordered
    alone = Stage.of(np.arange(len(cells)), strength)
    ways = [[alone], [Stage.of(first, strength, binary=True), alone]][: 1 + (len(first) < len(cells))]
    rough = [shrink_in_stages(table, [stage.rough for stage in stages]).loss for stages in ways]
    best = int(np.argmin(rough))
    if rough[best] >= column.loss:
        return ordered
    by_value = _by_value(table, edge, end, ways[best])
    inside = np.searchsorted(ordered.cuts, np.append(-np.inf, by_value.cuts), side="right")
    return by_value if by_value.column.gains(column.losses()[:, inside]) else ordered


def _may_be_codes(table: FloatArray, first: IntArray) -> bool:
    """Whether values in a bin may differ more than by chance; if each has its own, whether there are enough of them."""
    values = table.shape[1]
    if len(first) == values:
        return bool(values > _APART)
    if values > _MOST or table.sum() < _EACH * values:
        return False
    runs, size = np.add.reduceat(table, first, axis=1), np.diff(np.append(first, values))
    mass = table.sum(axis=0)
    share = runs / runs.sum(axis=0)
    expected = np.repeat(share, size, axis=1) * mass
    with np.errstate(divide="ignore", invalid="ignore"):
        uneven = float(np.where(expected > 0, (table - expected) ** 2 / expected, 0.0).sum())
    freedom = float(((size - 1) * (np.count_nonzero(runs, axis=0) - 1)).sum())
    return bool(uneven - freedom > _UNEVEN * np.sqrt(2 * freedom))


def _by_value(table: FloatArray, edge: FloatArray, end: FloatArray, stages: Sequence[Stage]) -> NumberBins:
    """A bin for each value, and, with no rows, one for each gap between values where others may come."""
    past = np.maximum(edge + np.diff(edge).min(), end)
    start = np.concatenate([edge, past[np.append(past[:-1] < edge[1:], True)]])
    order = np.argsort(start, kind="stable")
    at = 1 + np.flatnonzero(order < len(edge))  # the first bin is below all values
    bins = np.arange(1 + len(start))
    value = np.maximum(np.searchsorted(at, bins, side="right") - 1, 0)
    counts = np.zeros((len(table), len(bins)))
    counts[:, at] = table
    runs = [replace(stage, first=np.append(0, at[stage.first[1:]])) for stage in stages[:-1]]
    # over a gap the density goes on as it is at the value before
    log_width = np.log(_width(np.append(edge, past[-1])))[value]
    made = shrink_in_stages(counts, [*runs, replace(stages[-1], first=bins)], log_width, table.sum(axis=0)[value])
    return NumberBins(start[order], made)


def _width(edges: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        return np.minimum(np.diff(edges), 1e300)
