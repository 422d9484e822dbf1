"""Checked calls of the compiled kernels: shapes and dtypes are checked, and results are allocated.

Each function is compared with a NumPy version in ``tests/kernels``.
"""

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray, SparseRows

_CACHE_LINE_BYTES = 64  # bytes of a cache line


def check_rows(what: str, rows: int, labels: CodeArray, weight: FloatArray | None) -> None:
    if labels.shape != (rows,):
        raise ValueError(f"{what} has {rows} rows but the labels have shape {labels.shape}")
    if weight is not None and weight.shape != (rows,):
        raise ValueError(f"{what} has {rows} rows but the weights have shape {weight.shape}")


def moments(
    x: AnyArray, y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weight, mean and sum of squared deviations, each (classes, columns); NaN is ignored."""
    check_rows("x", len(x), y, weight)
    n, mean, m2 = (np.zeros((n_classes, x.shape[1])) for _ in range(3))
    _kernels.moments(x, y, weight, n, mean, m2, threads)
    return n, mean, m2


def scatter(
    x: AnyArray, y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weight (classes), mean (classes, columns) and centred second moments (classes, columns, columns) of complete rows."""
    check_rows("x", len(x), y, weight)
    columns = x.shape[1]
    n, mean, m2 = np.zeros(n_classes), np.zeros((n_classes, columns)), np.zeros((n_classes, columns * columns))
    _kernels.scatter(x, y, weight, n, mean, m2, threads)
    return n, mean, m2.reshape(n_classes, columns, columns)


def sums(
    x: AnyArray, y: CodeArray, n_classes: int, weight: FloatArray | None, threshold: float | None, threads: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weight and total (classes, columns) of the cells, or of those above ``threshold``; and the minimum of each column."""
    check_rows("x", len(x), y, weight)
    n, total, low = np.zeros((n_classes, x.shape[1])), np.zeros((n_classes, x.shape[1])), np.zeros(x.shape[1])
    _kernels.sums(x, y, weight, threshold, n, total, low, threads)
    return n, total, low


def counts(
    values: AnyArray,
    low: IntArray,
    start: IntArray,
    y: CodeArray,
    n_classes: int,
    weight: FloatArray | None,
    threads: int,
) -> FloatArray:
    """Weight of each level, (classes, start[-1]): value v of column j is level start[j] + v − low[j]."""
    check_rows("values", len(values), y, weight)
    _check_levels(values, low, start)
    table = np.zeros((n_classes, int(start[-1])))
    _kernels.counts(values, low, start, y, weight, table, threads)
    return table


def _check_levels(values: AnyArray, low: IntArray, start: IntArray) -> None:
    if values.dtype.kind not in "iub":
        raise ValueError(f"level codes must be integers, not {values.dtype}")
    if low.shape != (values.shape[1],) or start.shape != (values.shape[1] + 1,):
        raise ValueError(
            f"{values.shape[1]} columns need as many lows and one more start, not {low.shape} and {start.shape}"
        )


def check_sparse(x: SparseRows) -> None:
    if len(x.indices) != len(x.data) or len(x.indptr) != x.shape[0] + 1:
        raise ValueError("the sparse matrix is inconsistent: its data, indices and indptr have different lengths")
    if not all(a.flags.c_contiguous for a in (x.data, x.indices, x.indptr)):
        raise ValueError("the arrays of a sparse matrix must be contiguous")


def sparse_sums(
    x: SparseRows, y: CodeArray, n_classes: int, weight: FloatArray | None, threshold: float | None, threads: int
) -> FloatArray:
    """Total (classes, columns) of the stored cells, or their number above ``threshold``."""
    check_rows("x", x.shape[0], y, weight)
    check_sparse(x)
    total = np.zeros((n_classes, x.shape[1]))
    _kernels.sparse_sums(x.data, x.indices, x.indptr, y, weight, threshold, total, threads)
    return total


def _check_scores(rows: int, columns: int, out: FloatArray, *parameters: FloatArray) -> None:
    expected = (out.shape[1], columns)
    if out.shape[0] != rows or any(p.shape != expected for p in parameters):
        raise ValueError(
            f"{rows} rows × {columns} columns do not fit scores {out.shape} and parameters {[p.shape for p in parameters]}"
        )


def _padded_classes(classes: int) -> int:
    return -(-classes // 4) * 4


def class_rows(table: FloatArray) -> FloatArray:
    """A (classes, items) table in the layout of the kernels: a row of classes per item, padded to a multiple of four, and a
    last row of zeros for an unknown item; aligned to cache lines, so that reading a row touches as few as possible."""
    rows, stride = table.shape[1] + 1, _padded_classes(len(table))
    room = np.zeros(rows * stride + _CACHE_LINE_BYTES // 8)
    first = -room.ctypes.data % _CACHE_LINE_BYTES // 8
    out = room[first : first + rows * stride].reshape(rows, stride)
    out[:-1, : len(table)] = table.T
    return out


def add_sparse_scores(
    x: SparseRows, threshold: float | None, start: FloatArray, table: FloatArray, out: FloatArray, threads: int
) -> None:
    """out += start (classes) + x · table (columns, classes), or (x > threshold) · table; the table comes from
    ``class_rows``."""
    if len(table) != x.shape[1] + 1 or table.shape[1] != _padded_classes(out.shape[1]) or out.shape[0] != x.shape[0]:
        raise ValueError(f"a {x.shape} matrix, a {table.shape} table and {out.shape} scores do not fit together")
    if start.shape != out.shape[1:]:
        raise ValueError(f"scores {out.shape} do not start from {start.shape}")
    check_sparse(x)
    filled = np.zeros(table.shape[1])
    filled[: len(start)] = start
    _kernels.sparse_scores(x.data, x.indices, x.indptr, threshold, filled, table, out, threads)


def add_table_scores(
    values: AnyArray, low: IntArray, start: IntArray, table: FloatArray, out: FloatArray, threads: int
) -> bool:
    """out += the rows of table (levels, classes; from ``class_rows``) of the values; unknown values add nothing.

    Returns whether all values were known.
    """
    _check_levels(values, low, start)
    if table.shape != (start[-1] + 1, _padded_classes(out.shape[1])) or len(out) != len(values):
        raise ValueError(
            f"{len(values)} rows with {start[-1]} levels do not fit a {table.shape} table and {out.shape} scores"
        )
    return _kernels.table_scores(values, low, start, table, out, threads)


def add_linear_scores(x: AnyArray, constant: FloatArray, slope: FloatArray, out: FloatArray, threads: int) -> None:
    """out[r, c] += Σ_j constant[c, j] + slope[c, j] x[r, j]"""
    _check_scores(*x.shape, out, constant, slope)
    _kernels.linear_scores(x, constant, slope, out, threads)


def add_step_scores(
    x: AnyArray, threshold: float, below: FloatArray, above: FloatArray, out: FloatArray, threads: int
) -> None:
    """out[r, c] += Σ_j above[c, j] if x[r, j] > threshold else below[c, j]"""
    _check_scores(*x.shape, out, below, above)
    _kernels.step_scores(x, threshold, below, above, out, threads)


def add_quadratic_scores(
    x: AnyArray, constant: FloatArray, centre: FloatArray, curvature: FloatArray, out: FloatArray, threads: int
) -> None:
    """out[r, c] += Σ_j constant[c, j] − curvature[c, j] (x[r, j] − centre[c, j])²"""
    _check_scores(*x.shape, out, constant, centre, curvature)
    _kernels.quadratic_scores(x, constant, centre, curvature, out, threads)


def add_student_scores(
    x: AnyArray,
    constant: FloatArray,
    centre: FloatArray,
    curvature: FloatArray,
    power: FloatArray,
    out: FloatArray,
    threads: int,
) -> None:
    """out[r, c] += Σ_j constant[c, j] − power[c, j] log(1 + curvature[c, j] (x[r, j] − centre[c, j])²)"""
    _check_scores(*x.shape, out, constant, centre, curvature, power)
    _kernels.student_scores(x, constant, centre, curvature, power, out, threads)


def distances(x: AnyArray, centre: FloatArray, root: FloatArray, offset: FloatArray, threads: int) -> FloatArray:
    """|root (x[r] − centre) − offset[c]|², (rows, classes); NaN for a row with a missing cell.

    ``root`` (roots, columns, columns) is upper triangular; all classes share one, with its ``centre``, or each has one.
    """
    classes, columns = offset.shape
    if len(root) not in (1, classes) or root.shape[1:] != (columns, columns) or centre.shape != (len(root), columns):
        raise ValueError(f"roots {root.shape}, centres {centre.shape} and offsets {offset.shape} do not fit together")
    if x.shape[1] != columns:
        raise ValueError(f"rows of {x.shape[1]} columns do not fit offsets {offset.shape}")
    out = np.empty((len(x), classes))
    _kernels.distances(x, centre, root.reshape(len(root), -1), offset, out, threads)
    return out


def add_affine_scores(
    x: AnyArray, centre: FloatArray, slope: FloatArray, constant: FloatArray, out: FloatArray, threads: int
) -> None:
    """out[r, c] += constant[c] + slope[c] · (x[r] − centre); NaN for a row with a missing cell."""
    _check_scores(*x.shape, out, slope)
    if centre.shape != (x.shape[1],) or constant.shape != (out.shape[1],):
        raise ValueError(f"a centre {centre.shape} and constants {constant.shape} do not fit slopes {slope.shape}")
    _kernels.affine_scores(x, centre, slope, constant, out, threads)


def discounted_scores(
    indptr: IntArray,
    ids: CodeArray,
    table: SparseRows,
    total: FloatArray,
    class_total: FloatArray,
    class_words: FloatArray,
    discount: float,
    own: CodeArray | None,
    weight: FloatArray | None,
    threads: int,
) -> FloatArray:
    """Σ over the words of a document of log θ_cw / p_w, (documents, classes), from a (words, classes) table of documents.

    Documents whose ``own`` class is given are scored leave-one-out: they are subtracted from the counts, with ``weight``.
    """
    rows, (words, classes) = len(indptr) - 1, table.shape
    if total.shape != (words,) or class_total.shape != (classes,) or class_words.shape != (classes,):
        raise ValueError(
            f"totals {total.shape}, {class_total.shape} and {class_words.shape} do not fit a {table.shape} table"
        )
    if (own is not None and own.shape != (rows,)) or (weight is not None and weight.shape != (rows,)):
        raise ValueError(f"{rows} documents need as many classes and weights")
    out = np.empty((rows, classes))
    _kernels.discounted_scores(
        indptr,
        ids,
        table.indptr.astype(np.int64, copy=False),
        table.indices.astype(np.int32, copy=False),
        table.data,
        total,
        class_total,
        class_words,
        discount,
        np.full(rows, -1, np.int32) if own is None else own,
        np.ones(rows) if weight is None else weight,
        out,
        threads,
    )
    return out


def log_sum_exp(joint: FloatArray, threads: int) -> FloatArray:
    """log Σ_c exp joint[r, c]; −inf if all entries are −inf."""
    out = np.empty(len(joint))
    _kernels.log_sum_exp(joint, out, threads)
    return out


def normalise(joint: FloatArray, fallback: FloatArray, *, log: bool, threads: int) -> FloatArray:
    """``joint``, normalised in place (in log space if ``log``); rows of only −inf become ``fallback``."""
    if fallback.shape != (joint.shape[1],):
        raise ValueError(f"scores {joint.shape} need a fallback of {joint.shape[1]} classes, not {fallback.shape}")
    _kernels.normalise(joint, fallback, log, threads)
    return joint


def fill_rows(row: FloatArray, out: FloatArray, threads: int) -> None:
    """out[r] = row for every r. (NumPy is slow at repeating a short row.)"""
    if row.shape != (out.shape[1],):
        raise ValueError(f"a row of shape {row.shape} does not fit {out.shape}")
    _kernels.fill_rows(row, out, threads)


def most_probable(joint: FloatArray, fallback: int, threads: int) -> IntArray:
    """The class with the largest entry of each row, the first of ties; ``fallback`` if all are −inf."""
    out = np.empty(len(joint), np.int64)
    _kernels.most_probable(joint, fallback, out, threads)
    return out


def least_risk(p: FloatArray, costs: FloatArray, threads: int) -> tuple[IntArray, FloatArray]:
    """The action a that minimises Σ_c p[r, c] costs[c, a], the first of ties, and that risk; costs are (classes, actions)."""
    classes, actions = costs.shape
    if p.shape[1] != classes or not actions:
        raise ValueError(f"posteriors {p.shape} do not fit costs {costs.shape}")
    table = np.zeros((classes, _padded_classes(actions)))
    table[:, :actions] = costs
    index, risk = np.empty(len(p), np.int64), np.empty(len(p))
    _kernels.least_risk(p, table, actions, index, risk, threads)
    return index, risk


def int_range(values: AnyArray, threads: int) -> tuple[IntArray, IntArray]:
    """Smallest and largest value of each column of integers."""
    low, high = np.empty(values.shape[1], np.int64), np.empty(values.shape[1], np.int64)
    _kernels.int_range(values, low, high, threads)
    return low, high


def class_weights(y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int) -> FloatArray:
    """The total weight of each class."""
    check_rows("y", len(y), y, weight)
    out = np.zeros(n_classes)
    _kernels.class_weights(y, weight, out, threads)
    return out


def lookup(values: AnyArray, low: int, size: int, threads: int) -> tuple[CodeArray, IntArray] | None:
    """values − low as codes, and the count of each; None if some are outside 0 … size − 1."""
    out, counts = np.empty(len(values), np.int32), np.zeros(size, np.int64)
    return (out, counts) if _kernels.lookup(values, low, out, counts, threads) else None
