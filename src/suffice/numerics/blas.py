"""Linear algebra of small matrices without the threads of BLAS."""

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


def _let_go() -> None:
    """Release the limit for other threads: recent versions of threadpoolctl restrict changes to the thread that set it."""
    from threadpoolctl import OpenBLASController

    getattr(OpenBLASController, "clear_controlling_thread", lambda: None)()


class _SharedLimit:
    """The limit is a process-wide setting: the first user sets it, the last one restores the previous value."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._users = 0
        self._limit: Any = None

    def enter(self) -> None:
        with self._guard:
            if self._users == 0:
                self._limit = _libraries().limit(limits=1, user_api="blas")
                _let_go()
            self._users += 1

    def leave(self) -> None:
        with self._guard:
            self._users -= 1
            if self._users == 0:
                self._limit.restore_original_limits()
                _let_go()


_shared = _SharedLimit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context in which BLAS runs in the calling thread only.

    For a few hundred columns its threads gain nothing, and where cores are busy they spend a hundred times the work on
    waiting for each other.
    """
    _shared.enter()
    try:
        yield
    finally:
        _shared.leave()
