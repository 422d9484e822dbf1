"""Newton's method within bounds, against scipy's L-BFGS-B."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from suffice.numerics.bounded_newton import minimise


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 12))
def test_the_minimum_is_scipys(seed, unknowns):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(60, unknowns)), rng.integers(0, 2, 60)
    bounded = rng.random(unknowns) < 0.7

    def loss(w):
        z = x @ w
        p = 1 / (1 + np.exp(-z))
        return np.logaddexp(0, z).sum() - z[y == 1].sum() + 0.5 * w @ w, x.T @ (p - y) + w

    def curvature(w, care):
        p = 1 / (1 + np.exp(-x @ w))
        return (x.T * (p * (1 - p))) @ x + np.eye(unknowns)

    start = np.abs(rng.normal(size=unknowns))
    found = minimise(loss, curvature, start, bounded, tol=1e-14, max_steps=50)
    bounds = [(0, None) if b else (None, None) for b in bounded]
    theirs = optimize.minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-15, "gtol": 1e-10}
    )
    np.testing.assert_allclose(found, theirs.x, atol=1e-5)
    assert (found[bounded] >= 0).all()


def test_a_curvature_that_misleads_is_asked_for_with_more_care():
    asked = []

    def curvature(at, care):
        asked.append(care)
        return np.eye(2) * (0.02 if care < 10 else 2.0)

    found = minimise(
        lambda x: (x @ x + 1, 2 * x), curvature, np.array([3.0, 1.0]), np.array([True, False]), tol=1e-9, max_steps=50
    )
    assert asked[0] == 1.0
    assert asked[-1] > 10
    assert found == pytest.approx([0, 0], abs=1e-4)
