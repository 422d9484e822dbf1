"""Record batches merged or split into runs: long enough for the kernels, short enough for memory."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable

RUN_BYTES = 1 << 24
"""Approximate number of bytes in a run."""
_MAX_RUN_ROWS = 1 << 17
BATCH_ROWS = 1 << 13
"""Rows per batch requested from a reader: few enough that long documents fit in memory."""


def runs(batches: Iterable[Any], most: int = RUN_BYTES) -> Iterator[ArrowTable]:
    """Merge consecutive record batches of one schema into runs of about ``most`` bytes, without copies."""
    waiting: list[Any] = []
    size = rows = 0
    for batch in map(_without_views, batches):
        if not batch.num_rows:
            continue
        if waiting and batch.schema != waiting[0].schema:
            yield _run(waiting)
            waiting, size, rows = [], 0, 0
        waiting.append(batch)
        size, rows = size + batch.nbytes, rows + batch.num_rows
        if size >= most or rows >= _MAX_RUN_ROWS:
            yield _run(waiting)
            waiting, size, rows = [], 0, 0
    if waiting:
        yield _run(waiting)


def _run(batches: list[Any]) -> ArrowTable:
    return ArrowTable(pa.Table.from_batches(batches))


def _without_views(batch: Any) -> Any:
    """The batch with string views as large strings: Arrow cannot select rows of views, nor measure them before version 20."""
    if not any(pa.types.is_string_view(kind) for kind in batch.schema.types):
        return batch
    columns = [
        cells.cast(pa.large_string()) if pa.types.is_string_view(cells.type) else cells for cells in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, batch.schema.names)
