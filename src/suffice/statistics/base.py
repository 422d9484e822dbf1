"""The contract of a statistic: a frozen value whose first axis is the class, and which adds.

``a + b`` is the statistic of the rows of both; ``a - b`` subtracts rows; ``scaled`` reweights them; ``reindex_classes`` moves
classes to new positions, so that shards with different labels add. The laws are in
``tests/laws``; every statistic is registered there.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

import numpy as np

from suffice.errors import ForgetError
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray, frozen

RELATIVE_ROUNDING = 1e-9  # a difference this far below zero is rounding


@dataclass(frozen=True, eq=False)
class Statistic(ABC):
    """Base of the statistics that are a few arrays of shape (classes, columns, …)."""

    extensive_fields: ClassVar[tuple[str, ...]]
    """Names of the arrays that scale with the number of rows. (Means do not.)"""

    def __post_init__(self) -> None:
        for name in self._array_names():
            array = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, frozen(array))

    @abstractmethod
    def __add__(self, other: Self) -> Self: ...

    @abstractmethod
    def __sub__(self, other: Self) -> Self: ...

    @classmethod
    def _array_names(cls) -> list[str]:
        return [f.name for f in fields(cls)]

    @property
    def n_classes(self) -> int:
        return len(getattr(self, self.extensive_fields[0]))

    def scaled(self, factor: float | FloatArray) -> Self:
        """Every row counted ``factor`` times; an array gives one factor a class."""
        by = np.asarray(factor, dtype=np.float64)

        def times(array: AnyArray) -> AnyArray:
            return array * by.reshape(by.shape + (1,) * (array.ndim - by.ndim)) if by.ndim else array * by

        return replace(self, **{name: times(getattr(self, name)) for name in self.extensive_fields})

    def reindex_classes(self, index: IntArray, n_classes: int) -> Self:
        """Class i becomes class ``index[i]`` of ``n_classes``; the others are empty."""
        return self._placed(index, n_classes, axis=0)

    def select_classes(self, index: IntArray | CodeArray) -> Self:
        """Only the classes ``index``, in that order."""
        return replace(self, **{name: getattr(self, name)[index] for name in self._array_names()})

    def without_each(self, index: IntArray | CodeArray, rows: Self) -> Self:
        """The statistics of class ``index[i]`` without row i, each as a class of its own."""
        return self.select_classes(index) - rows

    def reindex_columns(self, index: IntArray, n_columns: int) -> Self:
        """Column j becomes column ``index[j]`` of ``n_columns``; the others are empty."""
        return self._placed(index, n_columns, axis=1)

    def select_columns(self, index: IntArray) -> Self:
        """Only the columns ``index``, in that order, where columns are counted one by one."""
        return replace(self, **{name: getattr(self, name)[:, index] for name in self._array_names()})

    def _placed(self, index: IntArray, size: int, axis: int) -> Self:
        def place(array: AnyArray) -> AnyArray:
            out = np.zeros((*array.shape[:axis], size, *array.shape[axis + 1 :]))
            out[(slice(None),) * axis + (index,)] = array
            return out

        return replace(self, **{name: place(getattr(self, name)) for name in self._array_names()})

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self._array_names()
        )

    __hash__ = None  # type: ignore[assignment]


class PoolableStatistic(Statistic):
    """A statistic that can be pooled over classes."""

    @abstractmethod
    def pooled(self) -> Self:
        """All classes pooled into one."""


def subtract_checked(had: FloatArray, less: FloatArray, what: str, slack: FloatArray | float = 0.0) -> FloatArray:
    """``had - less``; raises if it is negative beyond rounding, and rounds differences within rounding error to
    zero."""
    left = np.asarray(had - less)
    check_difference(left, had, less, what, slack)
    left[np.abs(left) <= 1e-12 * np.abs(had) + slack] = 0.0
    return left


def check_difference(
    left: FloatArray, had: FloatArray, less: FloatArray, what: str, slack: FloatArray | float = 0.0
) -> None:
    """Raise if the difference ``left`` is negative beyond rounding."""
    short = np.argwhere(left < -(RELATIVE_ROUNDING * np.abs(had) + slack))
    if len(short):
        where = tuple(int(i) for i in short[0])
        raise NeverLearnedError(what, float(had[where]), float(less[where]), where)


class NeverLearnedError(ForgetError):
    """A subtraction went below zero at one cell (class, column, …); the tally adds their names."""

    def __init__(self, what: str, had: float, less: float, where: tuple[int, ...]) -> None:
        super().__init__(
            f"Asked to take away {less:g} {what} where only {had:g} were counted",
            "only what was learned can be forgotten",
        )
        self.what, self.had, self.less, self.where = what, had, less, where

    def __reduce__(self) -> tuple[type, tuple[str, float, float, tuple[int, ...]]]:  # type: ignore[override]
        return type(self), (self.what, self.had, self.less, self.where)
