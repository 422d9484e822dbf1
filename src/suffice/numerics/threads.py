"""How many threads the kernels may use. It changes the time a call takes, never its answer."""

import os
from numbers import Integral

from suffice.errors import ParameterError


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


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
