"""The number of threads of the kernels. It affects the time of a call, never its result."""

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
def _helpers(count: int) -> "ThreadPoolExecutor":
    """A persistent thread pool, since starting a thread takes as long as many tasks."""
    from concurrent.futures import ThreadPoolExecutor  # scoring needs none

    return ThreadPoolExecutor(count, "suffice-helper")


def at_once(task: Callable[[T], R], items: Iterable[T], threads: int) -> list[R]:
    """The results of a task for each item, in order, on so many threads. It pays for tasks of some milliseconds.

    >>> at_once(abs, [-1, 2], threads=2)
    [1, 2]
    """
    each = list(items)
    if threads == 1 or len(each) <= 1:
        return [task(item) for item in each]
    done: dict[int, R] = {}
    turns = iter(range(len(each)))

    def work() -> None:
        for turn in turns:
            done[turn] = task(each[turn])

    helping = [_helpers(threads - 1).submit(work) for _ in range(min(threads, len(each)) - 1)]
    work()
    for helper in helping:
        if (
            not helper.cancel()
        ):  # one that has not begun (others use it, or it was lost in a fork) is not needed any more
            helper.result()
    return [done[turn] for turn in range(len(each))]


def thread_count(n_jobs: int | None = None) -> int:
    """Threads for ``n_jobs``: ``None`` means all cores, or fewer where ``OMP_NUM_THREADS`` says so (as joblib's workers do).

    >>> thread_count(2)
    2
    """
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "")
        return min(_cores(), int(limit)) if limit.isdigit() and int(limit) > 0 else _cores()
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ParameterError(
            f"n_jobs is {n_jobs!r}", "it must be a whole number other than 0, or None", "Use -1 for all cores"
        )
    return int(n_jobs) if n_jobs > 0 else max(1, _cores() + 1 + int(n_jobs))
