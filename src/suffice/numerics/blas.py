"""Linear algebra of small matrices without BLAS threads."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController  # not needed for scoring

    return ThreadpoolController()  # searches all loaded libraries, so only once


def _release_control() -> None:
    """Let other threads change the limit: recent versions of threadpoolctl allow it only for the thread that set it."""
    from threadpoolctl import OpenBLASController

    getattr(OpenBLASController, "clear_controlling_thread", lambda: None)()


class _SharedLimit:
    """A process-wide limit: the first user sets it, and the last one restores the previous value."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._users = 0
        self._limit: Any = None

    def enter(self) -> None:
        with self._guard:
            if self._users == 0:
                self._limit = _libraries().limit(limits=1, user_api="blas")
                _release_control()
            self._users += 1

    def leave(self) -> None:
        with self._guard:
            self._users -= 1
            if self._users == 0:
                self._limit.restore_original_limits()
                _release_control()


_shared = _SharedLimit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context in which BLAS uses only the calling thread.

    For a few hundred columns, threads of BLAS gain nothing, and on busy cores synchronisation costs a hundred times the
    work.
    """
    _shared.enter()
    try:
        yield
    finally:
        _shared.leave()
