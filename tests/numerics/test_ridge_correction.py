"""How much of a correction to believe, against scipy's search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special

from suffice.numerics.ridge_correction import trust, trust_both


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from([0.01, 1.0, 30.0, 1000.0]))
def test_the_share_is_scipys(seed, classes, size):
    rng = np.random.default_rng(seed)
    y, weight = rng.integers(0, classes, 200).astype(np.int32), rng.random(200)
    said, more = rng.normal(size=(200, classes)), size * rng.normal(size=(200, classes))
    more[np.arange(200), y] += size * rng.normal()

    def loss(beta):
        return beta**2 / 2 - weight @ special.log_softmax(said + beta * more, axis=1)[np.arange(200), y]

    theirs = optimize.minimize_scalar(loss, bounds=(0.0, 3.0), method="bounded", options={"xatol": 1e-6}).x
    assert trust(said, more, y, weight) == pytest.approx(theirs, abs=0.02)


def test_two_weights_come_from_both_halves_of_the_rows():
    """A stride of two would meet one half only, and so one of the two corrections."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 6_000).astype(np.int32)
    sign = np.where(y == 1, 1.0, -1.0) * np.where(np.arange(len(y)) % 2, 1.0, -1.0)
    correction = np.stack([-sign, sign], axis=1)
    one = np.ones(len(y))
    assert trust_both(np.zeros((len(y), 2)), correction, y, one)[1] == pytest.approx(0.0, abs=0.05)
    assert trust_both(np.zeros((3_000, 2)), correction[1::2], y[1::2], one[1::2])[1] > 1
