"""The distribution function of one class over a column of bins, and its inverse."""

from dataclasses import dataclass

import numpy as np

from suffice.families.histogram import Bins
from suffice.families.tails import POWER, Tail, widths_of
from suffice.numerics.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Margin:
    """F(x), linear within a bin, with the power tails of the column beyond."""

    edge: FloatArray
    below: FloatArray
    """F at each edge."""
    low: Tail
    high: Tail

    @classmethod
    def of(cls, bins: Bins, j: int, klass: int) -> "Margin | None":
        """The distribution function of one class; None for a column with a single bin, which is constant or empty."""
        tails = bins.tails[j]
        if tails is None or not len(bins.cuts[j]):
            return None
        low, high = tails
        ratio = np.exp(bins.table[klass, bins.start[j] : bins.start[j + 1]])
        edge = np.concatenate([[low.edge], bins.cuts[j], [high.edge]])
        inside = ratio * np.exp(bins.columns[j].log_mass) * widths_of(edge[:-1], edge[1:])
        below = np.cumsum(np.concatenate([[ratio[0] * np.exp(low.log_mass)], inside]))
        return cls(edge, below / (below[-1] + ratio[-1] * np.exp(high.log_mass)), low, high)

    @property
    def largest(self) -> float:
        """The largest share of a bin."""
        return float(np.diff(self.below).max())

    def rank(self, x: FloatArray) -> FloatArray:
        """F(x)."""
        u = np.interp(x, self.edge, self.below)
        out, above = x < self.low.edge, x > self.high.edge
        u[out] = self.below[0] * _beyond(self.low, x[out])
        u[above] = 1 - (1 - self.below[-1]) * _beyond(self.high, x[above])
        return np.asarray(u)

    def number(self, u: FloatArray) -> FloatArray:
        """F⁻¹(u)."""
        x = np.interp(u, self.below, self.edge)
        out, above = u < self.below[0], u > self.below[-1]
        x[out] = self.low.edge - _away(self.low, u[out] / self.below[0])
        x[above] = self.high.edge + _away(self.high, (1 - u[above]) / (1 - self.below[-1]))
        return np.asarray(x)


def _beyond(tail: Tail, x: FloatArray) -> FloatArray:
    """The share of a tail beyond x."""
    away = widths_of(tail.edge, x) if tail.sign > 0 else widths_of(x, tail.edge)
    return np.asarray((1 + away / tail.scale) ** (1.0 - POWER))


def _away(tail: Tail, share: FloatArray) -> FloatArray:
    """The distance beyond which a tail has a given share."""
    return np.asarray(tail.scale * (share ** (1 / (1.0 - POWER)) - 1))
