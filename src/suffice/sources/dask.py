"""Dask DataFrames: one task per partition and a tree reduction, in one graph."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import dask
import numpy as np
import pandas as pd

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.errors import DataError
from suffice.numerics.arrays import AnyArray
from suffice.sources.frames import to_arrow
from suffice.sources.runs import runs
from suffice.sources.source import Cache, Source, Sum, summed

T = TypeVar("T", bound=Sum)
R = TypeVar("R")
B = TypeVar("B")

_GROUP_SIZE = 16  # sums added by one task


class DaskRows(Source):
    """The rows of a Dask DataFrame, on any scheduler."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def threads(self, most: int) -> int:
        return 1  # each worker runs one task per thread

    def first(self, function: Callable[[ArrowTable], R]) -> R:
        for part in self._frame.to_delayed():
            found: R | None = dask.delayed(_apply_first)(part, function).compute()
            if found is not None:
                return found
        raise _no_rows()

    def total(self, count: Callable[[int, Iterator[ArrowTable]], T | None], finish: Callable[[T], R]) -> R:
        parts = self._frame.to_delayed()
        return _total([dask.delayed(_count_partition)(part, i, count) for i, part in enumerate(parts)], finish)  # type: ignore[no-any-return]

    def map_rows(self, score: Callable[[ArrowTable], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        check_names([*self._frame.columns, *(name for name, _ in columns)])
        meta = self._frame._meta.assign(**{name: pd.Series([], dtype=dtype) for name, dtype in columns})
        names = [name for name, _ in columns]
        return self._frame.map_partitions(_map_partition, score, names, meta, meta=meta)

    def cache(self, make: Callable[[ArrowTable], tuple[B, T]]) -> "tuple[DaskCache[B], T]":
        lists = dask.persist(*(dask.delayed(_make_values)(part, make) for part in self._frame.to_delayed()))
        return DaskCache(lists), _total([dask.delayed(_sum_of_made)(some) for some in lists], _identity)


class DaskCache(Cache[B]):
    """Values cached by the workers, one list per partition, each value with its statistic."""

    def __init__(self, lists: Sequence[Any]) -> None:
        self._lists = lists

    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        return _total([dask.delayed(_sum_of_parts)(some, parts) for some in self._lists], _identity)  # type: ignore[no-any-return]

    def release(self) -> None:
        self._lists = ()


def _total(sums: list[Any], finish: Callable[[Any], Any]) -> Any:
    while len(sums) > 1:
        sums = [dask.delayed(_add)(sums[i : i + _GROUP_SIZE]) for i in range(0, len(sums), _GROUP_SIZE)]
    found = dask.delayed(_finish)(sums[0], finish).compute()
    if found is None:
        raise _no_rows()
    return found


def _identity(value: Any) -> Any:
    return value


def _make_values(part: Any, make: Callable[[ArrowTable], Any]) -> list[Any]:
    return [make(table) for table in _tables(part)]


def _sum_of_parts(some: list[Any], parts: Callable[[Any], Iterable[Any]]) -> Any:
    return summed(sum_ for value, _ in some for sum_ in parts(value))


def _sum_of_made(some: list[Any]) -> Any:
    return summed(statistic for _, statistic in some)


def _no_rows() -> DataError:
    return DataError("There are no rows in the DataFrame", "at least one is needed")


def _tables(part: Any) -> Iterator[ArrowTable]:
    return runs(to_arrow(part).to_batches())


def _apply_first(part: Any, function: Callable[[ArrowTable], Any]) -> Any:
    table = next(_tables(part), None)
    return None if table is None else function(table)


def _count_partition(part: Any, number: int, count: Callable[[int, Iterator[ArrowTable]], Any]) -> Any:
    return count(number, _tables(part)) if len(part) else None


def _add(parts: list[Any]) -> Any:
    return summed(part for part in parts if part is not None)


def _finish(found: Any, finish: Callable[[Any], Any]) -> Any:
    return None if found is None else finish(found)


def _map_partition(
    part: pd.DataFrame, score: Callable[[ArrowTable], AnyArray], names: list[str], meta: pd.DataFrame
) -> Any:
    if not len(part):
        return meta
    scores = np.concatenate([score(table) for table in _tables(part)])
    table = scores[:, None] if scores.ndim == 1 else scores
    return part.assign(**dict(zip(names, table.T, strict=True)))
