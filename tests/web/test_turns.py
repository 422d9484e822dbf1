"""Scoring gives way to learning."""

import time

from suffice.web import turns
from suffice.web.turns import Turns


def test_scoring_pauses_while_there_are_labels_to_learn():
    shared = Turns()
    shared.learn()
    started = time.perf_counter()
    shared.score()
    assert time.perf_counter() - started >= 0.9 * turns._PAUSE


def test_a_pause_ends_when_everything_is_learned(monkeypatch):
    monkeypatch.setattr(turns, "_PAUSE", 3600.0)
    shared = Turns()
    shared.learn()
    shared.learned()
    shared.score()  # would wait for an hour
