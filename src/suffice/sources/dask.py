"""Dask DataFrames: one task per partition and a tree of sums, in one graph."""

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
from suffice.sources.source import Kept, Source, Sum, summed

T = TypeVar("T", bound=Sum)
R = TypeVar("R")
B = TypeVar("B")

_SUMS_PER_TASK = 16  # partial sums added by one task


class DaskRows(Source):
    """The rows of a Dask DataFrame, on whichever scheduler it uses."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def threads(self, most: int) -> int:
        return 1  # each worker runs one task per thread

    def first(self, look: Callable[[ArrowTable], R]) -> R:
        for part in self._frame.to_delayed():
            found: R | None = dask.delayed(_looked)(part, look).compute()
            if found is not None:
                return found
        raise _no_rows()

    def total(self, count: Callable[[int, Iterator[ArrowTable]], T | None], finish: Callable[[T], R]) -> R:
        parts = self._frame.to_delayed()
        return _total([dask.delayed(_counted)(part, i, count) for i, part in enumerate(parts)], finish)  # type: ignore[no-any-return]

    def answered(self, answer: Callable[[ArrowTable], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        check_names([*self._frame.columns, *(name for name, _ in columns)])
        meta = self._frame._meta.assign(**{name: pd.Series([], dtype=dtype) for name, dtype in columns})
        names = [name for name, _ in columns]
        return self._frame.map_partitions(_answered, answer, names, meta, meta=meta)

    def kept(self, make: Callable[[ArrowTable], tuple[B, T]]) -> "tuple[DaskKept[B], T]":
        lists = dask.persist(*(dask.delayed(_made)(part, make) for part in self._frame.to_delayed()))
        return DaskKept(lists), _total([dask.delayed(_said)(some) for some in lists], _same)


class DaskKept(Kept[B]):
    """Values cached by the workers, one list per partition, each with its statistic."""

    def __init__(self, lists: Sequence[Any]) -> None:
        self._lists = lists

    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        return _total([dask.delayed(_of_list)(some, parts) for some in self._lists], _same)  # type: ignore[no-any-return]

    def release(self) -> None:
        self._lists = ()


def _total(sums: list[Any], finish: Callable[[Any], Any]) -> Any:
    while len(sums) > 1:
        sums = [dask.delayed(_summed)(sums[i : i + _SUMS_PER_TASK]) for i in range(0, len(sums), _SUMS_PER_TASK)]
    found = dask.delayed(_finished)(sums[0], finish).compute()
    if found is None:
        raise _no_rows()
    return found


def _same(value: Any) -> Any:
    return value


def _made(part: Any, make: Callable[[ArrowTable], Any]) -> list[Any]:
    return [make(table) for table in _tables(part)]


def _of_list(some: list[Any], parts: Callable[[Any], Iterable[Any]]) -> Any:
    return summed(sum_ for value, _ in some for sum_ in parts(value))


def _said(some: list[Any]) -> Any:
    return summed(said for _, said in some)


def _no_rows() -> DataError:
    return DataError("There are no rows in the DataFrame", "at least one is needed")


def _tables(part: Any) -> Iterator[ArrowTable]:
    return runs(to_arrow(part).to_batches())


def _looked(part: Any, look: Callable[[ArrowTable], Any]) -> Any:
    table = next(_tables(part), None)
    return None if table is None else look(table)


def _counted(part: Any, number: int, count: Callable[[int, Iterator[ArrowTable]], Any]) -> Any:
    return count(number, _tables(part)) if len(part) else None


def _summed(parts: list[Any]) -> Any:
    return summed(part for part in parts if part is not None)


def _finished(found: Any, finish: Callable[[Any], Any]) -> Any:
    return None if found is None else finish(found)


def _answered(
    part: pd.DataFrame, answer: Callable[[ArrowTable], AnyArray], names: list[str], meta: pd.DataFrame
) -> Any:
    if not len(part):
        return meta
    found = np.concatenate([answer(table) for table in _tables(part)])
    table = found[:, None] if found.ndim == 1 else found
    return part.assign(**dict(zip(names, table.T, strict=True)))
