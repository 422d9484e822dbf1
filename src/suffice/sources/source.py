"""The interface of a source: rows in partitions, and four operations on them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

import numpy as np

from suffice.columns.schema import Schema
from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import AnyArray
from suffice.sources.ahead import ahead

if TYPE_CHECKING:
    from suffice.columns.arrow_table import ArrowTable  # loads Arrow


_SUMS_PER_MERGE = 16  # sums of runs of rows


class Sum(Protocol):
    """What adds: a statistic, a tally, a loss. One that has rows in it says so: ``holds_rows``."""

    def __add__(self, other: Self, /) -> Self: ...


T = TypeVar("T", bound=Sum)
R = TypeVar("R")
B = TypeVar("B")


class Kept(ABC, Generic[B]):
    """What was made of each run of rows, for as many sums over it as are wanted."""

    @abstractmethod
    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        """The sum of all parts."""

    def release(self) -> None:
        """It is wanted no more."""
        return


class Source(ABC):
    """Rows in partitions. Functions are sent to the rows; their results are small."""

    @abstractmethod
    def first(self, look: Callable[["ArrowTable"], R]) -> R:
        """What ``look`` makes of some of the first rows; there is at least one, or else the source is refused."""

    @abstractmethod
    def total(self, count: Callable[[int, Iterator["ArrowTable"]], T | None], finish: Callable[[T], R]) -> R:
        """What ``finish`` makes of the sum of what ``count`` makes of each part.

        ``count`` is given the number of the part and its rows, in runs; it returns None where there are none. Sums are
        made in an order that does not depend on what is ready first.
        """

    @abstractmethod
    def answered(self, answer: Callable[["ArrowTable"], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        """An answer to each row, in the form in which the rows came. ``columns`` has the names and types of the answers."""

    @abstractmethod
    def kept(self, make: Callable[["ArrowTable"], tuple[B, T]]) -> tuple[Kept[B], T]:
        """What ``make`` makes of each run of rows, near the rows, for algorithms that come by many times; and the sum of
        what it says of each at once."""

    @property
    def can_be_read_again(self) -> bool:
        """Whether the rows can be gone through a second time."""
        return True

    @property
    def schema(self) -> Schema | None:
        """How cells are spelled, where they are text that was read by a schema."""
        return None

    def typed(self) -> "ArrowTable | None":
        """A table of these columns without rows, if their types are known without looking at any."""
        return None

    def threads(self, most: int) -> int:
        """How many threads a function may use where the rows are."""
        return most


class LocalSource(Source):
    """Rows that pass through this process, a run at a time; all of them are one part."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._begun: tuple[ArrowTable, Iterator[ArrowTable]] | None = None

    @abstractmethod
    def _walk(self) -> Iterator["ArrowTable"]:
        """The rows from the first to the last, in runs that fit into memory easily."""

    def with_schema(self, schema: Schema) -> "LocalSource | None":
        """The same rows, read by a schema, if this is a source of text; None if its cells have types."""
        return None

    def first(self, look: Callable[["ArrowTable"], R]) -> R:
        # the walk that was begun here is gone on with by ``batches``: opening a query twice would run it twice
        self._begun = self._begun or self._begin()
        return look(self._begun[0])

    def _begin(self) -> tuple["ArrowTable", Iterator["ArrowTable"]]:
        walk = (table for table in self._walk() if table.rows)
        for table in walk:
            return table, walk
        raise DataError(f"There are no rows in {self.name}", "at least one is needed")

    def batches(self) -> Iterator["ArrowTable"]:
        """All rows, a run at a time."""
        table, rest = self._begun or self._begin()
        self._begun = None
        yield table
        del table  # or it would stay in memory until the last one has gone by
        yield from ahead(rest)

    def total(self, count: Callable[[int, Iterator["ArrowTable"]], T | None], finish: Callable[[T], R]) -> R:
        found = count(0, self.batches())
        assert found is not None  # a source without rows is refused
        return finish(found)

    def answered(self, answer: Callable[["ArrowTable"], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        return np.concatenate([answer(table) for table in self.batches()])

    def kept(self, make: Callable[["ArrowTable"], tuple[B, T]]) -> tuple[Kept[B], T]:
        said = summed(make(table)[1] for table in self.batches())
        assert said is not None
        return _Walks(self, make), said


class _Walks(Kept[B]):
    """Nothing is kept: memory is for a run of rows, and each sum is another walk through the source."""

    def __init__(self, source: LocalSource, make: Callable[["ArrowTable"], tuple[B, Any]]) -> None:
        self._source, self._make = source, make

    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        found = summed(part for table in self._source.batches() for part in parts(self._make(table)[0]))
        assert found is not None
        return found


def summed(parts: Iterable[T]) -> T | None:
    """The sum, sixteen at a time: what has grown large is not copied for each run of rows, and two sums are in memory at most.

    >>> summed([[1], [2], [3], [4], [5]])
    [1, 2, 3, 4, 5]
    """
    total: T | None = None
    recent: T | None = None
    for count, part in enumerate(parts, 1):
        recent = part if recent is None else recent + part
        if count % _SUMS_PER_MERGE == 0:
            total, recent = recent if total is None else total + recent, None
    if total is None or recent is None:
        return recent if total is None else total
    return total + recent


def only_once(name: str) -> ParameterError:
    return ParameterError(
        f"{name} can be gone through only once",
        "the rows are needed again for every step",
        "Give a file, a list, or a function that returns an iterator",
    )
