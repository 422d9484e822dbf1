"""Which rows are left out together."""

from typing import Any

import numpy as np

from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import CodeArray
from suffice.numerics.chance import generator


def dealt_out(codes: CodeArray, k: int, random_state: Any = 0) -> CodeArray:
    """A fold from 0 to k − 1 for each row: dealt out class by class and shuffled, so that every fold has its share of each.

    >>> fold = dealt_out(np.array([0, 0, 0, 0, 1, 1], dtype=np.int32), 2)
    >>> np.bincount(fold).tolist(), np.bincount(fold[4:]).tolist()
    ([3, 3], [1, 1])
    """
    check_k(k, len(codes))
    rng = generator(random_state)
    small = codes.astype(np.int16) if codes.max(initial=0) < 1 << 15 else codes  # which sorts in linear time
    order = np.argsort(small, kind="stable")
    dealt = np.arange(len(codes), dtype=np.int32) % np.int32(k)
    for hand in np.split(dealt, np.cumsum(np.bincount(codes))[:-1]):
        rng.shuffle(hand)
    fold = np.empty_like(dealt)
    fold[order] = dealt
    return fold


def grouped(groups: Any, rows: int, k: int) -> CodeArray:
    """A fold for each row such that no group is in two: the largest group first, each to the fold with the fewest rows.

    >>> grouped(["a", "a", "a", "b", "b", "c"], 6, 2).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    names, which, sizes = np.unique(_one_each(groups, rows, "groups"), return_inverse=True, return_counts=True)
    check_k(k, len(names), "groups")
    filled, fold_of = np.zeros(k), np.empty(len(names), dtype=np.int32)
    for group in np.argsort(-sizes, kind="stable"):
        fold_of[group] = filled.argmin()
        filled[fold_of[group]] += sizes[group]
    return fold_of[which.ravel()]


def given(folds: Any, rows: int) -> CodeArray:
    """Folds that were named, one a row, numbered in the order of their names."""
    names, which = np.unique(_one_each(folds, rows, "folds"), return_inverse=True)
    if len(names) < 2:
        raise DataError(
            f"All {rows} rows are in one fold", "at least two are needed, to learn from one and test on another"
        )
    return which.ravel().astype(np.int32)


def check_k(k: object, most: int, what: str = "rows") -> None:
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 2:
        raise ParameterError(f"k is {k!r}", "it must be a whole number of at least 2")
    if k > most:
        raise ParameterError(f"k is {k}, but there are {most} {what}", "no fold may be empty")


def _one_each(values: Any, rows: int, what: str) -> Any:
    array = np.asarray(values)
    if array.shape != (rows,):
        raise DataError(f"{what} has shape {array.shape}", f"one for each of the {rows} rows is needed")
    return array
