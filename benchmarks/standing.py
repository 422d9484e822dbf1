"""Ranking of models by their log-losses on many sets: wins of each pair, and ratings from them."""

import numpy as np

from suffice.numerics.arrays import FloatArray

Losses = dict[str, dict[str, float]]
"""By model and set; a model may lack sets."""

TIE = 1e-9
STEPS = 10_000


def common_sets(losses: Losses) -> list[str]:
    """The sets on which all models have figures."""
    return sorted(set.intersection(*(set(of) for of in losses.values())))


def wins(ours: dict[str, float], theirs: dict[str, float]) -> tuple[float, int]:
    """The number of common sets on which our loss is smaller, a tie counting half, and the number of common sets.

    >>> wins({"a": 0.1, "b": 0.5, "c": 0.3}, {"a": 0.2, "b": 0.4, "d": 0.1})
    (1.0, 2)
    """
    both = sorted(ours.keys() & theirs.keys())
    gaps = np.array([theirs[name] - ours[name] for name in both])
    return float(np.where(np.abs(gaps) <= TIE, 0.5, gaps > 0).sum()), len(both)


def elo(losses: Losses, anchor: str) -> dict[str, float]:
    """Bradley–Terry strengths on Elo's scale, the anchor at 1000: 400 points are odds of ten to one for the smaller loss.

    Each pair gets one extra tie, so that a model that always wins has a finite rating.
    """
    names = list(losses)
    won = np.zeros((len(names), len(names)))
    for i, ours in enumerate(names):
        for j, theirs in enumerate(names):
            if i != j:
                won[i, j] = wins(losses[ours], losses[theirs])[0] + 0.5
    strength = _bradley_terry(won)
    points = 400 * np.log10(strength / strength[names.index(anchor)])
    return {name: 1000 + float(more) for name, more in zip(names, points, strict=True)}


def _bradley_terry(won: FloatArray) -> FloatArray:
    """Maximum-likelihood strengths, by Hunter's (2004) minorisation–maximisation."""
    played = won + won.T
    strength = np.ones(len(won))
    for _ in range(STEPS):
        before = strength
        strength = won.sum(axis=1) / (played / (before[:, None] + before)).sum(axis=1)
        strength = strength / np.exp(np.log(strength).mean())
        if np.allclose(strength, before, rtol=1e-10, atol=0):
            break
    return strength
