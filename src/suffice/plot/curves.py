"""Posterior, joint or log joint of each class along one column, with the points where the decision changes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.columns.kinds import Name
from suffice.decision.boundaries import Boundary, boundaries
from suffice.errors import ParameterError
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.views import classifier_view, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["posterior", "joint", "log_joint"]
_AXIS = {"posterior": "p(class | x)", "joint": "p(x, class)", "log_joint": "log p(x, class)"}


@dataclass(eq=False)
class CurvesDisplay(Display):
    """One curve per class, ``values`` (points, classes), and ``boundaries`` between the most probable ones.

    >>> from suffice import GaussianNB
    >>> x, y = [[-3.0], [-1.0], [1.0], [3.0]], [0, 0, 1, 1]
    >>> display = CurvesDisplay.from_estimator(GaussianNB().fit(x, y), x)
    >>> [round(b.at, 6) for b in display.boundaries]
    [0.0]
    """

    points: FloatArray
    values: FloatArray
    boundaries: tuple[Boundary, ...]
    classes: AnyArray
    name: str
    kind: Kind

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike = None,
        *,
        kind: Kind = "posterior",
        column: Name | None = None,
        points: int = 400,
        ax: "Axes | None" = None,
    ) -> Self:
        """Posterior of any classifier of one column, or joints of a Bayes classifier of suffice; ``y`` is not used."""
        if kind not in get_args(Kind):
            raise ParameterError(f"kind is {kind!r}", f"it must be one of {', '.join(map(repr, get_args(Kind)))}")
        viewed = classifier_view(estimator, X, None if column is None else [column], 1)
        if not viewed.is_numeric(0):
            raise ParameterError(
                f"Column {viewed.columns[0]!r} is not numeric", "curves need numbers", "Use DensityDisplay for it"
            )
        at = grid(viewed.cells(0), points)
        if kind == "posterior":
            scores, values = viewed.log_score if viewed.has_densities else viewed.posterior, viewed.posterior(at)
        else:
            scores, values = viewed.log_joint, viewed.log_joint(at)
            values = np.exp(values) if kind == "joint" else values
        return cls(at, values, boundaries(scores, at), viewed.classes, viewed.names[0], kind).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        best = np.bincount(self.values.argmax(axis=1), minlength=len(self.classes))
        shown = style.largest(best + 1e-3 * np.arange(len(best), 0, -1) / len(best), style.MAX_CLASSES)
        rest = [c for c in range(len(self.classes)) if c not in set(shown)]
        for c in rest:
            ax.plot(self.points, self.values[:, c], color=style.text_colour(), alpha=0.2, linewidth=0.7)
        style.lines(ax, self.points, style.names(self.classes[shown]), list(self.values[:, shown].T))
        if rest:
            ax.plot([], [], color=style.text_colour(), alpha=0.4, linewidth=0.7, label=f"{len(rest):,} others")
        for boundary in self.boundaries:
            ax.axvline(boundary.at, color=style.text_colour(), linewidth=1, linestyle=(0, (1, 2)))
        if 0 < len(self.boundaries) <= 4:
            self._name_boundaries(ax)
        ax.set(xlabel=style.name(self.name, 48), ylabel=_AXIS[self.kind], xlim=(self.points[0], self.points[-1]))
        if self.kind == "posterior":
            ax.set_ylim(-0.02, 1.02)
        elif self.kind == "joint":
            ax.set_ylim(bottom=0)
        else:
            self._limit_axis(ax)
        style.legend(ax, "center right" if self.kind == "posterior" else "best")

    def _name_boundaries(self, ax: "Axes") -> None:
        """Label the boundaries above the frame, without overlap."""
        last = -np.inf
        for boundary in self.boundaries:
            share = (boundary.at - self.points[0]) / (self.points[-1] - self.points[0])
            if share - last > 0.12:
                ax.annotate(
                    f"{boundary.at:.4g}", (boundary.at, 1.0), (0, 3), xycoords=("data", "axes fraction"),
                    textcoords="offset points", ha="center", va="bottom",
                )  # fmt: skip
                last = share

    def _limit_axis(self, ax: "Axes") -> None:
        """Limit the axis near the maximum, since the log joint of a narrow class is unbounded below."""
        finite = np.where(np.isfinite(self.values), self.values, np.nan)
        best = np.nanmax(finite, axis=1)
        ax.set_ylim(np.nanmin(best) - 0.5 * (np.nanmax(best) - np.nanmin(best)) - 1.0, np.nanmax(best) + 1.0)
