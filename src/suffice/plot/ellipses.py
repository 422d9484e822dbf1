"""Means and covariances of the classes, as ellipses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.columns.kinds import Name
from suffice.decision.intake import class_codes
from suffice.errors import ParameterError
from suffice.explain import ClassNormals, class_normals
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.regions import draw_rows
from suffice.plot.views import view

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class EllipsesDisplay(Display):
    """For each class, ellipses around its mean that contain ``shares`` of its probability.

    >>> from suffice import QuadraticDiscriminantAnalysis
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = QuadraticDiscriminantAnalysis().fit(X, y)
    >>> display = EllipsesDisplay.from_estimator(model, X, y, columns=(0, 1))
    >>> display.normals.mean.round(1).tolist()
    [[5.0, 3.4], [5.9, 2.8], [6.6, 3.0]]
    """

    normals: ClassNormals
    classes: AnyArray
    names: tuple[str, str]
    shares: tuple[float, ...] = (0.5, 0.95)
    rows: FloatArray | None = None
    codes: CodeArray | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike = None,
        *,
        columns: Sequence[Name] | None = None,
        shares: Sequence[float] = (0.5, 0.95),
        ax: "Axes | None" = None,
    ) -> Self:
        """Ellipses of two Gaussian columns of a Bayes classifier of suffice, correlated or not."""
        if not all(0 < s < 1 for s in shares):
            raise ParameterError(f"shares is {tuple(shares)!r}", "each must lie between 0 and 1, both left out")
        seen = view(estimator, X, columns, 2)
        rows = np.column_stack([seen.cells(0), seen.cells(1)]).astype(np.float64)
        codes = None if y is None else class_codes(y, seen.classes, len(rows))
        names = (seen.names[0], seen.names[1])
        normals = class_normals(seen.model, seen.columns)
        return cls(normals, seen.classes, names, tuple(shares), rows, codes).plot(ax)

    def outline(self, klass: int, share: float, points: int = 181) -> FloatArray:
        """Points on the ellipse that contains a share of a class, (points, 2)."""
        turn = np.linspace(0, 2 * np.pi, points)
        values, vectors = np.linalg.eigh(self.normals.covariance[klass])
        half = self.normals.radius(klass, share) * np.sqrt(np.maximum(values, 0))
        return np.asarray(self.normals.mean[klass] + np.column_stack([np.cos(turn), np.sin(turn)]) * half @ vectors.T)

    def _draw(self, ax: "Axes") -> None:
        if self.rows is not None:
            draw_rows(ax, self.rows, self.codes, self.classes)
        looks = style.looks(len(self.classes))
        count = np.zeros(len(looks)) if self.codes is None else np.bincount(self.codes, minlength=len(looks))
        shown = style.largest(count, style.MOST_CLASSES)
        for c in shown:
            look = looks[c]
            for share in self.shares:
                ax.plot(*self.outline(c, share).T, color=look.colour, linestyle=look.line, linewidth=1.8)
            ax.plot(
                *self.normals.mean[c],
                marker=look.marker,
                markersize=11,
                color=look.colour,
                markeredgecolor=style.ink(),
                linestyle="none",
                label=None if self.codes is not None else style.name(self.classes[c]),
            )
        ax.set(xlabel=style.name(self.names[0], 48), ylabel=style.name(self.names[1], 36))
        others = style.others(len(looks), len(shown), "classes not outlined")
        title = f"holding {' and '.join(f'{s:.0%}' for s in self.shares)} of each class"
        ax.set_title(f"{title}; {others}" if others else title, fontsize="medium")
        style.legend(ax)
