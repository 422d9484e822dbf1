"""Double-double arithmetic: unevaluated sums high + low of two doubles (Dekker 1971; Knuth's two-sum).

Statistics need it: after a value of 10⁹ is added and subtracted, the rounding error of its square must not remain. It is used
only to combine statistics, never for rows.
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
        return _renormalised(total, error + (self.low + other.low))

    def minus(self, other: "Double") -> "Double":
        return self.plus(Double(-other.high, -other.low))

    def times(self, other: "Double") -> "Double":
        product, error = _two_product(self.high, other.high)
        return _renormalised(product, error + (self.high * other.low + self.low * other.high))

    def over(self, divisor: FloatArray) -> "Double":
        """The quotient by positive doubles."""
        first = self.high / divisor
        remainder = self.minus(Double(*_two_product(first, divisor)))
        return _renormalised(first, (remainder.high + remainder.low) / divisor)

    def where(self, condition: BoolArray, otherwise: "Double") -> "Double":
        return Double(np.where(condition, self.high, otherwise.high), np.where(condition, self.low, otherwise.low))


def double(high: FloatArray) -> Double:
    """A double-double from a double."""
    return Double(high, np.zeros_like(high))


def _two_sum(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


def _two_product(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    # beyond 1e300 the halves overflow, and the product is used without error term
    return product, np.where(np.isfinite(error), error, 0.0)


def _halves(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    scaled = _SPLIT * a
    high = scaled - (scaled - a)
    return high, a - high


def _renormalised(high: FloatArray, low: FloatArray) -> Double:
    total = high + low
    return Double(total, low - (total - high))
