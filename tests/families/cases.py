"""Every family, registered for the tests that all of them run. A test asserts that none is missing."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from suffice import (
    A1DE,
    TAN,
    Bernoulli,
    Categorical,
    Complement,
    CountTable,
    Exponential,
    Gamma,
    Gaussian,
    Histogram,
    LogNormal,
    Multinomial,
    MultivariateNormal,
    Poisson,
    PooledCategorical,
)
from suffice.families import Family


@dataclass(frozen=True)
class Case:
    """A family and how to draw rows it can take."""

    family: Family
    draw: Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
    enough: int = 90
    """Rows from which three classes can be estimated well: below that, rounding is magnified beyond what is promised."""

    def __repr__(self) -> str:
        kind = getattr(self.family, "covariance", "")
        return type(self.family).__name__ + (f"-{kind}" if kind else "")

    def rows(self, rng: np.random.Generator, n: int, columns: int = 3) -> tuple[np.ndarray, np.ndarray]:
        y = rng.integers(0, 3, n)
        x = self.draw(rng, (n, columns)).astype(float)
        x[rng.random(x.shape) < 0.1] = np.nan
        return x, y


MIX = np.array([[1.0, 0.5, 0.0], [0.0, 1.0, -0.7], [0.3, 0.0, 1.0]])
KINDS = ["full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical"]

CASES = [
    Case(Gaussian(), lambda rng, shape: rng.normal(5, 2, shape)),
    Case(LogNormal(), lambda rng, shape: np.exp(rng.normal(0, 1, shape))),
    Case(Exponential(), lambda rng, shape: rng.exponential(3, shape)),
    Case(Gamma(), lambda rng, shape: rng.gamma(2, 3, shape)),
    Case(Poisson(), lambda rng, shape: rng.poisson(2, shape)),
    Case(Bernoulli(), lambda rng, shape: rng.integers(0, 2, shape)),
    Case(Histogram(bins=8, strength=4.0, bits=52), lambda rng, shape: rng.integers(0, 5, shape)),
    Case(PooledCategorical(strength=3.0), lambda rng, shape: rng.integers(0, 4, shape)),
    Case(Categorical(), lambda rng, shape: rng.integers(0, 4, shape)),
    Case(Multinomial(), lambda rng, shape: rng.poisson(2, shape)),
    *[
        Case(MultivariateNormal(c), lambda rng, shape: rng.normal(5, 2, shape) @ MIX[: shape[1], : shape[1]], 150)
        for c in KINDS
    ],
    Case(Complement(), lambda rng, shape: rng.poisson(2, shape)),
    Case(A1DE(), lambda rng, shape: rng.integers(0, 3, shape)),
    Case(TAN(), lambda rng, shape: rng.integers(0, 2, shape)),
    Case(CountTable(max_count=3), lambda rng, shape: rng.poisson(1, shape)),
]
RULES = ["mle", "map", "mean", "predictive"]


def rules(family):
    """Those that make a difference to a family."""
    return RULES if family.has_rule else ["mean"]
