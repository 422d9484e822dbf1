"""Axes of numbers with long tails: logarithmic, or the inverse hyperbolic sine if some are not positive."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from suffice.numerics.arrays import FloatArray
from suffice.plot import style
from suffice.plot.views import visible_range

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TAIL = 0.01  # share of values beyond the quantiles at either end
_MIN_SKEW = 4.0  # ratio of the upper to the lower half of the range that counts as skewed
_MIN_SEPARATED_ASINH = 1e3  # numbers from which on thousands are separated on an asinh axis
_MIN_SEPARATED, _MAX_SEPARATED = 1e4, 1e9  # on a linear axis: years are smaller, and larger numbers have an exponent
_MIN_LOG_RATIO = 100.0  # of the largest to the smallest value for a logarithmic axis
_TICKS = 6
_LONG_TAIL = 5.0  # ratio of the largest value to the median of nonzero values


@dataclass(frozen=True)
class Scale:
    """The transformation of an axis: ``forward`` is linear along it.

    >>> Scale("log").forward(np.array([1.0, np.e])).tolist()
    [0.0, 1.0]
    """

    kind: Literal["linear", "log", "asinh"] = "linear"
    width: float = 1.0
    """Linear range of asinh."""

    def forward(self, x: FloatArray) -> FloatArray:
        if self.kind == "linear":
            return x
        return np.log(x) if self.kind == "log" else np.arcsinh(x / self.width)

    def backward(self, u: FloatArray) -> FloatArray:
        if self.kind == "linear":
            return u
        return np.exp(u) if self.kind == "log" else np.sinh(u) * self.width

    def slope(self, x: FloatArray) -> FloatArray:
        """dx/du for u = forward(x), the factor from a density of x to a density of u."""
        if self.kind == "linear":
            return np.ones_like(x)
        return x if self.kind == "log" else np.hypot(x, self.width)

    def evenly(self, low: float, high: float, points: int) -> FloatArray:
        """Points from one value to another, evenly spaced along the axis."""
        start, end = self.forward(np.array([low, high], dtype=np.float64)).tolist()
        return self.backward(np.linspace(start, end, points))

    def apply(self, ax: "Axes", low: float, high: float) -> None:
        """Apply the scale to an axis with a range of values."""
        if self.kind == "asinh":
            ax.set_xscale("asinh", linear_width=self.width)
            rounded = {float(f"{value:.0e}") for value in self.evenly(low, high, _TICKS)}
            ticks = sorted(value for value in rounded if low <= value <= high)
            ax.set_xticks(
                ticks, [f"{value:,.0f}" if abs(value) >= _MIN_SEPARATED_ASINH else f"{value:g}" for value in ticks]
            )
            ax.set_xticks([], minor=True)
        elif self.kind == "log":
            ax.set_xscale("log")
        elif _MIN_SEPARATED <= max(abs(low), abs(high)) < _MAX_SEPARATED:
            style.thousands(ax.xaxis)
            ax.xaxis.set_major_locator(style.toolkit("ticker").MaxNLocator(_TICKS))
        if high > low:
            ax.set_xlim(low, high)

    def __str__(self) -> str:
        """Prefix of the name of a variable: ``log`` for ``log x``."""
        return "" if self.kind == "linear" else f"{self.kind} "


def scale_of(values: FloatArray) -> Scale:
    """Logarithmic for positive, right-skewed values over orders of magnitude; asinh if a tail would hide the rest.

    >>> tail = np.append(np.zeros(90), np.geomspace(10, 1e5, 10))
    >>> scale_of(tail[90:]).kind, scale_of(tail).kind, scale_of(np.arange(100.0)).kind
    ('log', 'asinh', 'linear')
    """
    known = values[np.isfinite(values)]
    if len(known) < 2:
        return Scale()
    low, middle, high = np.quantile(known, (_TAIL, 0.5, 1 - _TAIL))
    skewed = bool(high - middle > _MIN_SKEW * (middle - low))
    if known.min() > 0:
        return Scale("log") if skewed and known.max() > _MIN_LOG_RATIO * known.min() else Scale()
    size = np.abs(known[known != 0])
    hidden = skewed or visible_range(known) != (known.min(), known.max())
    if not hidden or not len(size) or size.max() <= _LONG_TAIL * np.median(size):
        return Scale()
    return Scale("asinh", float(np.median(size)))
