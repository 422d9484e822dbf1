"""Learning and scoring take turns at the interpreter.

While a label is learned, NumPy lets go of the interpreter's lock a thousand times. Beside threads that score without a pause,
each time is a wait for the lock, and a label takes ten times as long. So while there are labels to learn, scoring pauses again
and again.
"""

import threading
import time

_PAUSE, _GO_ON = 0.002, 0.004  # seconds of scoring, in turns


class Turns:
    """One thread learns; any number of them score."""

    def __init__(self) -> None:
        self._nothing_to_learn = threading.Event()
        self._nothing_to_learn.set()
        self._paused_until = self._next_pause = 0.0

    def learn(self) -> None:
        """There is something to learn; the next turn is learning's."""
        self._next_pause = 0.0
        self._nothing_to_learn.clear()

    def learned(self) -> None:
        """There is nothing left to learn."""
        self._nothing_to_learn.set()

    def score(self) -> None:
        """Wait until scoring has its turn: two milliseconds at most, so that the event loop may wait too."""
        if self._nothing_to_learn.is_set():
            return
        now = time.perf_counter()
        if now >= self._next_pause:
            self._paused_until, self._next_pause = now + _PAUSE, now + _PAUSE + _GO_ON
        if now < self._paused_until:
            self._nothing_to_learn.wait(self._paused_until - now)
