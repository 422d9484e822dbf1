"""Standard input, read as it comes: for commands that go through the rows once."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.csv as csv

from suffice.cli.rows import STDIN, check_piped, open_rows
from suffice.columns.arrow_table import FEW, ArrowTable
from suffice.errors import DataError
from suffice.sources.batches import RecordBatches, Tables
from suffice.sources.source import LocalSource

_LINES = 4096
_BLOCK = 1 << 20
_RUN = 1 << 22  # of less, what each run costs is felt; of more, the first answers wait
_PLAIN = (".csv", ".csv.gz")


def stream_rows(places: Sequence[str], stream: BinaryIO, fits: Callable[[ArrowTable], bool]) -> LocalSource:
    """CSV and JSON lines of standard input as they arrive; all else as ever.

    A plain CSV file whose first rows have all that is looked for, in a form that ``fits``, is read by Arrow: DuckDB, which
    finds out more about files, takes longer to load than such a file to score.
    """
    if list(places) == [STDIN]:
        return _piped(stream)
    if len(places) == 1 and places[0].lower().endswith(_PLAIN) and Path(places[0]).is_file():
        plain = _as_they_come(
            repr(places[0]), lambda: _cells(pa.input_stream(places[0], compression="detect"), places[0])
        )
        try:
            if plain.first(fits):
                return plain
        except DataError:
            pass  # somebody else may know better what this is
    return open_rows(places)


def some_first(tables: Iterator[ArrowTable]) -> Iterator[ArrowTable]:
    """The same rows, the first few of them alone: they are answered while the others wait."""
    for table in tables:
        yield ArrowTable(table.table.slice(0, FEW), table.names)
        if table.rows > FEW:
            yield ArrowTable(table.table.slice(FEW), table.names)
        break
    yield from tables


def _piped(stream: BinaryIO) -> LocalSource:
    check_piped(stream)
    first = stream.readline()
    if not first.strip():
        raise DataError("Nothing came in from standard input", "CSV with a header, or JSON lines, is needed")
    lines = chain([first], stream)
    if first.lstrip().startswith(b"{"):
        return Tables("standard input", lambda: _records(lines), again=False)
    return _as_they_come("standard input", lambda: _cells(_Lines(lines), "standard input"))


def _as_they_come(name: str, opened: Callable[[], Iterator[Any]]) -> RecordBatches:
    """In runs that are short, since someone waits for the answers."""
    return RecordBatches(name, opened, most=_RUN)


def _records(lines: Iterator[bytes]) -> Iterator[list[dict[str, Any]]]:
    import json

    count = 0
    while some := list(islice(lines, _LINES)):
        batch = []
        for line in some:
            count += 1
            try:
                batch.append(json.loads(line))
            except ValueError:
                raise DataError(
                    f"Line {count:,} of standard input is {line.decode(errors='replace').strip()[:80]!r}",
                    "JSON lines have one object each",
                ) from None
        yield batch


def _cells(stream: Any, name: str) -> Iterator[Any]:
    """What columns are is told from the first million bytes."""
    try:
        yield from csv.open_csv(
            stream,
            csv.ReadOptions(block_size=_BLOCK),
            csv.ParseOptions(newlines_in_values=True),
            csv.ConvertOptions(strings_can_be_null=True, null_values=[""]),
        )
    except pa.ArrowInvalid as error:
        raise DataError(f"{name[0].upper()}{name[1:]} cannot be read as CSV: {error}") from None


class _Lines:
    """A file of lines, as far as Arrow needs one."""

    closed = False

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines

    def read(self, size: int = -1) -> bytes:
        found, length = [], 0
        for line in self._lines:
            found.append(line)
            length += len(line)
            if 0 <= size <= length:
                break
        # a little more than was asked for would be refused
        text = b"".join(found)
        if 0 <= size < len(text):
            self._lines = chain([text[size:]], self._lines)
            text = text[:size]
        return text

    def close(self) -> None:
        self.closed = True

    def readable(self) -> bool:
        return True
