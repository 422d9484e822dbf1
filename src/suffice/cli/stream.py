"""Standard input and plain CSV files as streams, for commands that read the rows once."""

import codecs
from collections.abc import Callable, Iterator, Sequence
from csv import reader
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.csv as csv

from suffice.cli.rows import STDIN, check_piped, open_rows
from suffice.cli.scoring import Scorer
from suffice.columns.arrow_table import FEW_CELLS, ArrowTable
from suffice.columns.schema import Declared, NumberFormat, Schema
from suffice.errors import DataError
from suffice.sources import read_with_schema
from suffice.sources.batches import FrameBatches, RecordBatches
from suffice.sources.files.encodings import UTF_8, WESTERN, encoding_of, encoding_of_bytes
from suffice.sources.source import LocalSource

_HEAD_BYTES = 1 << 16
_BATCH_LINES = 4096
_BLOCK_BYTES = 1 << 20
_RUN_BYTES = 1 << 22  # smaller runs cost more in total, larger ones delay the first predictions
_STREAMED_ENDINGS = (".csv", ".csv.gz")


def stream_rows(places: Sequence[str], stream: BinaryIO, scorer: Scorer, declared: Declared) -> LocalSource:
    """A source that streams CSV and JSON lines from standard input; other places are opened by ``open_rows``. Text is
    parsed by the schema of the model.

    A plain CSV file whose first rows can be scored without conversion is read by Arrow, since importing DuckDB takes
    longer than scoring such a file.
    """
    schema = scorer.schema
    if list(places) == [STDIN]:
        return cast(LocalSource, read_with_schema(_piped(stream, scorer, declared.encoding), schema))
    if (
        len(places) == 1
        and places[0].lower().endswith(_STREAMED_ENDINGS)
        and Path(places[0]).is_file()
        and _is_utf8(places[0], declared)
    ):
        open_stream = partial(pa.input_stream, places[0], compression="detect")
        plain = _unbuffered(repr(places[0]), lambda: _file_cells(open_stream, places[0], schema))
        source = cast(LocalSource, read_with_schema(plain, schema))
        try:
            if source.first(scorer.can_score):
                return source
        except DataError:
            pass  # not plain: ``open_rows`` infers more formats
    return open_rows(places, declared, schema)


def _is_utf8(path: str, declared: Declared) -> bool:
    return encoding_of(path, WESTERN) == UTF_8 if declared.encoding is None else declared.encoding.lower() == UTF_8


def split_first(tables: Iterator[ArrowTable]) -> Iterator[ArrowTable]:
    """The rows with the first few in a separate batch, so that their predictions are printed early."""
    for table in tables:
        yield ArrowTable(table.table.slice(0, FEW_CELLS), table.names)
        if table.rows > FEW_CELLS:
            yield ArrowTable(table.table.slice(FEW_CELLS), table.names)
        break
    yield from tables


def _piped(stream: BinaryIO, scorer: Scorer, encoding: str | None) -> LocalSource:
    name = "standard input"
    check_piped(stream)
    head = stream.read1(_HEAD_BYTES)  # type: ignore[attr-defined]
    if not head.strip():
        raise DataError("Standard input is empty", "CSV with a header, or JSON lines, is needed")
    fallback = None if scorer.schema is None else scorer.schema.declared.encoding
    encoding = encoding or encoding_of_bytes(head, name, fallback)
    parts: Iterator[bytes] = chain([head], iter(lambda: stream.read1(_HEAD_BYTES), b""))  # type: ignore[attr-defined]
    if encoding != UTF_8:
        parts = (text.encode() for text in codecs.iterdecode(parts, encoding))
    first = next(parts)
    while b"\n" not in first and (more := next(parts, b"")):
        first += more
    parts = chain([first], parts)
    if first.lstrip().startswith(b"{"):
        return FrameBatches(name, lambda: _records(_lines(parts)), rereadable=False)
    delimiter = _delimiter(first.decode(errors="replace").splitlines()[0], scorer.columns)
    return _unbuffered(name, lambda: _cells(_Stream(parts), name, scorer.schema, delimiter))


