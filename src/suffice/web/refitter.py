"""Weights are refitted in the background after a number of labels or seconds; meanwhile, the current weights are served.

New and current weights are compared on the cases labelled during the fit, which neither has learned.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from suffice.web.fitting_process import FittingProcess
from suffice.web.version import Version
from suffice.web.writer import Change

_log = logging.getLogger("suffice.web")
_POLL_SECONDS = 0.1  # between two checks for pending cases
_COMPARED_CASES = 5  # labelled cases to wait for before new and current weights are compared
_REST_PER_FIT = 1.0  # pause after a fit, in multiples of its duration


@dataclass(frozen=True)
class FitCounts:
    """Number of fits that were served, rejected (``refused``) or failed; time and duration of the last one."""

    served: int = 0
    refused: int = 0
    failed: int = 0
    last: float | None = None
    seconds: float | None = None


class WeightRefitter:
    """A thread that refits weights. ``labels`` and ``seconds`` bound how far weights may lag behind the counts."""

    def __init__(
        self,
        current: Callable[[], Version],
        submit: Callable[[Change], "Future[Any]"],
        *,
        labels: int,
        seconds: float,
    ) -> None:
        self.counts = FitCounts()
        self._current, self._submit = current, submit
        self._labels, self._seconds = labels, seconds
        self._process = FittingProcess()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work, name="suffice-refitter", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop; a running fit is abandoned."""
        self._ending.set()
        while self._thread.is_alive():
            self._process.stop()  # again, as the thread may have just started it
            self._thread.join(_POLL_SECONDS)
        self._process.stop()

    # — the thread —

    def _work(self) -> None:
        since, tried, rest_until = time.monotonic(), -1, 0.0
        while not self._ending.wait(_POLL_SECONDS):
            version, now = self._current(), time.monotonic()
            if not version.pending or version.number == tried:
                since = now
            elif now < rest_until:
                continue
            elif version.number - max(version.fitted_at, tried) >= self._labels or now - since >= self._seconds:
                self._refit(version)
                tried, since, rest_until = version.number, now, now + (1 + _REST_PER_FIT) * (time.monotonic() - now)

    def _refit(self, version: Version) -> None:
        started = time.monotonic()
        try:
            model = self._process.with_fitted_weights(version.model)
            took = time.monotonic() - started
            refitted = replace(version, model=model, fitted_at=version.number).warmed()
            self._wait_for_cases(version.number + _COMPARED_CASES)
            is_served = self._submit(lambda draft: draft.refit(version, refitted)).result()
        except Exception as error:  # any error: the next fit may succeed
            if not self._ending.is_set():
                _log.warning("Weights could not be refitted (%s); the service continues with the current ones", error)
                self.counts = replace(self.counts, failed=self.counts.failed + 1)
            return
        self.counts = replace(
            self.counts,
            served=self.counts.served + is_served,
            refused=self.counts.refused + (not is_served),
            last=time.time(),
            seconds=took,
        )

    def _wait_for_cases(self, number: int) -> None:
        until = time.monotonic() + self._seconds
        while self._current().number < number and time.monotonic() < until and not self._ending.is_set():
            self._ending.wait(_POLL_SECONDS)
