"""Descents on functions whose minimum is known."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from suffice.numerics.arrays import inner
from suffice.numerics.descent import descend
from suffice.numerics.directions import LBFGS, Newton, solve_positive


@dataclass(frozen=True)
class Valley:
    """Σ log cosh(scale · (x − centre)): convex, and flatter the farther away."""

    x: np.ndarray
    scale: np.ndarray
    centre: np.ndarray

    @property
    def _away(self):
        return self.scale * (self.x - self.centre)

    @property
    def value(self):
        return float((np.logaddexp(self._away, -self._away) - np.log(2)).sum())

    @property
    def gradient(self):
        return self.scale * np.tanh(self._away)

    @property
    def size(self):
        return float(np.abs(self.gradient).max())

    def slope(self, direction):
        return float(self.gradient @ direction)

    def curvature(self, share=1.0):
        return np.diag(share * self.scale**2 / np.cosh(self._away) ** 2)


@pytest.fixture
def valley(rng):
    scale, centre = np.exp(rng.normal(size=12)), rng.normal(size=12)

    def at(x):
        return Valley(x, scale, centre)

    return at


@pytest.mark.parametrize("turn", [0.9, 0.1])
@pytest.mark.parametrize("far", [1.0, 8.0])
@pytest.mark.parametrize("kind", ["newton", "newton from a tenth", "memory", "memory, a poor first step"])
def test_every_compass_finds_the_bottom(valley, kind, far, turn):
    direction_rule = {
        "newton": Newton(lambda point, share: valley(point.x).curvature()),
        "newton from a tenth": Newton(lambda point, share: valley(point.x).curvature(share), share=0.1),
        "memory": LBFGS(inner),
        "memory, a poor first step": LBFGS(inner, first=1e6),
    }[kind]
    steps = []
    end = descend(
        valley(np.full(12, far)),
        valley,
        direction_rule,
        tol=1e-10,
        max_steps=300,
        slope_ratio=turn,
        report=lambda step, point: steps.append(point.value),
    )
    assert end.converged
    assert end.point.value < 1e-12  # which is rounding here, whatever the gradient
    assert end.point.size <= (1e-10 if kind.startswith("newton") else 1e-5)
    np.testing.assert_allclose(end.point.x, end.point.centre, atol=1e-4)
    assert len(steps) == end.steps + 1
    assert all(b <= a + 1e-12 for a, b in pairwise(steps))  # down all the way


def test_steps_that_run_out_are_no_convergence(valley):
    end = descend(valley(np.full(12, 5.0)), valley, LBFGS(inner), tol=1e-12, max_steps=2)
    assert (end.steps, end.converged) == (2, False)
    end = descend(valley(np.full(12, 5.0)), valley, LBFGS(inner), tol=1e-12, max_steps=0)
    assert (end.steps, end.converged) == (0, False)


def test_a_tolerance_below_rounding_is_met_by_rounding(valley):
    end = descend(
        valley(np.zeros(12)), valley, Newton(lambda point, share: valley(point.x).curvature()), tol=0.0, max_steps=100
    )
    assert end.converged
    assert end.steps < 30


@pytest.mark.parametrize("units", [np.ones(4), 10.0 ** np.array([-8, -3, 2, 9])])
def test_singular_systems_have_a_solution(rng, units):
    rows = rng.normal(size=(9, 4)) * units
    rows[:, 3] = rows[:, 0] / units[0] * units[3]  # says the same as the first
    matrix, right = rows.T @ rows, rows.T @ rng.normal(size=9)
    np.testing.assert_allclose(matrix @ solve_positive(matrix, right) / units, right / units, rtol=1e-6)
    nothing = np.zeros((4, 4))
    assert np.isfinite(solve_positive(nothing, np.zeros(4))).all()
