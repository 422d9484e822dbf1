"""Values cached on the executors as a few cells of bytes, so that repeated passes are cheap."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.errors import SufficeError
from suffice.sources.runs import runs
from suffice.sources.source import Kept, Sum, summed
from suffice.sources.spark.batches import short_batches, single_cells
from suffice.sources.spark.parcels import packed, unpacked
from suffice.sources.spark.sums import SCHEMA, part_number, returned, total

T = TypeVar("T", bound=Sum)
B = TypeVar("B")

_CELL_BYTES = 1 << 22  # approximately


def keep(frame: Any, make: Callable[[ArrowTable], tuple[B, T]]) -> "tuple[SparkKept[B], T]":
    """In one job, compute the cells, cache them, and return the sum of their statistics."""

    def made(batches: Iterator[Any]) -> Iterator[Any]:
        said: list[T] = []
        error: SufficeError | None = None
        try:
            for table in runs(batches, _CELL_BYTES):
                block, some = make(table)
                said.append(some)
                yield _with_blocks([packed(block)])
        except SufficeError as found:
            error = found
        for row in returned(part_number(), lambda: error or summed(said)):
            yield pa.record_batch([*row.columns, pa.nulls(1, pa.binary())], [*row.schema.names, "block"])

    with short_batches(frame):
        cells = frame.mapInArrow(made, f"{SCHEMA}, block binary").persist()
        try:
            said = total(cells.where("value is not null").select("part", "small", "value"), _same)
        except BaseException:
            cells.unpersist()
            raise
    return SparkKept(cells), said


class SparkKept(Kept[B], Generic[B]):
    """Cells cached in memory or on disks of the executors."""

    def __init__(self, cells: Any) -> None:
        self._cells = cells

    def total(self, parts: Callable[[B], Iterable[T]]) -> T:
        def counted(batches: Iterator[Any]) -> Iterator[Any]:
            blocks = (unpacked(cell.as_buffer()) for batch in batches for cell in batch.column(0))
            yield from returned(part_number(), lambda: summed(sum_ for block in blocks for sum_ in parts(block)))

        blocks = self._cells.where("block is not null").select("block")
        with single_cells(blocks):
            return total(blocks.mapInArrow(counted, SCHEMA), _same)  # type: ignore[no-any-return]

    def release(self) -> None:
        self._cells.unpersist()


def _with_blocks(blocks: list[bytes]) -> Any:
    count = len(blocks)
    columns = [
        pa.nulls(count, pa.int64()),
        pa.nulls(count, pa.bool_()),
        pa.nulls(count, pa.binary()),
        pa.array(blocks, pa.binary()),
    ]
    return pa.record_batch(columns, ["part", "small", "value", "block"])


def _same(value: Any) -> Any:
    return value
