"""The rows of a command: sources of the library, folders of texts and mails, standard input, or several of these."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from suffice.cli.folders import documents_in, looks_like_documents
from suffice.columns.schema import Declared, Schema
from suffice.errors import ParameterError
from suffice.sources import read_with_schema
from suffice.sources.source import LocalSource

if TYPE_CHECKING:
    from suffice.columns.arrow_table import ArrowTable

STDIN = "-"
_CHUNK_BYTES = 1 << 20


_UNDECLARED = Declared()


def open_rows(places: Sequence[str], declared: Declared = _UNDECLARED, schema: Schema | None = None) -> LocalSource:
    """One source for all places. Text files are parsed as declared or, with ``schema``, as the training files of a model."""
    sources = [_open(place, declared) for place in places]
    found = read_with_schema(sources[0] if len(sources) == 1 else _Several(sources), schema)
    assert isinstance(found, LocalSource)  # a string never names a frame of a cluster
    return found


def _open(place: str, declared: Declared) -> LocalSource:
    if place == STDIN:
        return _open(_spooled(sys.stdin.buffer), declared)
    path = Path(place)
    if looks_like_documents(path):
        if declared != _UNDECLARED:
            raise ParameterError(
                f"{place!r} has documents", "--missing, --encoding and --kind are for tables", "Omit these options"
            )
        return documents_in(path)
    from suffice.sources.files import open_files  # loads DuckDB, which scoring a plain file does not need

    return open_files(place, declared=declared)


class _Several(LocalSource):
    """The concatenation of several sources."""

    def __init__(self, sources: Sequence[LocalSource]) -> None:
        super().__init__(f"{sources[0].name} and {len(sources) - 1} more")
        self._sources = sources

    @property
    def schema(self) -> Schema | None:
        return self._sources[0].schema

    def with_schema(self, schema: Schema) -> LocalSource:
        return _Several([cast(LocalSource, read_with_schema(source, schema)) for source in self._sources])

    def _runs(self) -> Iterator["ArrowTable"]:
        for source in self._sources:
            yield from cast(LocalSource, read_with_schema(source, self.schema)).batches()


def _spooled(stream: Any) -> str:
    """Copy the stream to a temporary file, since rows are read more than once; it is deleted when the command ends."""
    import tempfile

    check_piped(stream)
    start = stream.read(_CHUNK_BYTES)
    kept = tempfile.NamedTemporaryFile(prefix="suffice-", suffix=_ending(start))  # noqa: SIM115
    kept.write(start)
    while more := stream.read(_CHUNK_BYTES):
        kept.write(more)
    kept.flush()
    _TEMPORARY_FILES.append(kept)
    return kept.name


def check_piped(stream: Any) -> None:
    """Raise an error if the input is a terminal."""
    if stream.isatty():
        raise ParameterError(
            "Standard input is a terminal",
            "a file or a pipe is needed",
            "Type: … | suffice …",
        )


_TEMPORARY_FILES: list[Any] = []  # keeps temporary files alive: each is deleted with its object


def _ending(start: bytes) -> str:
    """A file name ending for the format of the first bytes."""
    if start.startswith(b"PAR1"):
        return ".parquet"
    if start.startswith(b"ARROW1"):
        return ".arrow"
    packed = ".gz" if start.startswith(b"\x1f\x8b") else ""
    return (".jsonl" if start.lstrip().startswith((b"{", b"[")) else ".csv") + packed
