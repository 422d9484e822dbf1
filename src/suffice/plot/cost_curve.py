"""Cost curve: the cost of decisions on one class, for every ratio of the costs of its two errors."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.decision.cost_curve import CostCurve, cost_curve
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class CostCurveDisplay(Display):
    """Cost of decisions by the posterior, by the best threshold in hindsight, and of always or never deciding for the class.

    >>> posterior = [[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.2, 0.8]]
    >>> CostCurveDisplay.from_predictions([0, 1, 0, 1], posterior, of=1).curve.cost[50]
    np.float64(0.5)
    """

    curve: CostCurve
    of: Any

    @classmethod
    def from_estimator(cls, estimator: Any, X: TableLike, y: LabelsLike, *, of: Any, ax: "Axes | None" = None) -> Self:
        """Cost curve of any classifier with ``predict_proba``, on held-out rows."""
        return cls.from_predictions(y, estimator.predict_proba(X), of=of, classes=estimator.classes_, ax=ax)

    @classmethod
    def from_predictions(
        cls, y: LabelsLike, posterior: Any, *, of: Any, classes: Any = None, ax: "Axes | None" = None
    ) -> Self:
        """Cost curve of posteriors (rows, classes), by ``suffice.decision.cost_curve``."""
        return cls(cost_curve(posterior, y, of, classes=classes), of).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        curve = self.curve
        labels = ["by the posterior", "best threshold in hindsight", "always or never"]
        style.lines(ax, curve.weight, labels, [curve.cost, curve.best, curve.trivial])
        ax.set(xlim=(0, 1), ylabel="normalised cost")
        ax.set_xlabel(f"weight of a missed {style.name(self.of)} (normalised prior × cost)")
        ax.set_ylim(0, max(0.05, 2.2 * float(curve.cost.max())))
        ax.legend(loc="upper center")
