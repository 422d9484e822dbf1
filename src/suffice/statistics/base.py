"""The interface of a statistic: an immutable, additive value whose first axis is the class.

``a + b`` is the statistic of the rows of both; ``a - b`` subtracts rows; ``scaled`` reweights them; ``reindex_classes`` moves
classes to new indices, so that shards with different labels can be added. Its laws are tested for all statistics in
``tests/laws``.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

import numpy as np

from suffice.errors import ForgetError
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray, frozen

RELATIVE_ROUNDING = 1e-9  # a relative difference this far below zero is rounding error


@dataclass(frozen=True, eq=False)
class Statistic(ABC):
    """Base of statistics, which are arrays of shape (classes, columns, …)."""

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
        """The statistic with all weights multiplied by ``factor``; an array has a factor for each class."""
        by = np.asarray(factor, dtype=np.float64)

        def times(array: AnyArray) -> AnyArray:
            return array * by.reshape(by.shape + (1,) * (array.ndim - by.ndim)) if by.ndim else array * by

        return replace(self, **{name: times(getattr(self, name)) for name in self.extensive_fields})

    def reindex_classes(self, index: IntArray, n_classes: int) -> Self:
        """Class i moved to index ``index[i]`` of ``n_classes``; other classes are empty."""
        return self._reindexed(index, n_classes, axis=0)

    def select_classes(self, index: IntArray | CodeArray) -> Self:
        """A selection of classes, in the order of ``index``."""
        return replace(self, **{name: getattr(self, name)[index] for name in self._array_names()})

    def without_each(self, index: IntArray | CodeArray, rows: Self) -> Self:
        """The statistic of class ``index[i]`` without row i, as class i."""
        return self.select_classes(index) - rows

    def reindex_columns(self, index: IntArray, n_columns: int) -> Self:
        """Column j moved to index ``index[j]`` of ``n_columns``; other columns are empty."""
        return self._reindexed(index, n_columns, axis=1)

    def select_columns(self, index: IntArray) -> Self:
        """A selection of columns, in the order of ``index``, for statistics of single columns."""
        return replace(self, **{name: getattr(self, name)[:, index] for name in self._array_names()})

    def _reindexed(self, index: IntArray, size: int, axis: int) -> Self:
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


def subtract_checked(
    counted: FloatArray, subtracted: FloatArray, what: str, slack: FloatArray | float = 0.0
) -> FloatArray:
    """``counted - subtracted``; differences within rounding error become zero, and negative ones raise an error."""
    difference = np.asarray(counted - subtracted)
    check_difference(difference, counted, subtracted, what, slack)
    difference[np.abs(difference) <= 1e-12 * np.abs(counted) + slack] = 0.0
    return difference


def check_difference(
    difference: FloatArray, counted: FloatArray, subtracted: FloatArray, what: str, slack: FloatArray | float = 0.0
) -> None:
    """Raise if ``difference`` is negative beyond rounding error."""
    short = np.argwhere(difference < -(RELATIVE_ROUNDING * np.abs(counted) + slack))
    if len(short):
        where = tuple(int(i) for i in short[0])
        raise NeverLearnedError(what, float(counted[where]), float(subtracted[where]), where)


class NeverLearnedError(ForgetError):
    """A subtraction is negative at the cell ``where`` (class, column, …); the tally adds names of class and column."""

    def __init__(self, what: str, counted: float, subtracted: float, where: tuple[int, ...]) -> None:
        super().__init__(
            f"Asked to subtract {subtracted:g} {what} from {counted:g}",
            "only what was learned can be forgotten",
        )
        self.what, self.counted, self.subtracted, self.where = what, counted, subtracted, where

    def __reduce__(self) -> tuple[type, tuple[str, float, float, tuple[int, ...]]]:  # type: ignore[override]
        return type(self), (self.what, self.counted, self.subtracted, self.where)
