"""Checked calls of the table kernels: levels, pairs of levels, grid cells and groups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.numerics.kernels import check_rows

MANTISSA = 52  # bits of the mantissa of a double
_MAX_CODES = 2**15  # of a column in pairs, since codes have 16 bits
_MAX_PAIR_CELLS = 2**31  # of a pair in all classes, since indices have 32 bits


@dataclass(frozen=True)
class LeaveOneOutTables:
    """Scores by level and class, in full and leave-one-out.

    The leave-one-out score of a row's own class is in ``own``, those of the other classes are in ``others``.
    """

    full: FloatArray
    own: FloatArray
    others: FloatArray


def grid_counts(
    values: AnyArray, bits: Sequence[int], y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int
) -> list[tuple[IntArray, FloatArray]]:
    """For each column the non-empty cells of the grid, in order, and their weights (classes, cells)."""
    check_rows("values", len(values), y, weight)
    if len(bits) != values.shape[1] or not all(0 <= b <= MANTISSA for b in bits):
        raise ValueError(f"{values.shape[1]} columns need as many precisions of 0 to {MANTISSA} bits, not {bits}")
    return _kernels.grid_counts(values, np.asarray(bits, dtype=np.int64), y, weight, n_classes, threads)


def grid_cells(x: FloatArray, bits: int) -> IntArray:
    """The grid cell of each number."""
    ordered = (x + 0.0).view(np.int64)  # without negative zero
    return np.asarray((ordered ^ ((ordered >> 63) & np.int64(2**63 - 1))) >> (MANTISSA - bits))


def grid_edge(cells: IntArray, bits: int) -> FloatArray:
    """The smallest number in each grid cell."""
    ordered = cells.astype(np.int64) << (MANTISSA - bits)
    return (ordered ^ ((ordered >> 63) & np.int64(2**63 - 1))).view(np.float64)


def equal_groups(mass: FloatArray, most: int) -> IntArray:
    """The group of each sorted cell: at most about ``most`` groups of about equal mass.

    A heavier cell (such as many zeros) is a group by itself; the others share the remaining groups.

    >>> equal_groups(np.array([1.0, 1.0, 9.0, 1.0, 1.0]), 3).tolist()
    [0, 0, 1, 2, 2]
    """
    out = np.empty(len(mass), dtype=np.int64)
    _kernels.equal_groups(np.ascontiguousarray(mass), most, out)
    return out


def shrunken_tables(
    counts: FloatArray,
    unit: FloatArray,
    strengths: FloatArray,
    log_prior: FloatArray,
    *,
    binary: bool,
    within: "tuple[IntArray, LeaveOneOutTables] | None" = None,
) -> tuple[LeaveOneOutTables, float, float]:
    """log p(level | class) / p(level), (classes, levels), with class shares shrunk toward the pooled share by a strength.

    The strength is the one of least leave-one-out loss Σ −log p(class | level); both are returned. ``binary``: levels are
    ordered and halved recursively, and each half is shrunk separately. ``unit`` is the weight of a row of each class.
    ``within`` runs of levels, given by their first levels and tables, shares are relative to the run, and the tables of the
    runs are added.
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
    """The joint counts of pairs of levels, (classes, cells of all pairs); code −1 is a missing cell."""
    check_rows("codes", len(codes), y, weight)
    if sizes.shape != (codes.shape[1],):
        raise ValueError(f"{codes.shape[1]} columns of codes do not fit sizes {sizes.shape}")
    _check_sizes(sizes, pairs, n_classes)
    start = pair_starts(sizes, pairs)
    table = np.zeros((n_classes, int(start[-1])))
    _kernels.pair_counts(np.ascontiguousarray(codes), sizes, pairs, start, y, weight, table, threads)
    return table


def _check_sizes(sizes: IntArray, pairs: IntArray, n_classes: int) -> None:
    if sizes.max(initial=0) > _MAX_CODES:
        raise ValueError(f"columns of more than {_MAX_CODES:,} codes are too wide for pair tables")
    if n_classes * int(sizes[pairs].prod(axis=1).max(initial=0)) >= _MAX_PAIR_CELLS:
        raise ValueError(f"pairs of more than {_MAX_PAIR_CELLS:,} cells are too many for indices of 32 bits")


def pair_cells(codes: CodeArray, pairs: IntArray, steps: CodeArray, threads: int) -> CodeArray:
    """The cell of each row in each pair, (rows, pairs); −1 if one of its two codes is −1.

    ``steps`` (2, pairs, 1 + codes) has the offset of each code of the two columns, first that of code −1.
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

    log (n + k) / (e + k), with n the joint count in the class, e the count expected if the dependence of the levels were the
    same in all classes, and a constant k.
    """
    start = np.concatenate([[0], np.cumsum(sizes.prod(axis=1))]).astype(np.int64)
    if counts.shape[1] != start[-1] or unit.shape != counts.shape[:1]:
        raise ValueError(f"pairs of {start[-1]} cells and units {unit.shape} do not fit counts {counts.shape}")
    full, own, others = (np.zeros((counts.shape[1], len(counts))) for _ in range(3))
    _kernels.pair_tables(np.ascontiguousarray(counts), sizes, start, unit, float(constant), full, own, others, threads)
    return LeaveOneOutTables(full, own, others)


@dataclass(frozen=True)
class Residuals:
    """Residuals of a posterior ``p`` of rows with classes and weights."""

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
    residuals: Residuals,
    threads: int,
) -> tuple[FloatArray, FloatArray]:
    """Slope and curvature of the log likelihood along the leave-one-out score of each pair.

    ``counts`` are those of ``pair_counts``, in which pairs begin at ``start``. Codes of each column are merged by
    ``groups`` (columns, codes) into ``grouped`` groups.
    """
    check_rows("codes", len(codes), residuals.y, residuals.weight)
    columns, classes = codes.shape[1], len(counts)
    if sizes.shape != (columns,) or grouped.shape != (columns,) or start.shape != (len(pairs),):
        raise ValueError(
            f"{len(pairs)} pairs of {columns} columns do not fit sizes {sizes.shape}, {grouped.shape} and {start.shape}"
        )
    if len(groups) != columns or groups.shape[1] < sizes.max(initial=0):
        raise ValueError(f"groups {groups.shape} do not fit {columns} columns of up to {sizes.max(initial=0)} codes")
    if residuals.p.shape != (len(codes), classes) or unit.shape != (classes,):
        raise ValueError(f"posteriors {residuals.p.shape} and units {unit.shape} do not fit counts {counts.shape}")
    _check_sizes(grouped, pairs, classes)
    slope, curvature = np.zeros(len(pairs)), np.zeros(len(pairs))
    _kernels.pair_slopes(
        counts, sizes, pairs, start, groups, grouped, unit, float(constant), np.ascontiguousarray(codes), residuals.y,
        residuals.excess, np.ascontiguousarray(residuals.p), residuals.weight, slope, curvature, threads,
    )  # fmt: skip
    return slope, curvature
