"""Progress of reading, shown only on a terminal."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self

import pyarrow as pa

_UPDATE_SECONDS = 0.25
_SILENT_SECONDS = 1.0  # before progress is shown


def with_progress(
    name: str, batches: Iterable[pa.RecordBatch], percent: Callable[[int], float] = lambda rows: 0.0
) -> Iterator[pa.RecordBatch]:
    """Yield the batches and show progress. ``percent`` maps the number of rows read to the percentage; 0 is unknown."""
    with _ProgressLine(name, percent) as line:
        for batch in batches:
            line.add(batch.num_rows)
            yield batch


class _ProgressLine:
    """A progress line that is overwritten, and erased at the end."""

    def __init__(self, name: str, percent: Callable[[int], float]) -> None:
        self._name, self._percent = name, percent
        self.rows = 0
        self._shows = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        self._next = self._start + _SILENT_SECONDS
        self._width = 0
        return self

    def add(self, rows: int) -> None:
        self.rows += rows
        now = time.monotonic()
        if self._shows and now >= self._next:
            self._next = now + _UPDATE_SECONDS
            self._write(self._line(now - self._start))

    def _line(self, seconds: float) -> str:
        line = f"{self._name}: {self.rows:,} rows, {self.rows / seconds:,.0f} rows/s"
        percent = self._percent(self.rows)
        if 1.0 < percent <= 100.0:
            line += f", {percent:.0f} %, about {seconds * (100.0 / percent - 1.0):.0f} s left"
        return line

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r{line.ljust(self._width)}")
        sys.stderr.flush()
        self._width = len(line)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._width:
            sys.stderr.write(f"\r{' ' * self._width}\r")
            sys.stderr.flush()
