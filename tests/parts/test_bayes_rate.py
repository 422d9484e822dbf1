"""Where the best possible answers are known, the default comes within one per cent of them."""

import numpy as np
import pytest

from suffice import BayesClassifier

TRAIN, TEST = 4000, 20_000


def twonorm(rng, n):
    """Two spheres: the best boundary is a plane (Breiman's twonorm)."""
    y = rng.integers(0, 2, n)
    mean = np.where(y == 1, 1, -1)[:, None] * 2 / np.sqrt(20)
    x = mean + rng.normal(size=(n, 20))
    return x, y, (x.sum(axis=1) > 0).astype(int)


def ringnorm(rng, n):
    """A sphere within a wider one: the best boundary is a sphere (Breiman's ringnorm)."""
    y = rng.integers(0, 2, n)
    at = 1 / np.sqrt(20)
    x = np.where(y[:, None] == 1, at + rng.normal(size=(n, 20)), 2 * rng.normal(size=(n, 20)))
    narrow = -0.5 * ((x - at) ** 2).sum(axis=1)
    wide = -0.5 * (x**2).sum(axis=1) / 4 - 20 * np.log(2)
    return x, y, (narrow > wide).astype(int)


LAMPS = np.array([[int(c) for c in digit] for digit in (
    "1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011",
)])  # fmt: skip


def led7digit(rng, n):
    """Digits of seven lamps, each of which is wrong once in ten times."""
    y = rng.integers(0, 10, n)
    x = LAMPS[y] ^ (rng.random((n, 7)) < 0.1)
    wrong = (x[:, None, :] != LAMPS).sum(axis=2)
    return x.astype(str), y, wrong.argmin(axis=1)


@pytest.mark.parametrize("draw", [twonorm, ringnorm, led7digit])
def test_the_default_comes_within_one_per_cent_of_the_best_possible(draw, rng):
    x, y, _ = draw(rng, TRAIN)
    fresh, truth, best = draw(rng, TEST)
    model = BayesClassifier().fit(x, y)
    assert (model.predict(fresh) == truth).mean() > (best == truth).mean() - 0.01
