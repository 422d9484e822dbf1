"""Checks of values against the support of a family."""

from collections.abc import Callable, Sequence

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.kinds import Name
from suffice.columns.table import MAX_DENSE_COLUMNS
from suffice.errors import DataError, NegativeError
from suffice.numerics.arrays import AnyArray, FloatArray


def stored(block: Numbers) -> AnyArray:
    """The cells of a dense block, or those a sparse block stores (the others are zeros)."""
    return block.values if isinstance(block.values, np.ndarray) else block.values.data


def refuse(
    block: Numbers,
    bad: Callable[[AnyArray], AnyArray],
    found: str,
    allowed: str,
    todo: str,
    error: type[DataError] = DataError,
) -> None:
    """Raise for the first column with ``bad`` values; the error has their count."""
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
    values = stored(block)
    if values.dtype.kind != "f" or not np.isinf(values).any():
        return
    refuse(
        block,
        np.isinf,
        "infinite values",
        f"{family} needs finite numbers, or NaN for a missing cell",
        "Replace them by NaN, or drop those rows",
    )


def refuse_vanishing(
    seen: AnyArray, mean: FloatArray, squares: FloatArray, columns: Sequence[Name], family: str
) -> None:
    """Raise for the first column whose class means (classes, columns) differ although its sum of squares underflows to
    zero."""
    low = np.where(seen, mean, np.inf).min(axis=0, initial=np.inf)
    high = np.where(seen, mean, -np.inf).max(axis=0, initial=-np.inf)
    small = (high > low) & (np.maximum(np.abs(low), np.abs(high)) < 1e-150) & (squares < 1e-300)
    for j in np.flatnonzero(small):
        raise DataError(
            f"Column {columns[int(j)]!r} has class means between {low[j]:.0e} and {high[j]:.0e}",
            f"{family} squares differences, which vanish at that size",
            "Rescale the column",
        )


def check_finite(block: Numbers, totals: FloatArray, family: str) -> None:
    """Called with sums over the block: cells are checked only if a sum is not finite."""
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
    """Raise for a column whose smallest value is below ``bound`` (or not above it)."""
    wrong = lowest <= bound if strict else lowest < bound
    if not wrong.any():
        return
    sign = "positive numbers" if strict else "counts ≥ 0"
    kind = "values that are not positive" if strict else "negative values"
    other = "Gaussian()" if family != "Gamma" else "Gaussian() or Exponential()"
    is_dense = isinstance(block.values, np.ndarray)
    taken = f"BayesClassifier() without families, which takes up to {MAX_DENSE_COLUMNS:,} sparse columns for numbers"
    else_ = "drop those rows" if is_dense else taken
    refuse(
        block,
        (lambda x: x <= bound) if strict else (lambda x: x < bound),
        kind,
        f"{family} needs {sign}",
        f"Use {other} for it, or {else_}",
        NegativeError,
    )


def check_amounts(block: Numbers, family: str) -> None:
    """Raise for negative or infinite values."""
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
