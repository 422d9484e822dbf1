"""Tails of a column of bins beyond its outermost rows, the same in every class."""

from dataclasses import dataclass

import numpy as np

from suffice.numerics.arrays import FloatArray

POWER = 4  # of the tails
_MAX_NUMBER = 1e300


@dataclass(frozen=True)
class Tail:
    """p(x) = mass · 3 / scale · (1 + |x − edge| / scale)⁻⁴, over all classes together.

    Such a power law has a mean and a variance, and its logarithm grows slowly with x.
    """

    edge: float
    log_mass: float
    scale: float
    sign: int
    """−1 below the rows, 1 above them."""

    @property
    def node(self) -> tuple[float, float]:
        """A point of the tail, and a log width such that density times width is the mass of the tail."""
        return self.edge + self.sign * self.scale, float(np.log(self.scale * 2**POWER / (POWER - 1)))

    @property
    def log_height(self) -> float:
        """The log density at the edge."""
        return float(self.log_mass + np.log((POWER - 1) / self.scale))

    def log_density(self, x: FloatArray) -> FloatArray:
        away = widths_of(self.edge, x) if self.sign > 0 else widths_of(x, self.edge)
        return np.asarray(self.log_height - POWER * np.log1p(away / self.scale))

    def draw(self, n: int, rng: "np.random.Generator") -> FloatArray:
        """Sample ``n`` numbers from the tail."""
        away = self.scale * (rng.random(n) ** (-1 / (POWER - 1)) - 1)
        return np.asarray(self.edge + self.sign * away)


def widths_of(begin: FloatArray | float, end: FloatArray | float) -> FloatArray:
    """Widths of intervals; a difference that overflows is the largest double."""
    with np.errstate(over="ignore"):
        return _widths(begin, end)


def _widths(begin: FloatArray | float, end: FloatArray | float) -> FloatArray:
    return np.asarray(np.minimum(end - begin, _MAX_NUMBER))


def tail_scales(edge: FloatArray, end: FloatArray, mass: FloatArray, inner: tuple[float, float]) -> tuple[float, float]:
    """The scales of the lower and upper tail.

    A scale is the mean deviation of the column from its median, or the mean distance of the rows of the outermost bin from
    its ``inner`` edge if that is larger.
    """
    share, middle = mass / mass.sum(), edge / 2 + end / 2
    median = middle[np.searchsorted(np.cumsum(share), 0.5)]
    below, above = middle < inner[0], middle >= inner[1]
    with np.errstate(over="ignore"):
        deviation = share @ np.maximum(_widths(middle, median), _widths(median, middle))
        low = share[below] @ _widths(middle[below], inner[0]) / share[below].sum()
        high = share[above] @ _widths(inner[1], middle[above]) / share[above].sum()
        least = max(float(deviation), float(_widths(edge[0], end[0])), float(np.finfo(float).tiny))
    return max(least, float(low)), max(least, float(high))
