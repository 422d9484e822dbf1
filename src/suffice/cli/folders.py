"""Folders with one document or message per file; the sub-folder of a file is its label."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from suffice.errors import DataError
from suffice.sources.files.encodings import UTF_8, encoding_of_bytes
from suffice.sources.source import LocalSource

LABEL = "label"
FILE = "file"
_TABLES = re.compile(r".*\.(csv|tsv|xlsx|xlsm|parquet|pq|jsonl?|ndjson|arrow|feather|ipc)(\.(gz|zst))?", re.IGNORECASE)
_HEADER = re.compile(rb"(?:From .*\d\d:\d\d.*\r?\n)?(?:[A-Za-z0-9-]+:[^\n]*\n(?:[ \t][^\n]*\n)*){2,}\r?\n")
_INSPECTED_BYTES = 1 << 16
_BATCH_FILES = 256


def looks_like_documents(path: Path) -> bool:
    """Whether a path is a folder without tables, or a file of messages."""
    if path.is_dir():
        return not any(_TABLES.fullmatch(file.name) for file in _files(path))
    return path.suffix in (".mbox", ".eml") and path.is_file()


def documents_in(path: Path) -> LocalSource:
    """One row per text or message, with the name of its file and of the sub-folder."""
    from suffice.sources.batches import FrameBatches

    files = sorted(_files(path)) if path.is_dir() else [path]
    if not files:
        raise DataError(f"The folder {str(path)!r} is empty", "files with texts or mails are needed, or a table")
    rows = _messages if _is_mail(files[0]) else _texts
    return FrameBatches(repr(str(path)), lambda: _batches(rows(path, files)))


def _files(folder: Path) -> Iterator[Path]:
    return (
        file
        for file in folder.rglob("*")
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )


def _is_mail(file: Path) -> bool:
    with file.open("rb") as stream:
        return file.suffix in (".mbox", ".eml") or bool(_HEADER.match(stream.read(_INSPECTED_BYTES)))


def _texts(root: Path, files: list[Path]) -> Iterator[dict[str, Any]]:
    for file in files:
        yield {"text": _text(file), **_where(root, file, file)}


def _text(file: Path) -> str:
    data = file.read_bytes()
    try:
        return data.decode(encoding_of_bytes(data, repr(str(file)), cut=False))
    except (DataError, UnicodeDecodeError):
        return data.decode(UTF_8, errors="replace")


def _messages(root: Path, files: list[Path]) -> Iterator[dict[str, Any]]:
    from suffice.text.mail import read_mail, read_mbox

    for file in files:
        if file.suffix == ".mbox":
            for place, mail in read_mbox(file):
                yield {**mail, **_where(root, file, place)}
        else:
            yield {**read_mail(file), **_where(root, file, file)}


def _where(root: Path, file: Path, place: object) -> dict[str, Any]:
    inside = file.relative_to(root).parts[:-1] if root.is_dir() else ()
    label = inside[0] if inside else (file.stem if file.suffix == ".mbox" and root.is_dir() else None)
    return {FILE: str(place), LABEL: label}


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH_FILES:
            yield batch
            batch = []
    if batch:
        yield batch
