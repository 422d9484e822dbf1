"""Checked calls of the table kernels: levels of one column, pairs of levels, cells of a fine grid and groups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.numerics.kernels import check_rows

MANTISSA = 52  # bits of it that a double has
_MOST_CODES = 2**15  # of a column in pairs: codes have 16 bits
_MOST_PAIR_PLACES = 2**31  # of a pair in all classes: places have 32 bits


@dataclass(frozen=True)
class LeaveOneOutTables:
    """Scores by level and class: with all rows counted, and for a counted row left out again.

    The leave-one-out score of the row's own class is in ``own``, those of the other classes in ``others``.
    """

    full: FloatArray
    own: FloatArray
    others: FloatArray


def grid_counts(
    values: AnyArray, bits: Sequence[int], y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int
) -> list[tuple[IntArray, FloatArray]]:
    """For each column the cells of the grid that hold a value, in order, and their weight (classes, cells)."""
    check_rows("values", len(values), y, weight)
    if len(bits) != values.shape[1] or not all(0 <= b <= MANTISSA for b in bits):
        raise ValueError(f"{values.shape[1]} columns need as many precisions of 0 to {MANTISSA} bits, not {bits}")
    return _kernels.grid_counts(values, np.asarray(bits, dtype=np.int64), y, weight, n_classes, threads)


def grid_cells(x: FloatArray, bits: int) -> IntArray:
    """The cell of a grid that each number is in."""
    ordered = (x + 0.0).view(np.int64)  # one zero
    return np.asarray((ordered ^ ((ordered >> 63) & np.int64(2**63 - 1))) >> (MANTISSA - bits))


def grid_edge(cells: IntArray, bits: int) -> FloatArray:
    """The smallest number in each cell of a grid."""
    ordered = cells.astype(np.int64) << (MANTISSA - bits)
    return (ordered ^ ((ordered >> 63) & np.int64(2**63 - 1))).view(np.float64)


def equal_groups(mass: FloatArray, most: int) -> IntArray:
    """The group of each of some sorted cells: about ``most`` groups of about equal mass.

    A heavier cell (a spike: zeros, codes) is a group by itself; the others share the remaining groups.

    >>> equal_groups(np.array([1.0, 1.0, 9.0, 1.0, 1.0]), 3).tolist()
    [0, 0, 1, 2, 2]
    """
    out = np.empty(len(mass), dtype=np.int64)
    _kernels.equal_groups(np.ascontiguousarray(mass), most, out)
    return out


def shrunk(
    counts: FloatArray,
    unit: FloatArray,
    strengths: FloatArray,
    log_prior: FloatArray,
    *,
    binary: bool,
    within: "tuple[IntArray, LeaveOneOutTables] | None" = None,
) -> tuple[LeaveOneOutTables, float, float]:
    """log p(level | class) / p(level), (classes, levels), the class's share worth its rows and the pooled one a strength.

    Of the strengths, the one under which rows left out tell their class best; with it, and with what they lose:
    Σ −log p(class | level). ``binary``: levels have an order and are halved again and again, each half shrunk on its own.
    ``unit`` is what a row of each class counts for. ``within`` runs of levels, given by their first levels and their tables,
    the share is that in the run, and the tables of the runs are added.
    """
    if unit.shape != counts.shape[:1] or log_prior.shape != unit.shape or not len(strengths):
        raise ValueError(f"{len(counts)} classes need as many units and priors, not {unit.shape} and {log_prior.shape}")
    if within is None:
        start = np.array([0, counts.shape[1]])
        full, own, others = np.zeros((3, *counts.shape))
    else:
        first, runs = within
        start = np.append(first, counts.shape[1])
        if first[0] != 0 or (np.diff(start) < 0).any() or runs.full.shape != (len(counts), len(first)):
            raise ValueError(
                f"runs that begin at {first} do not fit counts {counts.shape} and tables {runs.full.shape}"
            )
        full, own, others = (np.repeat(table, np.diff(start), axis=1) for table in (runs.full, runs.own, runs.others))
    best, loss = _kernels.shrunk_tables(
        np.ascontiguousarray(counts), unit, start, binary, strengths, log_prior, full, own, others
    )
    return LeaveOneOutTables(full, own, others), float(strengths[best]), loss


def pair_starts(sizes: IntArray, pairs: IntArray) -> IntArray:
    """Offsets of the cells of each pair in their concatenation, with the total at the end."""
    cells = sizes[pairs[:, 0]] * sizes[pairs[:, 1]]
    return np.concatenate([[0], np.cumsum(cells)]).astype(np.int64)


def pair_counts(
    codes: CodeArray,
    sizes: IntArray,
    pairs: IntArray,
    y: CodeArray,
    n_classes: int,
    weight: FloatArray | None,
    threads: int,
) -> FloatArray:
    """How often two levels occur together, (classes, cells of all pairs); code −1 is a missing cell."""
    check_rows("codes", len(codes), y, weight)
    if sizes.shape != (codes.shape[1],):
        raise ValueError(f"{codes.shape[1]} columns of codes do not fit sizes {sizes.shape}")
    _check_room(sizes, pairs, n_classes)
    start = pair_starts(sizes, pairs)
    table = np.zeros((n_classes, int(start[-1])))
    _kernels.pair_counts(np.ascontiguousarray(codes), sizes, pairs, start, y, weight, table, threads)
    return table


def _check_room(sizes: IntArray, pairs: IntArray, n_classes: int) -> None:
    if sizes.max(initial=0) > _MOST_CODES:
        raise ValueError(f"columns of more than {_MOST_CODES:,} codes are too wide for pair tables")
    if n_classes * int(sizes[pairs].prod(axis=1).max(initial=0)) >= _MOST_PAIR_PLACES:
        raise ValueError(f"pairs of more than {_MOST_PAIR_PLACES:,} cells are too many for a place of 32 bits")


def pair_cells(codes: CodeArray, pairs: IntArray, steps: CodeArray, threads: int) -> CodeArray:
    """The cell of each row in each pair, (rows, pairs), −1 where one of its two codes is.

    ``steps`` (2, pairs, 1 + codes): how far each code of the two columns leads, the first of them that of code −1.
    """
    if steps.shape[:2] != (2, len(pairs)):
        raise ValueError(f"steps {steps.shape} do not fit {len(pairs)} pairs")
    out = np.empty((len(codes), len(pairs)), dtype=np.int32)
    _kernels.pair_cells(np.ascontiguousarray(codes), np.ascontiguousarray(pairs), steps[0], steps[1], out, threads)
    return out


def pair_tables(
    counts: FloatArray, sizes: IntArray, unit: FloatArray, constant: float, threads: int
) -> LeaveOneOutTables:
    """Interaction scores of pairs of levels, (cells of all pairs, classes); ``sizes`` is (pairs, 2).

    log (n + k) / (e + k): n times they occur together in the class, e times they would if they depended on each other there
    as in all classes together, and a constant k.
    """
    start = np.concatenate([[0], np.cumsum(sizes.prod(axis=1))]).astype(np.int64)
    if counts.shape[1] != start[-1] or unit.shape != counts.shape[:1]:
        raise ValueError(f"pairs of {start[-1]} cells and units {unit.shape} do not fit counts {counts.shape}")
    full, own, others = (np.zeros((counts.shape[1], len(counts))) for _ in range(3))
    _kernels.pair_tables(np.ascontiguousarray(counts), sizes, start, unit, float(constant), full, own, others, threads)
    return LeaveOneOutTables(full, own, others)


@dataclass(frozen=True)
class Residuals:
    """Residuals of a posterior: the class of rows, the posterior ``p`` and the weights."""

    y: CodeArray
    p: FloatArray
    weight: FloatArray

    @property
    def excess(self) -> FloatArray:
        """weight · (1[class] − p)"""
        out = -self.p * self.weight[:, None]
        out[np.arange(len(self.y)), self.y] += self.weight
        return out


def pair_slopes(
    counts: FloatArray,
    sizes: IntArray,
    pairs: IntArray,
    start: IntArray,
    groups: CodeArray,
    grouped: IntArray,
    unit: FloatArray,
    constant: float,
    codes: CodeArray,
    left: Residuals,
    threads: int,
) -> tuple[FloatArray, FloatArray]:
    """Slope and curvature of the log likelihood along the leave-one-out score of each pair.

    ``counts`` come from ``pair_counts``, those of each pair beginning at ``start``; the codes of each column are first
    brought together as ``groups`` (columns, codes) say, of which there are ``grouped``.
    """
    check_rows("codes", len(codes), left.y, left.weight)
    columns, classes = codes.shape[1], len(counts)
    if sizes.shape != (columns,) or grouped.shape != (columns,) or start.shape != (len(pairs),):
        raise ValueError(
            f"{len(pairs)} pairs of {columns} columns do not fit sizes {sizes.shape}, {grouped.shape} and {start.shape}"
        )
    if len(groups) != columns or groups.shape[1] < sizes.max(initial=0):
        raise ValueError(f"groups {groups.shape} do not fit {columns} columns of up to {sizes.max(initial=0)} codes")
    if left.p.shape != (len(codes), classes) or unit.shape != (classes,):
        raise ValueError(f"posteriors {left.p.shape} and units {unit.shape} do not fit counts {counts.shape}")
    _check_room(grouped, pairs, classes)
    slope, curvature = np.zeros(len(pairs)), np.zeros(len(pairs))
    _kernels.pair_slopes(
        counts, sizes, pairs, start, groups, grouped, unit, float(constant), np.ascontiguousarray(codes), left.y,
        left.excess, np.ascontiguousarray(left.p), left.weight, slope, curvature, threads,
    )  # fmt: skip
    return slope, curvature
