"""Batches from other libraries: readers, data sets, lazy frames, iterators."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.schema import Schema
from suffice.errors import DataError
from suffice.sources.frames import arrow_columns, to_arrow
from suffice.sources.progress import watched
from suffice.sources.runs import RUN_BYTES, runs
from suffice.sources.source import LocalSource, only_once


class RecordBatches(LocalSource):
    """Record batches from a function that opens their stream anew: a data set, a lazy frame, a relation.

    Consecutive batches are merged up to ``most`` bytes.
    """

    def __init__(self, name: str, opened: Callable[[], Iterable[Any]], most: int = RUN_BYTES) -> None:
        super().__init__(name)
        self._opened, self._most = opened, most

    def _walk(self) -> Iterator[ArrowTable]:
        return runs(watched(self.name, self._opened()), self._most)


class FrameBatches(LocalSource):
    """A sequence of frames of any library, or of lists of records."""

    def __init__(
        self, name: str, opened: Callable[[], Iterable[Any]], *, again: bool = True, schema: Schema | None = None
    ) -> None:
        super().__init__(name)
        self._opened, self._again, self._used, self._schema = opened, again, False, schema

    @property
    def schema(self) -> Schema | None:
        """The schema that text columns are read by, if any."""
        return self._schema

    @property
    def can_be_read_again(self) -> bool:
        return self._again

    def _walk(self) -> Iterator[ArrowTable]:
        if self._used and not self._again:
            raise only_once(self.name)
        self._used = True
        return runs(watched(self.name, (batch for frame in self._opened() for batch in _arrow(frame).to_batches())))


def _arrow(frame: Any) -> Any:
    if isinstance(frame, (pa.Table, pa.RecordBatch)):
        return pa.table(frame)
    if isinstance(frame, list) and frame and all(isinstance(row, dict) for row in frame):
        names = list(dict.fromkeys(name for row in frame for name in row))
        return arrow_columns({name: [row.get(name) for row in frame] for name in names})
    if isinstance(frame, dict):
        return arrow_columns(frame)
    if not hasattr(frame, "__arrow_c_stream__"):
        raise DataError(
            f"A batch is of type {type(frame).__name__}",
            "batches must be frames, Arrow tables, dicts of columns or lists of dicts",
        )
    return to_arrow(frame)
