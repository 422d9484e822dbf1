"""Threads for kernels and Python functions. Their number affects the time of a call, never its result."""

import os
from collections.abc import Callable, Iterable
from functools import cache
from numbers import Integral
from typing import TYPE_CHECKING, TypeVar

from suffice.errors import ParameterError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")
R = TypeVar("R")


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


@cache
def _pool(count: int) -> "ThreadPoolExecutor":
    """A persistent thread pool, since starting threads takes as long as many tasks."""
    from concurrent.futures import ThreadPoolExecutor  # scoring needs none

    return ThreadPoolExecutor(count, "suffice-helper")


def parallel_map(task: Callable[[T], R], items: Iterable[T], threads: int) -> list[R]:
    """The results of a task for each item, in order, computed by a number of threads. Tasks should take milliseconds.

    >>> parallel_map(abs, [-1, 2], threads=2)
    [1, 2]
    """
    queue = list(items)
    if threads == 1 or len(queue) <= 1:
        return [task(item) for item in queue]
    results: dict[int, R] = {}
    indices = iter(range(len(queue)))

    def work() -> None:
        for index in indices:
            results[index] = task(queue[index])

    futures = [_pool(threads - 1).submit(work) for _ in range(min(threads, len(queue)) - 1)]
    work()
    for future in futures:
        if not future.cancel():  # a task that has not started (the pool is busy, or lost in a fork) is not needed
            future.result()
    return [results[index] for index in range(len(queue))]


def thread_count(n_jobs: int | None = None) -> int:
    """The number of threads for ``n_jobs``. ``None`` means all cores, or ``OMP_NUM_THREADS`` if that is fewer (it is set in
    workers of joblib).

    >>> thread_count(2)
    2
    """
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "")
        return min(_cores(), int(limit)) if limit.isdigit() and int(limit) > 0 else _cores()
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ParameterError(
            f"n_jobs is {n_jobs!r}", "it must be an integer other than 0, or None", "Use -1 for all cores"
        )
    return int(n_jobs) if n_jobs > 0 else max(1, _cores() + 1 + int(n_jobs))
