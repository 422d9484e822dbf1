"""Risk-coverage curve: the error rate by the share of rows that are not rejected."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.decision.risk_coverage import RiskCoverage, risk_coverage
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class RiskCoverageDisplay(Display):
    """The mean cost of the rows that are decided, against their share.

    >>> posterior = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.4, 0.6]]
    >>> RiskCoverageDisplay.from_predictions([0, 1, 1, 1], posterior).curve.cost.round(2).tolist()
    [0.0, 0.0, 0.25]
    """

    curve: RiskCoverage
    is_error: bool = True
    """Whether every error costs one."""

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: TableLike, y: LabelsLike, *, costs: Any = None, ax: "Axes | None" = None
    ) -> Self:
        """Risk-coverage curve of any classifier with ``predict_proba``, on held-out rows."""
        return cls.from_predictions(y, estimator.predict_proba(X), costs=costs, classes=estimator.classes_, ax=ax)

    @classmethod
    def from_predictions(
        cls, y: LabelsLike, posterior: Any, *, costs: Any = None, classes: Any = None, ax: "Axes | None" = None
    ) -> Self:
        """Risk-coverage curve of posteriors (rows, classes), by ``suffice.decision.risk_coverage``."""
        return cls(risk_coverage(posterior, y, costs, classes=classes), costs is None).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        curve, (class_style, other) = self.curve, style.class_styles(2)
        share, cost = np.append(0.0, curve.coverage), np.append(curve.cost[0], curve.cost)
        ax.step(share, cost, where="pre", color=class_style.colour, linewidth=1.8, label="lowest risk first")
        everything = float(curve.cost[-1])
        ax.axhline(
            everything, color=other.colour, linestyle=other.line, linewidth=1.4, label=f"all decided: {everything:.3g}"
        )
        ax.set(xlim=(0, 1), xlabel="coverage", ylabel="error rate" if self.is_error else "mean cost")
        ax.set_ylim(bottom=0, top=max(1.15 * float(curve.cost.max()), 1e-3))
        ax.legend()
