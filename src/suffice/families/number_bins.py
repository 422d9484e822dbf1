"""Bins of one column of numbers: ordered, or one per value if numbers are codes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.families.shrunk import ShrunkColumn, Stage, Strength, shrink, shrink_in_stages
from suffice.families.tails import Tail, tail_scales, widths_of
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.numerics.tables import equal_groups, grid_edge

_MAX_VALUES, _MIN_ROWS_PER_VALUE = 4_096, 3.0  # distinct values, and mean rows per value
_MAX_RESOLVED_VALUES = 24  # distinct values that ordered bins resolve
_MIN_UNEVENNESS = 2.0  # of values within bins: standard deviations of χ²


@dataclass(frozen=True, eq=False)
class NumberBins:
    """The bounds between bins, and their tables.

    Over all classes together they have a density that integrates to one: uniform within a bin, with a tail below and above
    the rows. The density of a class is a multiple of it in each bin, tails included.
    """

    cuts: FloatArray
    column: ShrunkColumn
    tails: tuple[Tail, Tail] | None
    """None for an empty column."""


def cut(cells: IntArray, table: FloatArray, bits: int, most: int, strength: Strength) -> NumberBins:
    """About ``most`` bins of equal mass, the leaves of a Pólya tree.

    Numbers may be codes without an order. If it lowers the leave-one-out log-loss, each value is a separate bin,
    shrunk toward the pooled share by itself or within the ordered bins.
    """
    mass = table.sum(axis=0)
    first = _first_cells(mass, most)
    edge, end = grid_edge(cells, bits), grid_edge(cells + 1, bits)
    counts = np.add.reduceat(table, first, axis=1) if len(first) else table
    column = shrink(counts, strength, binary=True)
    if not len(cells):
        return NumberBins(edge, column, None)
    ordered = _in_order(column, edge, end, mass, first)
    if not may_be_codes(table, first):
        return ordered
    alone = Stage.of(np.arange(len(cells)), strength)
    ways = [[alone], [Stage.of(first, strength, binary=True), alone]][: 1 + (len(first) < len(cells))]
    rough = [shrink_in_stages(table, [stage.rough for stage in stages]).loss for stages in ways]
    best = int(np.argmin(rough))
    if rough[best] >= column.loss:
        return ordered
    by_value = _ByValue.of(table, edge, end, ways[best])
    inside = np.searchsorted(ordered.cuts, np.append(-np.inf, by_value.cuts), side="right")
    return by_value.bins() if by_value.column.gains(column.losses()[:, inside]) else ordered


def first_cells(table: FloatArray, most: int) -> IntArray:
    """The first cell of each bin."""
    return _first_cells(table.sum(axis=0), most)


def _first_cells(mass: FloatArray, most: int) -> IntArray:
    group = equal_groups(mass, most)
    return np.flatnonzero(np.append(True, group[1:] != group[:-1])[: len(group)])


def may_be_codes(table: FloatArray, first: IntArray) -> bool:
    """Whether values within a bin differ by more than chance; if each has its own bin, whether there are enough of them."""
    values = table.shape[1]
    if len(first) == values:
        return bool(values > _MAX_RESOLVED_VALUES)
    if values > _MAX_VALUES or table.sum() < _MIN_ROWS_PER_VALUE * values:
        return False
    runs, size = np.add.reduceat(table, first, axis=1), np.diff(np.append(first, values))
    mass = table.sum(axis=0)
    share = runs / runs.sum(axis=0)
    expected = np.repeat(share, size, axis=1) * mass
    with np.errstate(divide="ignore", invalid="ignore"):
        uneven = float(np.where(expected > 0, (table - expected) ** 2 / expected, 0.0).sum())
    freedom = float(((size - 1) * (np.count_nonzero(runs, axis=0) - 1)).sum())
    return bool(uneven - freedom > _MIN_UNEVENNESS * np.sqrt(2 * freedom))


def _in_order(column: ShrunkColumn, edge: FloatArray, end: FloatArray, mass: FloatArray, first: IntArray) -> NumberBins:
    """Adjacent bins. An outermost bin gives its tail the mass of one further row."""
    rows, cuts = column.counts.sum(axis=0), edge[first[1:]]
    beyond = np.bincount([0, len(rows) - 1], minlength=len(rows))
    log_width = np.log(widths_of(edge[first], np.append(cuts, end[-1])))
    with np.errstate(divide="ignore", invalid="ignore"):
        log_mass = np.log(rows / (rows + beyond)) - log_width
    inner = (cuts[0], cuts[-1]) if len(cuts) else (end[-1], edge[0])
    scales = tail_scales(edge, end, mass, inner)
    tail = column.log_mass - np.log(rows + beyond)
    low, high = Tail(edge[0], tail[0], scales[0], -1), Tail(end[-1], tail[-1], scales[1], 1)
    return NumberBins(cuts, column.scaled_mass(log_mass), (low, high))


@dataclass(frozen=True, eq=False)
class _ByValue:
    """A bin for each value, and an empty one for each gap between values."""

    edge: FloatArray
    end: FloatArray
    cuts: FloatArray
    at: IntArray
    """The bins of values; the others are gaps. The first bin is below all values."""
    first: IntArray
    """The first bin of each run of values, or of the column if there are none."""
    column: ShrunkColumn

    @classmethod
    def of(cls, table: FloatArray, edge: FloatArray, end: FloatArray, stages: Sequence[Stage]) -> "_ByValue":
        past = np.maximum(edge + np.diff(edge).min(), end)
        start = np.concatenate([edge, past[np.append(past[:-1] < edge[1:], True)]])
        order = np.argsort(start, kind="stable")
        at = 1 + np.flatnonzero(order < len(edge))
        bins = np.arange(1 + len(start))
        counts = np.zeros((len(table), len(bins)))
        counts[:, at] = table
        runs = [replace(stage, first=np.append(0, at[stage.first[1:]])) for stage in stages[:-1]]
        column = shrink_in_stages(counts, [*runs, replace(stages[-1], first=bins)])
        return cls(edge, end, start[order], at, runs[0].first if runs else bins[:1], column)

    def bins(self) -> NumberBins:
        """The bins. The mass of one further row of each run is assigned to its gaps, uniformly."""
        edge, end, cuts = self.edge, self.end, self.cuts
        rows = self.column.counts.sum(axis=0)
        scales = tail_scales(edge, end, rows[self.at], (end[0], edge[-1]))
        width = np.concatenate([scales[:1], widths_of(cuts[:-1], cuts[1:]), scales[1:]])
        inside = np.repeat(np.arange(len(self.first)), np.diff(np.append(self.first, len(rows))))
        is_gap = np.ones(len(rows), dtype=bool)
        is_gap[self.at] = False
        of_run = np.add.reduceat(rows, self.first)[inside]
        gaps = np.add.reduceat(np.where(is_gap, width, 0.0), self.first)[inside]
        beyond = np.where(gaps > 0, 1.0, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            in_gap = np.log(of_run / rows.sum() / (of_run + beyond) / gaps)
            log_mass = np.log(of_run / (of_run + beyond) / width)
        column = self.column.scaled_mass(log_mass)
        column = replace(column, log_mass=np.where(is_gap, in_gap, column.log_mass))
        low = Tail(cuts[0], in_gap[0] + np.log(scales[0]), scales[0], -1)
        high = Tail(cuts[-1], in_gap[-1] + np.log(scales[1]), scales[1], 1)
        return NumberBins(cuts, column, (low, high))
