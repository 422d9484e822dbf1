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
    """An additive value: a statistic, a tally, a loss. One that contains rows has the attribute ``holds_rows``."""

    def __add__(self, other: Self, /) -> Self: ...


T = TypeVar("T", bound=Sum)
R = TypeVar("R")
B = TypeVar("B")


class Kept(ABC, Generic[B]):
    """Cached values, one per run of rows, for repeated sums."""

    @abstractmethod
    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        """The sum of ``parts`` over all cached values."""

    def release(self) -> None:
        """Free the cached values."""
        return


class Source(ABC):
    """Rows in partitions. Functions are sent to the rows; their results are small."""

    @abstractmethod
    def first(self, look: Callable[["ArrowTable"], R]) -> R:
        """``look`` applied to a batch of first rows. A source without rows is refused."""

    @abstractmethod
    def total(self, count: Callable[[int, Iterator["ArrowTable"]], T | None], finish: Callable[[T], R]) -> R:
        """``finish`` applied to the sum of ``count`` over the parts.

        ``count`` is called with the number of the part and its rows, in runs; it returns None for an empty part. Parts are
        added in a fixed order, whichever is ready first.
        """

    @abstractmethod
    def answered(self, answer: Callable[["ArrowTable"], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        """``answer`` applied to each row, in the format of the source. ``columns`` has names and types of the results."""

    @abstractmethod
    def kept(self, make: Callable[["ArrowTable"], tuple[B, T]]) -> tuple[Kept[B], T]:
        """Values of ``make`` for each run of rows, cached beside the rows for iterative algorithms; and the sum of
        the statistics that ``make`` returns with them."""

    @property
    def can_be_read_again(self) -> bool:
        """Whether the rows can be read a second time."""
        return True

    @property
    def schema(self) -> Schema | None:
        """The formats of cells, if they are text that is read by a schema."""
        return None

    def typed(self) -> "ArrowTable | None":
        """An empty table of these columns, if their types are known without reading rows."""
        return None

    def threads(self, most: int) -> int:
        """How many threads a function may use on one part."""
        return most


class LocalSource(Source):
    """Rows read by this process, a run at a time, as a single part."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._begun: tuple[ArrowTable, Iterator[ArrowTable]] | None = None

    @abstractmethod
    def _walk(self) -> Iterator["ArrowTable"]:
        """All rows in order, in runs that fit into memory."""

    def with_schema(self, schema: Schema) -> "LocalSource | None":
        """The same rows read by a schema, if this is a source of text; None if its cells are typed."""
        return None

    def first(self, look: Callable[["ArrowTable"], R]) -> R:
        # ``batches`` continues the pass that starts here: opening a query twice would run it twice
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
        del table  # otherwise it stays in memory until the last batch is read
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
    """No cache: each sum is another pass over the source, with one run of rows in memory."""

    def __init__(self, source: LocalSource, make: Callable[["ArrowTable"], tuple[B, Any]]) -> None:
        self._source, self._make = source, make

    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        found = summed(part for table in self._source.batches() for part in parts(self._make(table)[0]))
        assert found is not None
        return found


def summed(parts: Iterable[T]) -> T | None:
    """The sum, in groups of sixteen: a large total is not copied for each run of rows, and at most two sums are in memory.

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
