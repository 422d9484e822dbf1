"""The interface of a source: rows in partitions, and four operations on them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

import numpy as np

from suffice.columns.schema import Schema
from suffice.errors import DataError, ParameterError
from suffice.numerics.arrays import AnyArray
from suffice.sources.read_ahead import read_ahead

if TYPE_CHECKING:
    from suffice.columns.arrow_table import ArrowTable  # loads Arrow


_GROUP_SIZE = 16  # sums that are added before they are added to the total


class Sum(Protocol):
    """An additive value: a statistic, a tally, a loss. One that contains rows has the attribute ``contains_rows``."""

    def __add__(self, other: Self, /) -> Self: ...


T = TypeVar("T", bound=Sum)
R = TypeVar("R")
B = TypeVar("B")


class Cache(ABC, Generic[B]):
    """Values cached for repeated sums, one per run of rows."""

    @abstractmethod
    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        """The sum of ``parts`` of all cached values."""

    def release(self) -> None:
        """Free the cached values."""
        return


class Source(ABC):
    """Rows in partitions. Functions are evaluated where the rows are, and return small results."""

    @abstractmethod
    def first(self, function: Callable[["ArrowTable"], R]) -> R:
        """``function`` of a batch of the first rows. Raises if there are no rows."""

    @abstractmethod
    def total(self, count: Callable[[int, Iterator["ArrowTable"]], T | None], finish: Callable[[T], R]) -> R:
        """``finish`` of the sum of ``count`` over the partitions.

        ``count`` takes the number of a partition and its rows, in runs, and returns None for an empty one. Results are
        added in a fixed order.
        """

    @abstractmethod
    def map_rows(self, score: Callable[["ArrowTable"], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        """``score`` of each row, in the format of the source. ``columns`` has names and types of the results."""

    @abstractmethod
    def cache(self, make: Callable[["ArrowTable"], tuple[B, T]]) -> tuple[Cache[B], T]:
        """Values of ``make`` for each run of rows, cached where the rows are for iterative algorithms; and the sum of
        the statistics that ``make`` returns with them."""

    @property
    def can_be_read_again(self) -> bool:
        """Whether the rows can be read a second time."""
        return True

    @property
    def schema(self) -> Schema | None:
        """The formats of the cells, if they are text."""
        return None

    def empty_table(self) -> "ArrowTable | None":
        """An empty table with these columns, if their types are known without reading rows."""
        return None

    def threads(self, most: int) -> int:
        """The number of threads that a function may use on one partition."""
        return most


class LocalSource(Source):
    """Rows read by this process, a run at a time, as a single partition."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._started: tuple[ArrowTable, Iterator[ArrowTable]] | None = None

    @abstractmethod
    def _runs(self) -> Iterator["ArrowTable"]:
        """All rows in order, in runs that fit into memory."""

    def with_schema(self, schema: Schema) -> "LocalSource | None":
        """The same rows parsed by a schema, if the cells are text; None if they are typed."""
        return None

    def first(self, function: Callable[["ArrowTable"], R]) -> R:
        # ``batches`` continues this pass: opening a query twice would run it twice
        self._started = self._started or self._start()
        return function(self._started[0])

    def _start(self) -> tuple["ArrowTable", Iterator["ArrowTable"]]:
        runs = (table for table in self._runs() if table.rows)
        for table in runs:
            return table, runs
        raise DataError(f"There are no rows in {self.name}", "at least one is needed")

    def batches(self) -> Iterator["ArrowTable"]:
        """All rows, a run at a time."""
        table, others = self._started or self._start()
        self._started = None
        yield table
        del table  # otherwise it stays in memory until the last batch is read
        yield from read_ahead(others)

    def total(self, count: Callable[[int, Iterator["ArrowTable"]], T | None], finish: Callable[[T], R]) -> R:
        found = count(0, self.batches())
        assert found is not None  # ``batches`` raises if there are no rows
        return finish(found)

    def map_rows(self, score: Callable[["ArrowTable"], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        return np.concatenate([score(table) for table in self.batches()])

    def cache(self, make: Callable[["ArrowTable"], tuple[B, T]]) -> tuple[Cache[B], T]:
        total = summed(make(table)[1] for table in self.batches())
        assert total is not None
        return _RepeatedPasses(self, make), total


class _RepeatedPasses(Cache[B]):
    """A cache that stores nothing: each sum is a pass over the source, with one run of rows in memory."""

    def __init__(self, source: LocalSource, make: Callable[["ArrowTable"], tuple[B, Any]]) -> None:
        self._source, self._make = source, make

    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        found = summed(part for table in self._source.batches() for part in parts(self._make(table)[0]))
        assert found is not None
        return found


def summed(parts: Iterable[T]) -> T | None:
    """The sum, in groups: a large total is not copied for each run of rows, and at most two sums are in memory.

    >>> summed([[1], [2], [3], [4], [5]])
    [1, 2, 3, 4, 5]
    """
    total: T | None = None
    recent: T | None = None
    for count, part in enumerate(parts, 1):
        recent = part if recent is None else recent + part
        if count % _GROUP_SIZE == 0:
            total, recent = recent if total is None else total + recent, None
    if total is None or recent is None:
        return recent if total is None else total
    return total + recent


def not_rereadable(name: str) -> ParameterError:
    return ParameterError(
        f"{name} can be iterated only once",
        "several passes over the rows are needed",
        "Give a file, a list, or a function that returns an iterator",
    )
