"""Batches of other libraries: readers, data sets, lazy frames, iterators."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.schema import Schema
from suffice.errors import DataError
from suffice.sources.frames import arrow_columns, to_arrow
from suffice.sources.progress import with_progress
from suffice.sources.runs import RUN_BYTES, runs
from suffice.sources.source import LocalSource, not_rereadable


class RecordBatches(LocalSource):
    """Record batches of a function that reopens their stream: a data set, a lazy frame, a relation.

    Consecutive batches are merged up to ``most`` bytes.
    """

    def __init__(self, name: str, open_stream: Callable[[], Iterable[Any]], most: int = RUN_BYTES) -> None:
        super().__init__(name)
        self._open_stream, self._most = open_stream, most

    def _runs(self) -> Iterator[ArrowTable]:
        return runs(with_progress(self.name, self._open_stream()), self._most)


class FrameBatches(LocalSource):
    """A sequence of frames of any library, or of lists of records."""

    def __init__(
        self,
        name: str,
        open_stream: Callable[[], Iterable[Any]],
        *,
        rereadable: bool = True,
        schema: Schema | None = None,
    ) -> None:
        super().__init__(name)
        self._open_stream, self._rereadable, self._used, self._schema = open_stream, rereadable, False, schema

    @property
    def schema(self) -> Schema | None:
        """The schema of text columns, if any."""
        return self._schema

    @property
    def can_be_read_again(self) -> bool:
        return self._rereadable

    def _runs(self) -> Iterator[ArrowTable]:
        if self._used and not self._rereadable:
            raise not_rereadable(self.name)
        self._used = True
        return runs(
            with_progress(
                self.name, (batch for frame in self._open_stream() for batch in _arrow_table(frame).to_batches())
            )
        )


def _arrow_table(frame: Any) -> Any:
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
