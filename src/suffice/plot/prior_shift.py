"""Prior-shift curve: the cost of class frequencies that differ from training."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.decision.prior_shift import PriorShift, prior_shift
from suffice.estimators.decision.trained_prior import trained_prior
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class PriorShiftDisplay(Display):
    """Error rate (or mean cost) by the true prior of a class, with and without correction of the posterior to it.

    >>> posterior = [[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8]]
    >>> display = PriorShiftDisplay.from_predictions([0, 0, 1, 1], posterior, of=1, trained=[0.5, 0.5])
    >>> display.curve.trained
    0.5
    """

    curve: PriorShift
    of: Any
    is_error: bool = True

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike,
        *,
        of: Any,
        costs: Any = None,
        trained: Any = None,
        ax: "Axes | None" = None,
    ) -> Self:
        """Curve of any classifier with ``predict_proba``. ``trained`` is the prior of its posteriors: by default its own prior,
        or the frequencies of y."""
        before = trained_prior(estimator, np.asarray(y), None) if trained is None else trained
        posterior = estimator.predict_proba(X)
        return cls.from_predictions(y, posterior, of=of, trained=before, costs=costs, classes=estimator.classes_, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y: LabelsLike,
        posterior: Any,
        *,
        of: Any,
        trained: Any,
        costs: Any = None,
        classes: Any = None,
        ax: "Axes | None" = None,
    ) -> Self:
        """Prior-shift curve of posteriors (rows, classes), by ``suffice.decision.prior_shift``."""
        return cls(prior_shift(posterior, y, of, trained, costs, classes=classes), of, costs is None).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        curve = self.curve
        labels = ["corrected to the true prior", "uncorrected", "prior only"]
        style.lines(ax, curve.prior, labels, [curve.corrected, curve.uncorrected, curve.blind])
        ax.axvline(
            curve.trained,
            color=style.text_colour(),
            linewidth=1,
            linestyle=(0, (1, 2)),
            label=f"trained prior: {curve.trained:.3g}",
        )
        ax.set(xlim=(0, 1), xlabel=f"true prior of {style.name(self.of)}")
        ax.set_ylabel("error rate" if self.is_error else "mean cost")
        ax.set_ylim(0, max(1e-3, 2.2 * float(max(curve.corrected.max(), curve.uncorrected.max()))))
        ax.legend(loc="upper center")
