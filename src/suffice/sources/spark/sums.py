"""Results of tasks as rows of bytes, and their reduction."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import functions as sql

from suffice.errors import DataError, SufficeError
from suffice.sources.source import Sum, summed
from suffice.sources.spark.batches import freeze_loaded_objects
from suffice.sources.spark.serialisation import deserialised, serialised

T = TypeVar("T", bound=Sum)
R = TypeVar("R")

RESULT_SCHEMA = "part long, small boolean, value binary"
_MAX_COLLECTED_BYTES = 1 << 16  # bytes that each partition may send to the driver
_PARTS_PER_GROUP = 32  # partitions whose sums are added first


def part_number() -> int:
    context = TaskContext.get()
    assert context is not None  # always set within a task
    return int(context.partitionId())


def result_row(part: int, make: Callable[[], Any]) -> Iterator[Any]:
    """A value, or the error that was raised, as a row; no row for None."""
    try:
        value = make()
    except SufficeError as error:
        value = error
    freeze_loaded_objects()
    if value is None:
        return
    data = serialised(value)
    small = len(data) <= _MAX_COLLECTED_BYTES and not getattr(value, "contains_rows", False)
    columns = [pa.array([part], pa.int64()), pa.array([small]), pa.array([data], pa.binary())]
    yield pa.record_batch(columns, ["part", "small", "value"])


def value_of(data: Any) -> Any:
    """The returned value; a returned error is raised."""
    value = deserialised(data)
    if isinstance(value, SufficeError):
        raise value
    return value


def total(sums: Any, finish: Callable[[Any], R]) -> R:
    """``finish`` of the sum of the returned values.

    Small sums are collected by the driver in one job. If any sum is larger or contains rows, executors
    add the sums of neighbouring partitions, then those sums, and the last task applies ``finish``.
    """
    sums = sums.persist()
    try:
        rows = sums.select("part", "small", sql.when(sql.col("small"), sql.col("value")).alias("value")).collect()
        if not rows:
            raise no_rows()
        if all(row["small"] for row in rows):
            return finish(_sum_in_order((row["part"], row["value"]) for row in rows))
        return value_of(_reduced(sums, finish).collect()[0]["value"])  # type: ignore[no-any-return]
    finally:
        sums.unpersist()


def no_rows() -> DataError:
    return DataError("There are no rows in the DataFrame", "at least one is needed")


def _reduced(sums: Any, finish: Callable[[Any], Any]) -> Any:
    def add_group(batches: Iterator[Any]) -> Iterator[Any]:
        yield from _add_cells(batches, _identity)

    def add_groups(batches: Iterator[Any]) -> Iterator[Any]:
        yield from _add_cells(batches, finish)

    # without a number of partitions, Spark chooses it by the size of the sums
    groups = sums.repartition(sql.floor(sql.col("part") / _PARTS_PER_GROUP)).mapInArrow(add_group, RESULT_SCHEMA)
    return groups.repartition(1).mapInArrow(add_groups, RESULT_SCHEMA)


def _add_cells(batches: Iterable[Any], finish: Callable[[Any], Any]) -> Iterator[Any]:
    cells = [
        cell for batch in batches for cell in zip(*(batch[name].to_pylist() for name in ("part", "value")), strict=True)
    ]
    if cells:
        yield from result_row(min(part for part, _ in cells), lambda: finish(_sum_in_order(cells)))


def _sum_in_order(cells: Iterable[tuple[int, Any]]) -> Any:
    """The sum in order of the partitions."""
    return summed(value_of(data) for _, data in sorted(cells, key=lambda cell: cell[0]))


def _identity(value: Any) -> Any:
    return value
