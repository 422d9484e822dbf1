"""The rows that a command names: what the library takes, folders of texts and mails, several of these, standard input."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from suffice.cli.folders import documents_in, looks_like_documents
from suffice.errors import ParameterError
from suffice.sources import open_source
from suffice.sources.source import LocalSource

if TYPE_CHECKING:
    from suffice.columns.arrow_table import ArrowTable

STDIN = "-"
_CHUNK = 1 << 20


def open_rows(places: Sequence[str]) -> LocalSource:
    """One source for all that was named."""
    sources = [_open(place) for place in places]
    return sources[0] if len(sources) == 1 else _Several(sources)


def _open(place: str) -> LocalSource:
    if place == STDIN:
        return _open(_kept(sys.stdin.buffer))
    path = Path(place)
    if looks_like_documents(path):
        return documents_in(path)
    found = open_source(place)
    assert isinstance(found, LocalSource)  # a text names no cluster
    return found


class _Several(LocalSource):
    """One source after the other."""

    def __init__(self, sources: Sequence[LocalSource]) -> None:
        super().__init__(f"{sources[0].name} and {len(sources) - 1} more")
        self._sources = sources

    def _walk(self) -> Iterator["ArrowTable"]:
        for source in self._sources:
            yield from source.batches()


def _kept(stream: Any) -> str:
    """What comes in, in a file that is gone when the command is: rows are gone through more than once."""
    import tempfile

    check_piped(stream)
    start = stream.read(_CHUNK)
    kept = tempfile.NamedTemporaryFile(prefix="suffice-", suffix=_ending(start))  # noqa: SIM115
    kept.write(start)
    while more := stream.read(_CHUNK):
        kept.write(more)
    kept.flush()
    _OPEN.append(kept)
    return kept.name


def check_piped(stream: Any) -> None:
    """Refuse to wait for somebody to type rows."""
    if stream.isatty():
        raise ParameterError(
            "Rows are to come from standard input, which is a terminal",
            "a file or a pipe is needed",
            "Type: … | suffice …",
        )


_OPEN: list[Any] = []  # a temporary file is deleted with the object that stands for it


def _ending(start: bytes) -> str:
    """What the first bytes look like."""
    if start.startswith(b"PAR1"):
        return ".parquet"
    if start.startswith(b"ARROW1"):
        return ".arrow"
    packed = ".gz" if start.startswith(b"\x1f\x8b") else ""
    return (".jsonl" if start.lstrip().startswith((b"{", b"[")) else ".csv") + packed