def _delimiter(header: str, columns: Sequence[object]) -> str:
    """The delimiter of a header: the one that yields most of the model's columns.

    >>> _delimiter("id;age;city", ["age", "city"])
    ';'
    """
    known = {str(name) for name in columns}
    found = {mark: len(known.intersection(next(reader([header], delimiter=mark)))) for mark in ",;\t|"}
    return max(found, key=lambda mark: found[mark])


def _lines(parts: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for part in parts:
        *whole, rest = (rest + part).split(b"\n")
        yield from whole
    if rest:
        yield rest


def _unbuffered(name: str, open_stream: Callable[[], Iterator[Any]]) -> RecordBatches:
    """Record batches in short runs, to limit latency."""
    return RecordBatches(name, open_stream, most=_RUN_BYTES)


def _records(lines: Iterator[bytes]) -> Iterator[list[dict[str, Any]]]:
    import json

    count = 0
    while lines_of_batch := list(islice(lines, _BATCH_LINES)):
        batch = []
        for line in lines_of_batch:
            count += 1
            try:
                batch.append(json.loads(line))
            except ValueError:
                raise DataError(
                    f"Line {count:,} of standard input is {line.decode(errors='replace').strip()[:80]!r}",
                    "JSON lines have one object each",
                ) from None
        yield batch


def _file_cells(open_stream: Callable[[], Any], name: str, schema: Schema | None) -> Iterator[Any]:
    """Parse columns of plain numbers as numbers, since casts from text import more of Arrow. From the first batch with
    other cells on, such as tokens for missing cells, they are parsed as text."""
    plain = [] if schema is None or schema.declared.missing else list(schema.columns.items())
    numbers = [column for column, form in plain if form == NumberFormat()]
    sent = 0
    try:
        for batch in _batches(open_stream(), _text_columns(schema) | dict.fromkeys(numbers, pa.float64())):
            yield batch
            sent += batch.num_rows
    except pa.ArrowInvalid:
        for batch in _cells(open_stream(), name, schema):
            yield batch.slice(min(sent, batch.num_rows))
            sent -= min(sent, batch.num_rows)


def _text_columns(schema: Schema | None) -> dict[str, Any]:
    return {} if schema is None else dict.fromkeys(schema.columns, pa.string())


def _cells(stream: Any, name: str, schema: Schema | None, delimiter: str = ",") -> Iterator[Any]:
    """Parse the columns of the schema as text; Arrow infers the types of others from the first MiB."""
    try:
        yield from _batches(stream, _text_columns(schema), delimiter)
    except pa.ArrowInvalid as error:
        raise DataError(f"{name[0].upper()}{name[1:]} cannot be read as CSV: {error}") from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"{name[0].upper()}{name[1:]} is in another encoding: {error}", "", "Name it with --encoding"
        ) from None


def _batches(stream: Any, types: dict[str, Any], delimiter: str = ",") -> Iterator[Any]:
    yield from csv.open_csv(
        stream,
        csv.ReadOptions(block_size=_BLOCK_BYTES),
        csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        csv.ConvertOptions(strings_can_be_null=True, null_values=[""], column_types=types),
    )


class _Stream:
    """The part of the file interface that Arrow uses, over an iterator of bytes."""

    closed = False

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts

    def read(self, size: int = -1) -> bytes:
        found, length = [], 0
        for part in self._parts:
            found.append(part)
            length += len(part)
            if 0 <= size <= length:
                break
        # Arrow refuses more bytes than it requested
        text = b"".join(found)
        if 0 <= size < len(text):
            self._parts = chain([text[size:]], self._parts)
            text = text[:size]
        return text

    def close(self) -> None:
        self.closed = True

    def readable(self) -> bool:
        return True
