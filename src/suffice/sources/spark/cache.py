"""Values cached on the executors as cells of bytes, for repeated passes."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.errors import SufficeError
from suffice.sources.runs import runs
from suffice.sources.source import Cache, Sum, summed
from suffice.sources.spark.batches import short_batches, single_cells
from suffice.sources.spark.serialisation import deserialised, serialised
from suffice.sources.spark.sums import RESULT_SCHEMA, part_number, result_row, total

T = TypeVar("T", bound=Sum)
B = TypeVar("B")

_CELL_BYTES = 1 << 22  # approximately


def cache_values(frame: Any, make: Callable[[ArrowTable], tuple[B, T]]) -> "tuple[SparkCache[B], T]":
    """Compute and cache the values in one job, and return the sum of their statistics."""

    def make_batches(batches: Iterator[Any]) -> Iterator[Any]:
        sums: list[T] = []
        error: SufficeError | None = None
        try:
            for table in runs(batches, _CELL_BYTES):
                block, sum_ = make(table)
                sums.append(sum_)
                yield _block_rows([serialised(block)])
        except SufficeError as found:
            error = found
        for row in result_row(part_number(), lambda: error or summed(sums)):
            yield pa.record_batch([*row.columns, pa.nulls(1, pa.binary())], [*row.schema.names, "block"])

    with short_batches(frame):
        cells = frame.mapInArrow(make_batches, f"{RESULT_SCHEMA}, block binary").persist()
        try:
            statistics = total(cells.where("value is not null").select("part", "small", "value"), _identity)
        except BaseException:
            cells.unpersist()
            raise
    return SparkCache(cells), statistics


class SparkCache(Cache[B], Generic[B]):
    """Values cached in memory or on disks of the executors."""

    def __init__(self, cells: Any) -> None:
        self._cells = cells

    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        def sum_cells(batches: Iterator[Any]) -> Iterator[Any]:
            blocks = (deserialised(cell.as_buffer()) for batch in batches for cell in batch.column(0))
            yield from result_row(part_number(), lambda: summed(sum_ for block in blocks for sum_ in parts(block)))

        blocks = self._cells.where("block is not null").select("block")
        with single_cells(blocks):
            return total(blocks.mapInArrow(sum_cells, RESULT_SCHEMA), _identity)  # type: ignore[no-any-return]

    def release(self) -> None:
        self._cells.unpersist()


def _block_rows(blocks: list[bytes]) -> Any:
    count = len(blocks)
    columns = [
        pa.nulls(count, pa.int64()),
        pa.nulls(count, pa.bool_()),
        pa.nulls(count, pa.binary()),
        pa.array(blocks, pa.binary()),
    ]
    return pa.record_batch(columns, ["part", "small", "value", "block"])


def _identity(value: Any) -> Any:
    return value
