"""Confusion matrix."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.evaluate import Confusion, confusion
from suffice.numerics.arrays import IntArray
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_CLASSES = 30
_MAX_CLASSES_WITH_ZEROS = 20  # with more classes, cells without rows have no number
_MIN_WIDTH = 4.6  # inches, so that the title fits
_MAX_OPACITY = 0.55  # of a cell with all rows of its class: numbers remain legible, in the dark report too


@dataclass(eq=False)
class ConfusionDisplay(Display):
    """Rows are true classes, columns predictions; shades are shares of a row, numbers are counts of rows.

    >>> ConfusionDisplay.from_predictions(["a", "a", "b"], ["a", "b", "b"]).table.count.tolist()
    [[1, 1], [0, 1]]
    """

    table: Confusion

    @classmethod
    def from_estimator(cls, estimator: Any, X: TableLike, y: LabelsLike, *, ax: "Axes | None" = None) -> Self:
        """Confusion of any classifier; predictions outside the classes, such as REJECT, have separate columns."""
        return cls.from_predictions(y, estimator.predict(X), classes=estimator.classes_, ax=ax)

    @classmethod
    def from_predictions(
        cls, y: LabelsLike, predictions: Any, *, classes: Any = None, ax: "Axes | None" = None
    ) -> Self:
        """Confusion of given predictions, by ``suffice.evaluate.confusion``."""
        return cls(confusion(y, predictions, classes)).plot(ax)

    def _shown(self) -> tuple[IntArray, list[str], list[str]]:
        """Counts, true classes and predictions as drawn: of many classes, those with most errors, and the others merged."""
        count, classes, predictions = self.table.count, list(self.table.classes), list(self.table.predictions)
        n = len(classes)
        if n <= _MAX_CLASSES:
            return count, style.names(classes), style.names(predictions)
        wrong = np.where(np.eye(n, count.shape[1], dtype=bool), 0, count)
        errors = wrong.sum(axis=1) + wrong[:, :n].sum(axis=0)
        shown = style.largest(errors, _MAX_CLASSES - 1)
        rest = [c for c in range(n) if c not in set(shown)]
        columns = [*shown, *range(n, count.shape[1])]
        rows = np.vstack([count[shown], count[rest].sum(axis=0)])
        table = np.column_stack([rows[:, columns], rows[:, rest].sum(axis=1)])
        more = f"{len(rest):,} others"
        return (
            table,
            [*style.names(classes[c] for c in shown), more],
            [*style.names(predictions[c] for c in columns), more],
        )

    def _figure_size(self) -> tuple[float, float]:
        count, _, predictions = self._shown()
        rows, columns = count.shape
        width = min(1.1, max(0.62 if columns <= _MAX_CLASSES_WITH_ZEROS else 0.42, 0.1 * max(map(len, predictions))))
        return min(13.0, max(_MIN_WIDTH, 2.0 + width * columns)), min(
            12.0, 1.5 + (0.55 if rows <= _MAX_CLASSES_WITH_ZEROS else 0.34) * rows
        )

    def _draw(self, ax: "Axes") -> None:
        count, classes, predictions = self._shown()
        share = count / np.maximum(count.sum(axis=1, keepdims=True), 1)
        background = np.array(style.background(ax))
        strongest = background + _MAX_OPACITY * (style.rgb(style.COLOURS[0]) - background)
        colours = style.toolkit("colors").LinearSegmentedColormap.from_list("", [background, strongest])
        ax.imshow(share, cmap=colours, vmin=0, vmax=1, aspect="auto")
        many = max(count.shape) > _MAX_CLASSES_WITH_ZEROS
        size = "x-small" if many else "medium" if len(f"{count.max():,}") <= 5 else "small"
        for i, a in np.ndindex(*count.shape):
            if count[i, a] or not many:
                faint = 1.0 if count[i, a] else 0.35
                ax.text(
                    a,
                    i,
                    f"{count[i, a]:,}",
                    ha="center",
                    va="center",
                    color=style.text_colour(),
                    fontsize=size,
                    alpha=faint,
                )
        turned = 90 if many and max(map(len, predictions)) > 3 else 40 if max(map(len, predictions)) > 11 else 0
        side = {90: "center", 40: "right", 0: "center"}[turned]
        ax.set_xticks(range(len(predictions)), predictions, rotation=turned, ha=side)
        ax.set_yticks(range(len(count)), classes)
        n = len(self.table.count)
        correct, total = int(np.trace(self.table.count[:, :n])), int(self.table.count.sum())
        ax.set(xlabel="predicted class", ylabel="true class")
        some = "" if n <= _MAX_CLASSES else f"; the {_MAX_CLASSES - 1} of {n} classes with most errors"
        ax.set_title(f"{correct:,} of {total:,} correct{some}", fontsize="medium")
