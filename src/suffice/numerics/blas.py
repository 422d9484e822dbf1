"""Linear algebra of small matrices without the threads of BLAS."""

from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController  # scoring has no use for it

    return ThreadpoolController()  # looks through all loaded libraries, so once


def one_blas_thread() -> AbstractContextManager[object]:
    """While it lasts, BLAS works in the thread that calls it.

    For a few hundred columns its threads gain nothing, and where cores are busy they spend a hundred times the work on
    waiting for each other.
    """
    limited: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limited
