"""ROC, precision-recall and lift curves of one class against all others."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.errors import ParameterError, quoted
from suffice.evaluate.ranking import Ranking, ranking
from suffice.numerics.arrays import FloatArray
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES = ("roc", "precision-recall", "lift")


_LEGEND_WIDTH = 2.4  # inches, for a legend beside the frame
_LOW_CHANCE = 0.3  # share of a class below which the legend fits above the chance level
_RARE = 0.1  # share of a class below which the axis of lift is logarithmic


@dataclass(eq=False)
class RankingDisplay(Display):
    """ROC, precision-recall or lift curves, one per class, each class against all others.

    >>> posterior = [[0.9, 0.1], [0.6, 0.4], [0.6, 0.4], [0.2, 0.8]]
    >>> found = RankingDisplay.from_predictions(["a", "b", "a", "b"], posterior, of="a", classes=["a", "b"])
    >>> found.of, found.rankings[0].auc
    (['a'], 0.875)
    """

    rankings: list[Ranking]
    of: list[Any]
    share: list[float]
    """Share of each class of ``of`` in the rows."""
    curve: Literal["roc", "precision-recall", "lift"] = "roc"
    others: int = 0
    """Number of classes without a curve."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike,
        *,
        of: Any = None,
        curve: Any = "roc",
        ax: "Axes | None" = None,
    ) -> Self:
        """Ranking curves of any classifier with ``predict_proba``, on held-out rows."""
        p = estimator.predict_proba(X)
        return cls.from_predictions(y, p, of=of, classes=estimator.classes_, curve=curve, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y: LabelsLike,
        posterior: Any,
        *,
        of: Any = None,
        classes: Any,
        curve: Any = "roc",
        ax: "Axes | None" = None,
    ) -> Self:
        """Ranking curves of posteriors (rows, classes), by ``suffice.evaluate.ranking``.

        Curves of the given class; by default of the second of two classes, or of the most frequent ones.
        """
        if curve not in CURVES:
            raise ParameterError(f"curve is {curve!r}", f"it must be one of {quoted(CURVES)}")
        labels, known = np.asarray(y).tolist(), np.asarray(classes).tolist()
        rows = np.array([labels.count(label) for label in known])
        if of is not None:
            shown = [of]
        elif len(known) == 2:
            shown = known[1:]
        else:
            largest = style.largest(np.where(rows < len(labels), rows, 0), style.MAX_CLASSES)
            shown = [known[c] for c in largest if rows[c]]
        share = [labels.count(label) / len(labels) for label in shown]
        others = len(known) - len(shown) if of is None and len(known) > 2 else 0
        return cls([ranking(y, posterior, label, classes) for label in shown], shown, share, curve, others).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        alone = len(self.of) == 1
        name = style.name(self.of[0]) if alone else "the class"
        styles = style.class_styles(len(self.of) + 1)
        for found, of, class_style in zip(self.rankings, style.names(self.of), styles, strict=False):
            x, y, measure = self._points(found)
            label = measure if alone else f"{of} {measure.replace('average precision', 'AP')}".rstrip()
            ax.plot(x, y, color=class_style.colour, linestyle=class_style.line, linewidth=2, label=label or name)
        chance: Any = {"color": styles[1].colour if alone else style.text_colour(), "linestyle": "--", "linewidth": 1.4}
        if self.curve == "roc":
            ax.plot([0, 1], [0, 1], label="chance", **chance)
            ax.set(xlabel="false positive rate", ylabel=f"true positive rate ({name})", ylim=(0, 1.02))
        elif self.curve == "precision-recall":
            if alone:  # the chance level is the share of each class
                ax.axhline(self.share[0], label="chance", **chance)
            ax.set(xlabel=f"recall ({name})", ylabel="precision", ylim=(0, 1.02))
        else:
            ax.axhline(1.0, label="chance", **chance)
            ax.set(xlabel="share of rows, the most probable first", ylabel="lift")
            ax.set_ylim(0, 1.1 * max(float(found.lift.max()) for found in self.rankings))
        if self.curve == "lift" and min(self.share) < _RARE:
            ax.set(xscale="log", xlim=(min(self.share) / 10, 1))
        else:
            ax.set_xlim(0, 1)
        if self.others:
            ax.set_title(f"the {len(self.of)} most frequent of {len(self.of) + self.others} classes", fontsize="medium")
        if alone and self.curve == "roc":
            ax.legend(loc="lower right")
        elif alone and self.curve == "precision-recall":  # away from the curve, which starts above the chance level
            ax.legend(loc="center left" if self.share[0] < _LOW_CHANCE else "lower left")
        else:
            style.legend(ax)

    def _points(self, found: Ranking) -> tuple[FloatArray, FloatArray, str]:
        """The points of the curve, and the area below it as text."""
        if self.curve == "roc":
            return np.append(0.0, found.false_positive_rate), np.append(0.0, found.recall), f"AUC {found.auc:.3f}"
        if self.curve == "precision-recall":
            return found.recall, found.precision, f"average precision {found.average_precision:.3f}"
        return found.predicted_positive_rate, found.lift, ""

    def _figure_size(self) -> tuple[float, float]:
        return self.size[0] + (_LEGEND_WIDTH if len(self.of) > 1 else 0.0), self.size[1]
