"""Scoring is throttled while labels are learned.

Learning a label releases the interpreter's lock about a thousand times. Beside threads that score without a pause, each release
is followed by a wait for the lock, and a label takes ten times as long. So scoring pauses repeatedly while labels are pending.
"""

import threading
import time

_PAUSE_SECONDS, _RUN_SECONDS = 0.002, 0.004  # for which scoring pauses and runs, alternately


class ScoringThrottle:
    """One thread learns; any number of threads score."""

    def __init__(self) -> None:
        self._nothing_to_learn = threading.Event()
        self._nothing_to_learn.set()
        self._paused_until = self._next_pause = 0.0

    def start_learning(self) -> None:
        """Labels are pending: scoring pauses from now on."""
        self._next_pause = 0.0
        self._nothing_to_learn.clear()

    def end_learning(self) -> None:
        """No labels are pending."""
        self._nothing_to_learn.set()

    def wait(self) -> None:
        """Wait until scoring may run: two milliseconds at most, short enough for the event loop."""
        if self._nothing_to_learn.is_set():
            return
        now = time.perf_counter()
        if now >= self._next_pause:
            self._paused_until, self._next_pause = now + _PAUSE_SECONDS, now + _PAUSE_SECONDS + _RUN_SECONDS
        if now < self._paused_until:
            self._nothing_to_learn.wait(self._paused_until - now)
