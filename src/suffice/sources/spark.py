"""DataFrames of Spark: functions go to the executors as they are, and what they return comes back as bytes.

Nothing here uses more than ``mapInArrow`` and ``repartition``, so that classic sessions and Spark Connect are the same.
What a task returns takes part in the data flow of Spark, which counts the result of one attempt of each task: an executor
that is lost, a task that is tried again or run twice changes nothing.
"""

import copy
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import functions as sql
from pyspark.sql.types import BooleanType, DoubleType, LongType, StringType

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.errors import DataError, SufficeError
from suffice.numerics.arrays import AnyArray
from suffice.sources.runs import runs
from suffice.sources.source import Kept, Source, Sum, summed

T = TypeVar("T", bound=Sum)
R = TypeVar("R")
B = TypeVar("B")

_LOOKED_AT = 10_000  # rows, for telling what the columns are
_FAN = 32  # neighbouring parts whose sums are added first
_SCHEMA = "part long, value binary"


class SparkRows(Source):
    """The rows of a DataFrame. None of them comes to the driver."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def threads(self, most: int) -> int:
        return 1  # the tasks of an executor are its threads

    def first(self, look: Callable[[ArrowTable], R]) -> R:
        def looked(batches: Iterator[Any]) -> Iterator[Any]:
            found = [batch for batch in batches if batch.num_rows]
            if found:
                yield _result(0, lambda: look(ArrowTable(pa.Table.from_batches(found))))

        return _one(self._frame.limit(_LOOKED_AT).mapInArrow(looked, _SCHEMA))  # type: ignore[no-any-return]

    def total(self, count: Callable[[int, Iterator[ArrowTable]], T | None], finish: Callable[[T], R]) -> R:
        def counted(batches: Iterator[Any]) -> Iterator[Any]:
            part = _part()
            result = _result(part, lambda: count(part, runs(batches)))
            if result is not None:
                yield result

        def finished(batches: Iterator[Any]) -> Iterator[Any]:
            yield from _merged(_cells(batches), finish)

        groups = _groups(self._frame.mapInArrow(counted, _SCHEMA))
        return _one(groups.repartition(1).mapInArrow(finished, _SCHEMA))  # type: ignore[no-any-return]

    def answered(self, answer: Callable[[ArrowTable], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        names = [name for name, _ in columns]
        check_names([*self._frame.columns, *names])
        schema = copy.deepcopy(self._frame.schema)
        for name, dtype in columns:
            schema = schema.add(name, _TYPES.get(dtype.kind, StringType)())

        def answered(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                if batch.num_rows:
                    found = answer(ArrowTable(pa.Table.from_batches([batch])))
                    yield _beside(batch, names, found)

        return self._frame.mapInArrow(answered, schema)

    def kept(self, make: Callable[[ArrowTable], B]) -> "SparkKept[B]":
        def made(batches: Iterator[Any]) -> Iterator[Any]:
            part = _part()
            for table in runs(batches):
                yield _result(part, lambda table=table: make(table))  # type: ignore[misc]

        return SparkKept(self._frame.mapInArrow(made, _SCHEMA).persist())


class SparkKept(Kept[B]):
    """A few rows of bytes, kept by the executors: going through them again costs no more than moving those."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        def counted(batches: Iterator[Any]) -> Iterator[Any]:
            values = (_checked(pickle.loads(value)) for _, value in _cells(batches))
            result = _result(_part(), lambda: summed(sum_ for value in values for sum_ in parts(value)))
            if result is not None:
                yield result

        # what is summed of values holds no rows, so the last few sums may be added here
        rows = _groups(self._frame.mapInArrow(counted, _SCHEMA)).collect()
        total: T | None = summed(_checked(pickle.loads(value)) for _, value in sorted((r[0], r[1]) for r in rows))
        if total is None:
            raise _no_rows()
        return total

    def release(self) -> None:
        self._frame.unpersist()


_TYPES: dict[str, Any] = {"i": LongType, "u": LongType, "b": BooleanType, "f": DoubleType}


def _groups(sums: Any) -> Any:
    """Sums of neighbouring parts. Without a number of partitions, Spark takes as many as the size of the sums asks for."""

    def merged(batches: Iterator[Any]) -> Iterator[Any]:
        yield from _merged(_cells(batches), _same)

    return sums.repartition(sql.floor(sql.col("part") / _FAN)).mapInArrow(merged, _SCHEMA)


def _same(value: Any) -> Any:
    return value


def _one(frame: Any) -> Any:
    """The value that is all that a frame holds."""
    rows = frame.collect()
    if not rows:
        raise _no_rows()
    return _checked(pickle.loads(rows[0]["value"]))  # written by ``_result``, in a process of this very session


def _no_rows() -> DataError:
    return DataError("There are no rows in the DataFrame", "at least one is needed")


def _part() -> int:
    context = TaskContext.get()
    assert context is not None  # in a task there is one
    return int(context.partitionId())


def _result(part: int, make: Callable[[], Any]) -> Any:
    """A value, or the error that came of it, as a row; None where there is none."""
    try:
        value = make()
    except SufficeError as error:
        value = error
    if value is None:
        return None
    return pa.record_batch(
        [pa.array([part], pa.int64()), pa.array([pickle.dumps(value)], pa.binary())], ["part", "value"]
    )


def _merged(cells: Iterable[tuple[int, bytes]], finish: Callable[[Any], Any]) -> Iterator[Any]:
    """The sum of some values, from the first part to the last, as a row."""
    rows = sorted(cells)
    if not rows:
        return

    def added() -> Any:
        return finish(summed(_checked(pickle.loads(value)) for _, value in rows))

    yield _result(rows[0][0], added)


def _cells(batches: Iterable[Any]) -> Iterator[tuple[int, bytes]]:
    for batch in batches:
        yield from zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)


def _checked(value: Any) -> Any:
    if isinstance(value, SufficeError):
        raise value
    return value


def _beside(batch: Any, names: Sequence[str], found: AnyArray) -> Any:
    """The rows with their answers behind them."""
    table = found[:, None] if found.ndim == 1 else found
    arrays = [pa.array(column.tolist()) for column in table.T]
    return pa.record_batch([*batch.columns, *arrays], [*batch.schema.names, *names])
