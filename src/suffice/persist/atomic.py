"""Atomic writing of files: a reader sees the complete old or new file, even after a crash."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from suffice.errors import OutputError, SufficeError


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write to a temporary file, sync it to disk, and rename it. A killed process may leave a ``.partial`` file."""
    try:
        _write(path.resolve(), write)  # keeps symbolic links
    except OSError as error:
        if isinstance(error, SufficeError) or error.errno is None:
            raise
        raise OutputError(f"{str(path)!r} cannot be written: {error.strerror}") from error


def _write(target: Path, write: Callable[[BinaryIO], object]) -> None:
    temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}.partial")
    number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(number, "wb", buffering=0) as stream:
            if target.exists():
                os.fchmod(number, stat.S_IMODE(target.stat().st_mode))
            write(stream)
            os.fsync(number)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # sync the directory entry
    finally:
        os.close(folder)
