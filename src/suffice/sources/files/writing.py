"""Atomic writing of tables to files, batch by batch."""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as parquet

from suffice.errors import DataError, OutputError, ParameterError
from suffice.sources.files.lines import json_lines


def write_tables(tables: Iterable[Any], target: str | os.PathLike[str]) -> int:
    """Write Arrow tables of one schema to a file, in order; returns the number of rows."""
    path = Path(target)
    opened = _format(path)
    rows = 0
    with atomic_path(path) as temporary, pa.OSFile(str(temporary), "wb") as file:
        remaining = iter(tables)
        first = next(remaining, None)
        if first is None:
            raise DataError("There are no rows", "at least one is needed to write a file")
        with _compressed(path, file) as sink, opened(sink, first.schema) as writer:
            for table in chain([first], remaining):
                writer.write_table(table if table.schema == first.schema else table.cast(first.schema))
                rows += table.num_rows
    return rows


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """A temporary path beside the given one: renamed to it on success, deleted on error."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise OutputError(f"{str(path)!r} cannot be written: {error.strerror}") from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.filename in (str(temporary), None) and error.errno is not None:
            raise OutputError(f"{str(path)!r} cannot be written: {error.strerror}") from error
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def _compressed(path: Path, file: Any) -> Iterator[Any]:
    if path.suffix.lower() != ".gz":
        yield file
        return
    with pa.CompressedOutputStream(file, "gzip") as packed:
        yield packed


class _JSONLines:
    """JSON Lines: one object per line; dates in ISO 8601."""

    def __init__(self, sink: Any, schema: Any) -> None:
        self._sink = sink

    def __enter__(self) -> "_JSONLines":
        return self

    def __exit__(self, *_: object) -> None:
        return

    def write_table(self, table: Any) -> None:
        self._sink.write(json_lines(table))


_FORMATS: dict[str, Callable[[Any, Any], Any]] = {
    ".csv": csv.CSVWriter,
    ".parquet": parquet.ParquetWriter,
    ".jsonl": _JSONLines,
    ".ndjson": _JSONLines,
}


def _format(path: Path) -> Callable[[Any, Any], Any]:
    endings = [ending.lower() for ending in path.suffixes[-2:]]
    ending = endings[-1] if endings else ""
    if ending == ".gz" and len(endings) == 2 and endings[0] != ".parquet":
        ending = endings[0]
    if ending not in _FORMATS:
        raise ParameterError(
            f"The output file is {str(path)!r}",
            f"its name must end in {', '.join(_FORMATS)}, also .csv.gz",
        )
    return _FORMATS[ending]
