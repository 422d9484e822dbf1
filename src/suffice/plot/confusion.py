"""Confusion matrix: which class was taken for which."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.evaluate import Confusion, confusion
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NUMBERS = 20


@dataclass(eq=False)
class ConfusionDisplay(Display):
    """Rows are the true classes, columns the answers; shades are shares of a row, numbers are rows of the data.

    >>> ConfusionDisplay.from_predictions(["a", "a", "b"], ["a", "b", "b"]).table.count.tolist()
    [[1, 1], [0, 1]]
    """

    table: Confusion

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, ax: "Axes | None" = None) -> Self:
        """Of any classifier; answers that are no class, such as REJECT, get columns of their own."""
        return cls.from_predictions(y, estimator.predict(X), classes=estimator.classes_, ax=ax)

    @classmethod
    def from_predictions(cls, y: Any, answers: Any, *, classes: Any = None, ax: "Axes | None" = None) -> Self:
        """Of answers that were given, by ``suffice.evaluate.confusion``."""
        return cls(confusion(y, answers, classes)).plot(ax)

    def _figure_size(self) -> tuple[float, float]:
        rows, columns = self.table.count.shape
        return min(12.0, 2.0 + self._width() * columns), min(10.0, 1.5 + 0.55 * rows)

    def _width(self) -> float:
        """Of a column, in inches."""
        longest = max(map(len, style.names(self.table.answers)))
        return min(1.1, max(0.62, 0.1 * longest))

    def _draw(self, ax: "Axes") -> None:
        count = self.table.count
        share = count / np.maximum(count.sum(axis=1, keepdims=True), 1)
        colours = style.toolkit("colors").LinearSegmentedColormap.from_list("", [style.paper(ax), style.COLOURS[0]])
        ax.imshow(share, cmap=colours, vmin=0, vmax=1, aspect="auto")
        if max(count.shape) <= _MOST_NUMBERS:
            for i, a in np.ndindex(*count.shape):
                colour = "white" if share[i, a] > 0.55 else style.ink()
                faint = 1.0 if count[i, a] else 0.35
                size = "medium" if len(f"{count.max():,}") <= 5 else "small"
                ax.text(a, i, f"{count[i, a]:,}", ha="center", va="center", color=colour, fontsize=size, alpha=faint)
        answers = style.names(self.table.answers)
        long = max(map(len, answers)) > 11
        ax.set_xticks(range(len(answers)), answers, rotation=40 if long else 0, ha="right" if long else "center")
        ax.set_yticks(range(len(count)), style.names(self.table.classes))
        right = sum(int(count[i, i]) for i in range(len(count)))
        ax.set(xlabel="answer", ylabel="true class")
        ax.set_title(f"{right:,} of {count.sum():,} right", fontsize="medium")
