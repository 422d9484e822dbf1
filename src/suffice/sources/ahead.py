"""Read-ahead: one batch is read while the previous one is counted."""

from collections.abc import Iterator
from typing import TypeVar, cast

T = TypeVar("T")

_END = object()


def ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items, each made in another thread while the one before is used.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    from concurrent.futures import ThreadPoolExecutor  # what comes in one run does without

    with ThreadPoolExecutor(1, "suffice-ahead") as pool:
        waiting = pool.submit(next, items, _END)
        while (item := waiting.result()) is not _END:
            waiting = pool.submit(next, items, _END)
            yield cast(T, item)
            del item  # or it would stay in memory while the next is waited for
