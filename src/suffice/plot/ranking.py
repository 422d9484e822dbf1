"""ROC, precision-recall and lift: how well the rows of one class are ranked before the others."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from suffice.errors import ParameterError, quoted
from suffice.evaluate.ranking import Ranking, ranking
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES = ("roc", "precision-recall", "lift")


@dataclass(eq=False)
class RankingDisplay(Display):
    """Rows taken for a class from the surest on: hits against false alarms, precision against recall, or lift against effort.

    >>> posterior = [[0.9, 0.1], [0.6, 0.4], [0.6, 0.4], [0.2, 0.8]]
    >>> RankingDisplay.from_predictions(["a", "b", "a", "b"], posterior, of="a", classes=["a", "b"]).ranking.auc
    0.875
    """

    ranking: Ranking
    of: Any
    share: float
    """Of the class among the rows."""
    curve: Literal["roc", "precision-recall", "lift"] = "roc"

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, of: Any, curve: Any = "roc", ax: "Axes | None" = None
    ) -> Self:
        """Of any classifier with ``predict_proba``, on rows that it has not learned from."""
        p = estimator.predict_proba(X)
        return cls.from_predictions(y, p, of=of, classes=estimator.classes_, curve=curve, ax=ax)

    @classmethod
    def from_predictions(
        cls, y: Any, posterior: Any, *, of: Any, classes: Any, curve: Any = "roc", ax: "Axes | None" = None
    ) -> Self:
        """Of posteriors (rows, classes), by ``suffice.evaluate.ranking``."""
        if curve not in CURVES:
            raise ParameterError(f"curve is {curve!r}", f"it must be one of {quoted(CURVES)}")
        share = float(np.mean([label == of for label in np.asarray(y).tolist()]))
        return cls(ranking(y, posterior, of, classes), of, share, curve).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        found, (look, other) = self.ranking, style.looks(2)
        name = style.name(self.of)
        chance: Any = {"color": other.colour, "linestyle": other.line, "linewidth": 1.4, "label": "by chance"}
        if self.curve == "roc":
            x, y = np.append(0.0, found.false_alarms), np.append(0.0, found.recall)
            ax.plot([0, 1], [0, 1], **chance)
            label = f"AUC {found.auc:.3f}"
            ax.set(xlabel=f"share of others taken for {name}", ylabel=f"share of {name} found", ylim=(0, 1.02))
        elif self.curve == "precision-recall":
            x, y = found.recall, found.precision
            ax.axhline(self.share, **chance)
            label = f"average precision {found.average_precision:.3f}"
            ax.set(xlabel=f"share of {name} found", ylabel=f"share of {name} among those taken", ylim=(0, 1.02))
        else:
            x, y = found.taken, found.lift
            ax.axhline(1.0, **chance)
            label = f"{name} among the surest, against all"
            ax.set(xlabel="share of rows taken, the surest first", ylabel="lift")
            ax.set_ylim(0, 1.1 * float(found.lift.max()))
        ax.plot(x, y, color=look.colour, linewidth=2, label=label)
        ax.set_xlim(0, 1)
        ax.legend(loc="lower right" if self.curve == "roc" else "best")
