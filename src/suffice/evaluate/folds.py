"""Folds: which rows are held out together."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import CodeArray, IntArray
from suffice.numerics.random_state import RandomState, generator


def dealt_out(codes: CodeArray, k: int, random_state: RandomState = 0) -> CodeArray:
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


def in_time(times: Any, rows: int, k: int) -> CodeArray:
    """A run from 0 to k for each row, in the order of time: of about the same size, and no moment in two.

    >>> in_time([1999, 2001, 2000, 2000, 2002, 2003], 6, 2).tolist()
    [0, 1, 0, 0, 2, 2]
    """
    moments, which, sizes = np.unique(_one_each(times, rows, "time"), return_inverse=True, return_counts=True)
    check_k(k, len(moments) - 1, "moments but the first")
    before = np.cumsum(sizes) - sizes
    run = np.unique(before * (k + 1) // rows, return_inverse=True)[1]
    return np.asarray(run.astype(np.int32)[which.ravel()])


@dataclass(frozen=True, eq=False)
class FoldSplit:
    """Folds with their training rows: each fold is predicted from all other folds or, in order of time, from earlier
    ones."""

    fold: CodeArray
    ahead: bool = False
    """Whether folds are in the order of time; the first is then not predicted."""

    @property
    def folds(self) -> int:
        return int(self.fold.max()) + 1

    @property
    def answered(self) -> IntArray:
        """The indices of the held-out rows."""
        return np.flatnonzero(self.fold > 0) if self.ahead else np.arange(len(self.fold))

    def parts(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Training rows and held-out rows of each fold."""
        for k in range(int(self.ahead), self.folds):
            learned = self.fold < k if self.ahead else self.fold != k
            yield np.flatnonzero(learned), np.flatnonzero(self.fold == k)


def given(folds: Any, rows: int) -> CodeArray:
    """Given folds, numbered in the order of their names."""
    names, which = np.unique(_one_each(folds, rows, "folds"), return_inverse=True)
    if len(names) < 2:
        raise DataError(
            f"All {rows} rows are in one fold", "at least two are needed, to learn from one and test on another"
        )
    return which.ravel().astype(np.int32)


def refuse_several(**ways: Any) -> None:
    """Refuse more than one way of assigning rows to folds."""
    named = [name for name, way in ways.items() if way is not None]
    if len(named) > 1:
        raise ParameterError(f"{' and '.join(named)} are given", "each alone decides which rows are left out together")


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
