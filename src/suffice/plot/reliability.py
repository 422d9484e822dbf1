"""Reliability diagram: observed frequency against predicted probability."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.decision.reliability import ReliabilityCurve, reliability
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_EDGE = 0.95  # labels beyond are right-aligned


@dataclass(eq=False)
class ReliabilityDisplay(Display):
    """The curve with 95 % intervals, over the number of rows in each bin; a calibrated classifier lies on the diagonal.

    >>> posterior = [[0.9, 0.1], [0.8, 0.2], [0.85, 0.15], [0.3, 0.7]]
    >>> display = ReliabilityDisplay.from_predictions([0, 0, 1, 1], posterior, bins=[0, 0.75, 1])
    >>> display.curve.count.tolist()
    [1, 3]
    """

    curve: ReliabilityCurve
    of: Any = None
    """The class shown; None for the most probable class of each row."""
    size: ClassVar[tuple[float, float]] = (5.0, 5.2)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike,
        *,
        of: Any = None,
        bins: int | Sequence[float] = 10,
        ax: "Axes | None" = None,
    ) -> Self:
        """Reliability of any classifier with ``predict_proba``, on held-out rows."""
        return cls.from_predictions(y, estimator.predict_proba(X), of=of, bins=bins, classes=estimator.classes_, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y: LabelsLike,
        posterior: Any,
        *,
        of: Any = None,
        bins: int | Sequence[float] = 10,
        classes: Any = None,
        ax: "Axes | None" = None,
    ) -> Self:
        """Reliability of posteriors (rows, classes), by ``suffice.decision.reliability``."""
        return cls(reliability(posterior, y, of=of, bins=bins, classes=classes), of).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        curve, curve_style = self.curve, style.class_styles(1)[0]
        ax.plot([0, 1], [0, 1], color=style.text_colour(), linestyle=":", linewidth=1.2, label="calibrated")
        reach = np.array([curve.observed - curve.low, curve.high - curve.observed])
        ax.errorbar(
            curve.predicted, curve.observed, np.maximum(reach, 0), color=curve_style.colour, marker=curve_style.marker,
            capsize=3, linewidth=1.6, elinewidth=1.0, label=f"observed, 95 % interval\n(calibration error {curve.error:.3f})",
        )  # fmt: skip
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), ylabel="observed frequency")
        ax.tick_params(labelbottom=False)
        ax.legend(loc="best")
        below = ax.inset_axes((0.0, -0.27, 1.0, 0.22), sharex=ax)
        below.bar(curve.predicted, curve.count, width=0.035, color=curve_style.colour, alpha=0.6)
        for x, n in zip(curve.predicted, curve.count, strict=True):
            below.annotate(  # within the frame
                f"{n:,}", (min(x + 0.02, 1.01), n) if x > _EDGE else (x, n), (0, 2), textcoords="offset points",
                ha="right" if x > _EDGE else "center", va="bottom", fontsize="x-small",
            )  # fmt: skip
        below.set_ylim(0, 1.35 * curve.count.max())
        below.set_ylabel("rows")
        style.thousands(below.yaxis)
        below.tick_params(labelbottom=True)
        below.set_xlabel(
            "predicted probability of " + ("the most probable class" if self.of is None else style.name(self.of))
        )
