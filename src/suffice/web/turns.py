"""Learning and scoring take turns at the interpreter.

While a label is learned, NumPy releases the interpreter's lock a thousand times. Beside threads that score without a pause,
each release is a wait for the lock, and a label takes ten times as long. So while there are labels to learn, scoring pauses
repeatedly.
"""

import threading
import time

_PAUSE, _GO_ON = 0.002, 0.004  # seconds for which scoring pauses and runs, in turns


class Turns:
    """One thread learns; any number of them score."""

    def __init__(self) -> None:
        self._nothing_to_learn = threading.Event()
        self._nothing_to_learn.set()
        self._paused_until = self._next_pause = 0.0

    def learn(self) -> None:
        """Start learning: it has the next turn."""
        self._next_pause = 0.0
        self._nothing_to_learn.clear()

    def learned(self) -> None:
        """End learning."""
        self._nothing_to_learn.set()

    def score(self) -> None:
        """Wait for the turn of scoring: two milliseconds at most, short enough for the event loop."""
        if self._nothing_to_learn.is_set():
            return
        now = time.perf_counter()
        if now >= self._next_pause:
            self._paused_until, self._next_pause = now + _PAUSE, now + _PAUSE + _GO_ON
        if now < self._paused_until:
            self._nothing_to_learn.wait(self._paused_until - now)
