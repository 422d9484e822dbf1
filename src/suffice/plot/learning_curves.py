"""Learning curves: scores of models by number of training rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.errors import ParameterError
from suffice.evaluate import LearningCurve, learning_curve
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Score = Literal["log_loss", "accuracy"]


@dataclass(eq=False)
class LearningCurveDisplay(Display):
    """Mean held-out score of each model, with its standard error over the repeats.

    >>> from suffice import GaussianNB, LogisticRegression
    >>> from sklearn.datasets import load_iris
    >>> models = {"generative": GaussianNB(), "discriminative": LogisticRegression()}
    >>> display = LearningCurveDisplay.from_estimators(
    ...     models, *load_iris(return_X_y=True), sizes=[15, 90], repeats=2, random_state=0)
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['generative', 'discriminative']
    """

    curve: LearningCurve
    score: Score = "log_loss"

    def __post_init__(self) -> None:
        if self.score not in get_args(Score):
            raise ParameterError(
                f"score is {self.score!r}", f"it must be one of {', '.join(map(repr, get_args(Score)))}"
            )

    @classmethod
    def from_estimators(
        cls,
        models: Mapping[str, Any],
        X: TableLike,
        y: LabelsLike,
        sizes: Iterable[int],
        *,
        score: Score = "log_loss",
        ax: "Axes | None" = None,
        **settings: Any,
    ) -> Self:
        """Fit the models and score them; ``settings`` are those of ``suffice.evaluate.learning_curve``."""
        return cls(learning_curve(models, X, y, sizes, **settings), score).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        values = getattr(self.curve, self.score)
        for i, curve_style in enumerate(style.class_styles(len(self.curve.models))):
            error = values[i].std(axis=1) / np.sqrt(values.shape[2])
            ax.errorbar(
                self.curve.sizes, values[i].mean(axis=1), error, label=style.name(self.curve.models[i], 40),
                color=curve_style.colour, marker=curve_style.marker, linestyle=curve_style.line, linewidth=1.8,
                elinewidth=1.0, capsize=3,
            )  # fmt: skip
        ax.set(xscale="log", xlabel="training rows", ylabel="log-loss" if self.score == "log_loss" else "accuracy")
        ax.set_xticks(self.curve.sizes, [f"{s:,}" for s in self.curve.sizes])
        ax.minorticks_off()
        if self.score == "log_loss":
            self._limit_axis(ax, values.mean(axis=2))
        ax.legend()

    def _limit_axis(self, ax: "Axes", mean: Any) -> None:
        """Limit the axis, so that the loss of a poor model does not hide the rest."""
        best = mean.min(axis=0)
        best = best[np.isfinite(best)]
        if len(best):
            top = min(ax.get_ylim()[1], 2.5 * float(best.max()))
            ax.set_ylim(max(0.0, float(best.min()) - 0.12 * (top - float(best.min()))), top)
