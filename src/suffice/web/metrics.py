"""Counters in Prometheus' text form."""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

Sample = tuple[str, str, str, float]
"""Name, kind, help and value of a metric without labels."""


class Metrics:
    """Requests by status, rows scored, and how long requests took."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets = [0] * (len(_BUCKETS) + 1)
        self._seconds = 0.0
        self.rows = 0

    def request(self, method: str, status: int, seconds: float) -> None:
        place = bisect_left(_BUCKETS, seconds)
        with self._guard:
            self._requests[method, status] += 1
            self._buckets[place] += 1
            self._seconds += seconds

    def scored(self, rows: int) -> None:
        with self._guard:
            self.rows += rows

    def text(self, samples: Iterable[Sample]) -> str:
        """Everything, with what others measured beside it."""
        with self._guard:
            requests, buckets = sorted(self._requests.items()), list(self._buckets)
            seconds, rows = self._seconds, self.rows
        lines = _head("suffice_requests_total", "counter", "Requests answered.")
        lines += [f'suffice_requests_total{{method="{m}",status="{s}"}} {n}' for (m, s), n in requests]
        lines += _head("suffice_request_seconds", "histogram", "How long requests took.")
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
