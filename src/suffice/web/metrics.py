"""Counters in the text format of Prometheus."""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

Sample = tuple[str, str, str, float]
"""Name, kind, help and value of a metric without labels."""


@dataclass
class RequestCounts:
    """Requests by method and status, how long they took, and rows scored."""

    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    buckets: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0
    rows: int = 0

    def __add__(self, other: "RequestCounts") -> "RequestCounts":
        return RequestCounts(
            self.requests + other.requests, self.buckets + other.buckets, self.seconds + other.seconds,
            self.rows + other.rows,
        )  # fmt: skip


class Metrics:
    """Counters of this process and of the workers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._own = RequestCounts()
        self._others: dict[int, RequestCounts] = {}

    def request(self, method: str, status: int, seconds: float) -> None:
        bucket = bisect_left(_BUCKETS, seconds)
        with self._lock:
            self._own.requests[method, status] += 1
            self._own.buckets[bucket] += 1
            self._own.seconds += seconds

    def scored(self, rows: int) -> None:
        with self._lock:
            self._own.rows += rows

    def set_counts(self, process: int, counts: RequestCounts) -> None:
        """Set the counters of another process, cumulative since its start."""
        with self._lock:
            self._others[process] = counts

    def counts(self) -> RequestCounts:
        with self._lock:
            return sum(self._others.values(), start=RequestCounts() + self._own)

    def text(self, samples: Iterable[Sample]) -> str:
        """All metrics as text, with further samples."""
        counts = self.counts()
        requests, buckets = sorted(counts.requests.items()), [counts.buckets[i] for i in range(len(_BUCKETS) + 1)]
        seconds, rows = counts.seconds, counts.rows
        lines = _head("suffice_requests_total", "counter", "Requests answered.")
        lines += [f'suffice_requests_total{{method="{m}",status="{s}"}} {n}' for (m, s), n in requests]
        lines += _head("suffice_request_seconds", "histogram", "Duration of requests.")
        total = 0
        for bound, n in zip((*_BUCKETS, "+Inf"), buckets, strict=True):
            total += n
            lines.append(f'suffice_request_seconds_bucket{{le="{bound}"}} {total}')
        lines += [f"suffice_request_seconds_sum {seconds}", f"suffice_request_seconds_count {total}"]
        for name, kind, help_, value in (
            ("suffice_scored_rows_total", "counter", "Rows scored.", float(rows)),
            *samples,
        ):
            lines += [*_head(name, kind, help_), f"{name} {value:.12g}"]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, help_: str) -> list[str]:
    return [f"# HELP {name} {help_}", f"# TYPE {name} {kind}"]
