"""Read-ahead: a batch is read while the previous one is counted."""

from collections.abc import Iterator
from typing import TypeVar, cast

T = TypeVar("T")

_END = object()


def read_ahead(items: Iterator[T]) -> Iterator[T]:
    """Yield the same items; the next one is computed in a background thread while the current one is used.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    from concurrent.futures import ThreadPoolExecutor  # imported late: a single batch needs no thread

    with ThreadPoolExecutor(1, "suffice-ahead") as pool:
        waiting = pool.submit(next, items, _END)
        while (item := waiting.result()) is not _END:
            waiting = pool.submit(next, items, _END)
            yield cast(T, item)
            del item  # otherwise it stays in memory until the next item is ready
