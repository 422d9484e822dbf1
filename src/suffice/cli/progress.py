"""Progress messages, only on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A progress line on standard error, overwritten by each message and erased at the end."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    try:
        yield lambda what: _write(f"… {what}")
    finally:
        _write("")


def _write(text: str) -> None:
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()
