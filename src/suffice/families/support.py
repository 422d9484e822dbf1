"""What a family can take: the checks of values, phrased once."""

import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.errors import DataError, NegativeError
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray


def stored(block: Numbers) -> AnyArray:
    """The cells of a dense block, or those a sparse block stores (the others are zeros)."""
    return block.values if isinstance(block.values, np.ndarray) else block.values.data


def needs_every_cell(block: Numbers, threshold: float = 0.0) -> bool:
    """Whether sparse rows must be looked at cell by cell: one is missing (NaN), or a zero counts as above the threshold."""
    if isinstance(block.values, np.ndarray):
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        total = block.values.data.sum()  # NaN if a cell is, or if infinities meet
    return threshold < 0 or bool(np.isnan(total) and np.isnan(block.values.data).any())


def dense_parts(block: Numbers) -> Iterator[tuple[slice, Numbers]]:
    """Sparse rows as dense ones, a few at a time."""
    step = max(1, (1 << 20) // max(1, len(block.names)))
    for start in range(0, block.rows, step):
        rows = slice(start, min(block.rows, start + step))
        yield rows, Numbers(block.names, block.values[rows].toarray())  # type: ignore[union-attr]


def sum_parts(
    family: Any, block: Numbers, y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int
) -> Any:
    """The statistic of sparse rows, read as dense ones."""
    parts = [
        family.observe(part, y[rows], n_classes, None if weight is None else weight[rows], threads)
        for rows, part in dense_parts(block)
    ]
    return functools.reduce(operator.add, parts)


def refuse(
    block: Numbers,
    bad: Callable[[AnyArray], AnyArray],
    found: str,
    allowed: str,
    todo: str,
    error: type[DataError] = DataError,
) -> None:
    """Raise for the first column with values that are ``bad``, saying how many."""
    with np.errstate(invalid="ignore"):
        zeros_too = not isinstance(block.values, np.ndarray) and bool(bad(np.zeros(1)).any())
        if not zeros_too and not bad(stored(block)).any():
            return
    for j, name in enumerate(block.names):
        column = block.column(j).dense
        with np.errstate(invalid="ignore"):
            count = int(np.count_nonzero(bad(column)))
        if count:
            raise error(f"Column {name!r} has {count} {found}", allowed, todo)


def refuse_infinite(block: Numbers, family: str) -> None:
    refuse(
        block,
        np.isinf,
        "infinite values",
        f"{family} needs finite numbers, or NaN for a missing cell",
        "Replace them by NaN, or drop those rows",
    )


def check_finite(block: Numbers, totals: FloatArray, family: str) -> None:
    """Called with sums over the block: they are finite unless a cell was not, so the cells are looked at only then."""
    if not np.isfinite(totals).all():
        refuse_infinite(block, family)
        refuse(
            block,
            lambda x: np.abs(x) > 1e150,
            "values beyond 1e150",
            f"{family} squares or adds them, which overflows",
            "Rescale the column",
        )


def refuse_below(block: Numbers, lowest: FloatArray, bound: float, family: str, *, strict: bool = False) -> None:
    """Refuse a column whose smallest value is below ``bound`` (or not above it)."""
    wrong = lowest <= bound if strict else lowest < bound
    if not wrong.any():
        return
    sign = "positive numbers" if strict else "counts ≥ 0"
    kind = "values that are not positive" if strict else "negative values"
    other = "Gaussian()" if family != "Gamma" else "Gaussian() or Exponential()"
    refuse(
        block,
        (lambda x: x <= bound) if strict else (lambda x: x < bound),
        kind,
        f"{family} needs {sign}",
        f"Use {other} for it, or drop those rows",
        NegativeError,
    )


def check_amounts(block: Numbers, family: str) -> None:
    """Refuse what is negative or infinite."""
    refuse_below(block, smallest(block), 0.0, family)
    if np.isinf(stored(block)).any():
        refuse_infinite(block, family)


def smallest(block: Numbers) -> FloatArray:
    """The smallest value of each column (of the whole, for sparse rows), NaN aside."""
    values = stored(block)
    if not values.size:
        return np.zeros(1)
    if not isinstance(block.values, np.ndarray) and values.size < block.rows * len(block.names):
        return np.atleast_1d(np.minimum(0.0, np.fmin.reduce(values))).astype(np.float64)
    if values.dtype.kind != "f":
        return np.atleast_1d(values.min(axis=0)).astype(np.float64)
    return np.atleast_1d(np.fmin.reduce(values, axis=0)).astype(np.float64)
