"""Folders and mbox files of messages, and one folder or mbox file per label."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from suffice.errors import DataError
from suffice.sources.mail.caps import Caps
from suffice.sources.mail.fields import Mail
from suffice.sources.mail.message import read_mail

Label = TypeVar("Label")
_SEPARATOR = re.compile(rb"From .*\d\d:\d\d")
_QUOTED = re.compile(rb">+From ")
_CHUNK_BYTES = 65_536


def read_folder(path: str | os.PathLike[str], caps: Caps | None = None) -> Iterator[tuple[str, Mail]]:
    """The path and the fields of every message in a folder and its subfolders (such as a Maildir), sorted by name.

    Each file is a message; files whose name begins with a dot are skipped.

    Parameters
    ----------
    path : str or path
        A folder.
    caps : Caps or None, default=None
        Limits on what is read; None is ``Caps()``.

    Returns
    -------
    iterator of (str, Mail)
        Path and fields of each message.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise DataError(f"{str(path)!r} is not a folder", "a folder with one message per file is needed")
    return ((str(file), read_mail(file, caps)) for file in message_files(folder))


def message_files(folder: Path) -> Iterator[Path]:
    """The files of a folder and its subfolders, sorted by name, without those whose name begins with a dot."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(root, name) for name in sorted(files) if not name.startswith("."))
        yield from (path for path in paths if path.is_file())  # no pipe or socket, which would block


def read_mbox(path: str | os.PathLike[str], caps: Caps | None = None) -> Iterator[tuple[str, Mail]]:
    """The place (``inbox.mbox#0``) and the fields of every message in an mbox file, read one at a time.

    A message begins with a line ``From … hh:mm …`` at the beginning of the file or after an empty line. The quoting of
    lines ``>From`` is removed.

    Parameters
    ----------
    path : str or path
        An mbox file.
    caps : Caps or None, default=None
        Limits on what is read; None is ``Caps()``.

    Returns
    -------
    iterator of (str, Mail)
        Place and fields of each message.
    """
    if not Path(path).is_file():
        raise DataError(f"{str(path)!r} is not a file", "an mbox file is needed", "Use read_folder for a folder")
    caps = caps or Caps()
    return ((f"{path}#{number}", read_mail(data, caps)) for number, data in enumerate(mbox_messages(Path(path), caps)))


def mbox_messages(path: Path, caps: Caps) -> Iterator[bytes]:
    """The bytes of each message, truncated slightly beyond the cap, so that ``read_mail`` reports the truncation."""
    with path.open("rb") as file:
        message: list[bytes] = []
        size, first = 0, True
        at_line, after_blank = True, True
        while line := file.readline(_CHUNK_BYTES):
            if at_line and after_blank and _SEPARATOR.match(line):
                if not first:
                    yield b"".join(message)
                message, size, first = [], 0, False
            elif first and line.strip():
                raise DataError(
                    f"{str(path)!r} is not an mbox file",
                    "its first line must have the form 'From ann@example.org Thu Aug 22 12:36:23 2002'",
                    "Use read_mail for a single message",
                )
            elif size <= caps.message:
                message.append(line[1:] if at_line and _QUOTED.match(line) else line)
                size += len(line)
            after_blank = at_line and line in (b"\n", b"\r\n")
            at_line = line.endswith(b"\n")
        if not first:
            yield b"".join(message)


def read_labelled(
    places: Mapping[Label, str | os.PathLike[str]], caps: Caps | None = None
) -> tuple[list[Mail], list[Label], list[str]]:
    """Rows, labels and places of all messages in a folder or an mbox file for each label.

    ``rows, labels, names = read_labelled({"ham": "mail/ham", "spam": "mail/spam.mbox"})``

    Parameters
    ----------
    places : mapping
        A folder or an mbox file for each label.
    caps : Caps or None, default=None
        Limits on what is read; None is ``Caps()``.

    Returns
    -------
    tuple of lists
        Messages, labels and places.
    """
    rows: list[Mail] = []
    labels: list[Label] = []
    names: list[str] = []
    for label, path in places.items():
        read = read_folder if Path(path).is_dir() else read_mbox
        before = len(rows)
        for name, mail in read(path, caps):
            rows.append(mail)
            labels.append(label)
            names.append(name)
        if len(rows) == before:
            raise DataError(f"{str(path)!r} has no messages", f"label {label!r} needs at least one")
    return rows, labels, names
