"""Double-double arithmetic: unevaluated sums high + low of two doubles (Dekker 1971; Knuth's two-sum).

Sums with additions and removals need it: a value of 10⁹ that is added and removed must not leave the rounding of its square
behind. It is used for whole statistics only, a few operations on small arrays, never for rows.
"""

from typing import NamedTuple

import numpy as np

from suffice.numerics.arrays import BoolArray, FloatArray

_SPLIT = 134217729.0  # 2²⁷ + 1


class Double(NamedTuple):
    """high + low, |low| at most half a unit in the last place of high."""

    high: FloatArray
    low: FloatArray

    def plus(self, other: "Double") -> "Double":
        total, error = _two_sum(self.high, other.high)
        return _tidy(total, error + (self.low + other.low))

    def minus(self, other: "Double") -> "Double":
        return self.plus(Double(-other.high, -other.low))

    def times(self, other: "Double") -> "Double":
        product, error = _two_product(self.high, other.high)
        return _tidy(product, error + (self.high * other.low + self.low * other.high))

    def over(self, divisor: FloatArray) -> "Double":
        """Divided by plain, positive numbers."""
        first = self.high / divisor
        rest = self.minus(Double(*_two_product(first, divisor)))
        return _tidy(first, (rest.high + rest.low) / divisor)

    def where(self, condition: BoolArray, otherwise: "Double") -> "Double":
        return Double(np.where(condition, self.high, otherwise.high), np.where(condition, self.low, otherwise.low))


def double(high: FloatArray) -> Double:
    """A plain number."""
    return Double(high, np.zeros_like(high))


def _two_sum(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


def _two_product(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    # beyond 1e300 the halves overflow, so the plain product is used
    return product, np.where(np.isfinite(error), error, 0.0)


def _halves(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    scaled = _SPLIT * a
    high = scaled - (scaled - a)
    return high, a - high


def _tidy(high: FloatArray, low: FloatArray) -> Double:
    total = high + low
    return Double(total, low - (total - high))
