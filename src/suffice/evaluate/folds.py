"""Assignment of rows to folds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import CodeArray, IntArray
from suffice.numerics.random_state import RandomState, generator


def stratified_folds(codes: CodeArray, k: int, random_state: RandomState = 0) -> CodeArray:
    """A fold from 0 to k − 1 for each row, stratified by class and shuffled.

    >>> fold = stratified_folds(np.array([0, 0, 0, 0, 1, 1], dtype=np.int32), 2)
    >>> np.bincount(fold).tolist(), np.bincount(fold[4:]).tolist()
    ([3, 3], [1, 1])
    """
    check_k(k, len(codes))
    rng = generator(random_state)
    small = codes.astype(np.int16) if codes.max(initial=0) < 1 << 15 else codes  # int16 sorts in linear time
    order = np.argsort(small, kind="stable")
    folds_in_order = np.arange(len(codes), dtype=np.int32) % np.int32(k)
    for part in np.split(folds_in_order, np.cumsum(np.bincount(codes))[:-1]):
        rng.shuffle(part)
    fold = np.empty_like(folds_in_order)
    fold[order] = folds_in_order
    return fold


def group_folds(groups: Any, rows: int, k: int) -> CodeArray:
    """A fold for each row with each group in one fold: the largest group first, each to the fold with the fewest rows.

    >>> group_folds(["a", "a", "a", "b", "b", "c"], 6, 2).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    names, index, sizes = np.unique(_one_each(groups, rows, "groups"), return_inverse=True, return_counts=True)
    check_k(k, len(names), "groups")
    filled, fold_of = np.zeros(k), np.empty(len(names), dtype=np.int32)
    for group in np.argsort(-sizes, kind="stable"):
        fold_of[group] = filled.argmin()
        filled[fold_of[group]] += sizes[group]
    return fold_of[index.ravel()]


def time_folds(times: Any, rows: int, k: int) -> CodeArray:
    """A period from 0 to k for each row, in order of time, of similar size; equal times are in the same period.

    >>> time_folds([1999, 2001, 2000, 2000, 2002, 2003], 6, 2).tolist()
    [0, 1, 0, 0, 2, 2]
    """
    distinct_times, index, sizes = np.unique(_one_each(times, rows, "time"), return_inverse=True, return_counts=True)
    check_k(k, len(distinct_times) - 1, "times after the first")
    before = np.cumsum(sizes) - sizes
    run = np.unique(before * (k + 1) // rows, return_inverse=True)[1]
    return np.asarray(run.astype(np.int32)[index.ravel()])


@dataclass(frozen=True, eq=False)
class FoldSplit:
    """Folds with their training rows: all other folds or, in order of time, the earlier ones."""

    fold: CodeArray
    is_ordered: bool = False
    """Whether folds are in order of time; the first one is then not predicted."""

    @property
    def folds(self) -> int:
        return int(self.fold.max()) + 1

    @property
    def held_out_rows(self) -> IntArray:
        """The indices of the held-out rows."""
        return np.flatnonzero(self.fold > 0) if self.is_ordered else np.arange(len(self.fold))

    def parts(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Training rows and held-out rows of each fold."""
        for k in range(int(self.is_ordered), self.folds):
            learned = self.fold < k if self.is_ordered else self.fold != k
            yield np.flatnonzero(learned), np.flatnonzero(self.fold == k)


def given_folds(folds: Any, rows: int) -> CodeArray:
    """Given folds, numbered in the order of their names."""
    names, index = np.unique(_one_each(folds, rows, "folds"), return_inverse=True)
    if len(names) < 2:
        raise DataError(f"All {rows} rows are in one fold", "at least two folds are needed")
    return index.ravel().astype(np.int32)


def check_one_assignment(**ways: Any) -> None:
    """Raise an error for more than one assignment of rows to folds."""
    named = [name for name, way in ways.items() if way is not None]
    if len(named) > 1:
        raise ParameterError(f"{' and '.join(named)} are given", "only one of them can define the folds")


def check_k(k: object, most: int, what: str = "rows") -> None:
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 2:
        raise ParameterError(f"k is {k!r}", "it must be an integer of at least 2")
    if k > most:
        raise ParameterError(f"k is {k}, but there are {most} {what}", "folds must not be empty")


def _one_each(values: Any, rows: int, what: str) -> Any:
    array = np.asarray(values)
    if array.shape != (rows,):
        raise DataError(f"{what} has shape {array.shape}", f"one for each of the {rows} rows is needed")
    return array
