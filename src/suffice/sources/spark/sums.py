"""Results of tasks as rows of bytes, and their sum."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import functions as sql

from suffice.errors import DataError, SufficeError
from suffice.sources.source import Sum, summed
from suffice.sources.spark.batches import settle
from suffice.sources.spark.parcels import packed, unpacked

T = TypeVar("T", bound=Sum)
R = TypeVar("R")

SCHEMA = "part long, small boolean, value binary"
_MOST_BYTES = 1 << 16  # bytes that each part may send to the driver
_PARTS_PER_GROUP = 32  # parts whose sums are added first


def part_number() -> int:
    context = TaskContext.get()
    assert context is not None  # always set within a task
    return int(context.partitionId())


def returned(part: int, make: Callable[[], Any]) -> Iterator[Any]:
    """A value, or the error that was raised, as a row; no row for None."""
    try:
        value = make()
    except SufficeError as error:
        value = error
    settle()
    if value is None:
        return
    data = packed(value)
    small = len(data) <= _MOST_BYTES and not getattr(value, "holds_rows", False)
    columns = [pa.array([part], pa.int64()), pa.array([small]), pa.array([data], pa.binary())]
    yield pa.record_batch(columns, ["part", "small", "value"])


def value_of(data: Any) -> Any:
    """The returned value; a returned error is raised."""
    value = unpacked(data)
    if isinstance(value, SufficeError):
        raise value
    return value


def total(sums: Any, finish: Callable[[Any], R]) -> R:
    """``finish`` applied to the sum of the returned values.

    Small sums are collected by the driver in one job. If any sum is larger or contains rows, large ones are not
    collected: executors add the sums of neighbouring parts, then those sums, and the last task applies ``finish``.
    """
    sums = sums.persist()
    try:
        rows = sums.select("part", "small", sql.when(sql.col("small"), sql.col("value")).alias("value")).collect()
        if not rows:
            raise no_rows()
        if all(row["small"] for row in rows):
            return finish(_added((row["part"], row["value"]) for row in rows))
        return value_of(_finished(sums, finish).collect()[0]["value"])  # type: ignore[no-any-return]
    finally:
        sums.unpersist()


def no_rows() -> DataError:
    return DataError("There are no rows in the DataFrame", "at least one is needed")


def _finished(sums: Any, finish: Callable[[Any], Any]) -> Any:
    def grouped(batches: Iterator[Any]) -> Iterator[Any]:
        yield from _merged(batches, _same)

    def finished(batches: Iterator[Any]) -> Iterator[Any]:
        yield from _merged(batches, finish)

    # without a number of partitions, Spark takes as many as the size of the sums asks for
    groups = sums.repartition(sql.floor(sql.col("part") / _PARTS_PER_GROUP)).mapInArrow(grouped, SCHEMA)
    return groups.repartition(1).mapInArrow(finished, SCHEMA)


def _merged(batches: Iterable[Any], finish: Callable[[Any], Any]) -> Iterator[Any]:
    cells = [
        cell for batch in batches for cell in zip(*(batch[name].to_pylist() for name in ("part", "value")), strict=True)
    ]
    if cells:
        yield from returned(min(part for part, _ in cells), lambda: finish(_added(cells)))


def _added(cells: Iterable[tuple[int, Any]]) -> Any:
    """Sum in order of the parts."""
    return summed(value_of(data) for _, data in sorted(cells, key=lambda cell: cell[0]))


def _same(value: Any) -> Any:
    return value
