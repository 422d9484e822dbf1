"""Scoring gives way to learning."""

import time

from suffice.web import throttle
from suffice.web.throttle import ScoringThrottle


def test_scoring_pauses_while_there_are_labels_to_learn():
    shared = ScoringThrottle()
    shared.start_learning()
    started = time.perf_counter()
    shared.wait()
    assert time.perf_counter() - started >= 0.9 * throttle._PAUSE_SECONDS


def test_a_pause_ends_when_everything_is_learned(monkeypatch):
    monkeypatch.setattr(throttle, "_PAUSE_SECONDS", 3600.0)
    shared = ScoringThrottle()
    shared.start_learning()
    shared.end_learning()
    shared.wait()  # would wait for an hour
