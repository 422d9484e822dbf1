"""The rows of a DataFrame, as a source."""

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from pyspark.sql import types

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.numerics.arrays import AnyArray
from suffice.sources.runs import runs
from suffice.sources.source import Source, Sum
from suffice.sources.spark.batches import short_batches
from suffice.sources.spark.cache import SparkCache, cache_values
from suffice.sources.spark.sums import RESULT_SCHEMA, no_rows, part_number, result_row, total, value_of

T = TypeVar("T", bound=Sum)
R = TypeVar("R")
B = TypeVar("B")

_INSPECTED_ROWS = 10_000  # rows for inferring the kinds of the columns
_TYPES: dict[str, Any] = {"i": types.LongType, "u": types.LongType, "b": types.BooleanType, "f": types.DoubleType}
_ARROW: dict[Any, Any] = {
    types.DoubleType: pa.float64(),
    types.FloatType: pa.float32(),
    types.LongType: pa.int64(),
    types.IntegerType: pa.int32(),
    types.ShortType: pa.int16(),
    types.ByteType: pa.int8(),
    types.BooleanType: pa.bool_(),
    types.StringType: pa.string(),
}


class SparkRows(Source):
    """The rows of a Spark DataFrame. None of them are collected by the driver."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def threads(self, most: int) -> int:
        return 1  # each executor runs one task per core

    def empty_table(self) -> ArrowTable | None:
        fields = self._frame.schema.fields
        if not all(type(field.dataType) in _ARROW for field in fields):
            return None
        arrays = [pa.array([], _ARROW[type(field.dataType)]) for field in fields]
        return ArrowTable(pa.Table.from_arrays(arrays, names=[field.name for field in fields]))

    def first(self, function: Callable[[ArrowTable], R]) -> R:
        def apply_first(batches: Iterator[Any]) -> Iterator[Any]:
            found = [batch for batch in batches if batch.num_rows]
            if found:
                yield from result_row(0, lambda: function(ArrowTable(pa.Table.from_batches(found))))

        rows = self._frame.limit(_INSPECTED_ROWS).mapInArrow(apply_first, RESULT_SCHEMA).collect()
        if not rows:
            raise no_rows()
        return value_of(rows[0]["value"])  # type: ignore[no-any-return]

    def total(self, count: Callable[[int, Iterator[ArrowTable]], T | None], finish: Callable[[T], R]) -> R:
        def count_part(batches: Iterator[Any]) -> Iterator[Any]:
            part = part_number()
            yield from result_row(part, lambda: count(part, runs(batches)))

        with short_batches(self._frame):
            return total(self._frame.mapInArrow(count_part, RESULT_SCHEMA), finish)

    def map_rows(self, score: Callable[[ArrowTable], AnyArray], columns: Sequence[tuple[str, np.dtype[Any]]]) -> Any:
        names = [name for name, _ in columns]
        check_names([*self._frame.columns, *names])
        schema = copy.deepcopy(self._frame.schema)
        for name, dtype in columns:
            schema = schema.add(name, _TYPES.get(dtype.kind, types.StringType)())

        def map_batches(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                if batch.num_rows:
                    scores = score(ArrowTable(pa.Table.from_batches([batch])))
                    yield _with_results(batch, names, scores)

        return self._frame.mapInArrow(map_batches, schema)

    def cache(self, make: Callable[[ArrowTable], tuple[B, T]]) -> tuple[SparkCache[B], T]:
        return cache_values(self._frame, make)


def _with_results(batch: Any, names: Sequence[str], results: AnyArray) -> Any:
    """The rows with results as additional columns."""
    table = results[:, None] if results.ndim == 1 else results
    arrays = [pa.array(column.tolist()) for column in table.T]
    return pa.record_batch([*batch.columns, *arrays], [*batch.schema.names, *names])
