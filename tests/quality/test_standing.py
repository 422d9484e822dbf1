"""Wins and ratings of models by their log-losses, on examples known by hand."""

import numpy as np
import pytest
from benchmarks.standing import common_sets, elo, wins


def test_wins_count_sets_of_both_and_half_a_tie():
    assert wins({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4}, {"a": 0.2, "b": 0.1, "c": 0.3, "e": 0.0}) == (1.5, 3)


def test_wins_without_a_common_set():
    assert wins({"a": 0.1}, {"b": 0.1}) == (0.0, 0)


def test_common_sets():
    assert common_sets({"ours": {"a": 1.0, "b": 1.0, "c": 1.0}, "x": {"c": 1.0, "b": 1.0}, "y": {"b": 1.0}}) == ["b"]


def test_ratings_of_two_models_are_the_log_odds_of_their_wins():
    """Nine wins of ten and one tie more: 9.5 to 1.5."""
    ours = {str(i): 0.1 if i < 9 else 0.3 for i in range(10)}
    found = elo({"ours": ours, "theirs": dict.fromkeys(ours, 0.2)}, anchor="theirs")
    assert found["theirs"] == 1000
    assert found["ours"] == pytest.approx(1000 + 400 * np.log10(9.5 / 1.5))


def test_ratings_recover_the_strengths_that_wins_come_from():
    """Wins in proportion to given strengths are fitted exactly by them; a tie more a pair moves ratings little."""
    strength = {"a": 1.0, "b": 3.0, "c": 9.0}
    losses: dict[str, dict[str, float]] = {name: {} for name in strength}
    for x, y in (("a", "b"), ("b", "c"), ("a", "c")):
        for i in range(1000):
            losses[x][f"{x}{y}{i}"] = 0.0 if i < 1000 * strength[x] / (strength[x] + strength[y]) else 1.0
            losses[y][f"{x}{y}{i}"] = 0.5
    found = elo(losses, anchor="b")
    assert found["a"] == pytest.approx(1000 - 400 * np.log10(3), abs=1)
    assert found["c"] == pytest.approx(1000 + 400 * np.log10(3), abs=1)


def test_the_rating_of_a_model_that_always_wins_is_finite():
    found = elo({"best": {"a": 0.1, "b": 0.1}, "other": {"a": 0.2, "b": 0.2}}, anchor="other")
    assert 1000 < found["best"] < np.inf
