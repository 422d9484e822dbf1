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
from suffice.plot.views import classifier_view

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
            raise ParameterError(f"shares is {tuple(shares)!r}", "each must be in the open interval (0, 1)")
        viewed = classifier_view(estimator, X, columns, 2)
        rows = np.column_stack([viewed.cells(0), viewed.cells(1)]).astype(np.float64)
        codes = None if y is None else class_codes(y, viewed.classes, len(rows))
        names = (viewed.names[0], viewed.names[1])
        normals = class_normals(viewed.model, viewed.columns)
        return cls(normals, viewed.classes, names, tuple(shares), rows, codes).plot(ax)

    def outline(self, klass: int, share: float, points: int = 181) -> FloatArray:
        """Points on the ellipse that contains a share of a class, (points, 2)."""
        turn = np.linspace(0, 2 * np.pi, points)
        values, vectors = np.linalg.eigh(self.normals.covariance[klass])
        half = self.normals.radius(klass, share) * np.sqrt(np.maximum(values, 0))
        return np.asarray(self.normals.mean[klass] + np.column_stack([np.cos(turn), np.sin(turn)]) * half @ vectors.T)

    def _draw(self, ax: "Axes") -> None:
        if self.rows is not None:
            draw_rows(ax, self.rows, self.codes, self.classes)
        styles = style.class_styles(len(self.classes))
        count = np.zeros(len(styles)) if self.codes is None else np.bincount(self.codes, minlength=len(styles))
        shown = style.largest(count, style.MAX_CLASSES)
        for c in shown:
            class_style = styles[c]
            for share in self.shares:
                ax.plot(*self.outline(c, share).T, color=class_style.colour, linestyle=class_style.line, linewidth=1.8)
            ax.plot(
                *self.normals.mean[c],
                marker=class_style.marker,
                markersize=11,
                color=class_style.colour,
                markeredgecolor=style.text_colour(),
                linestyle="none",
                label=None if self.codes is not None else style.name(self.classes[c]),
            )
        ax.set(xlabel=style.name(self.names[0], 48), ylabel=style.name(self.names[1], 36))
        others = style.others(len(styles), len(shown), "classes not drawn")
        title = f"{' and '.join(f'{s:.0%}' for s in self.shares)} ellipses"
        ax.set_title(f"{title}; {others}" if others else title, fontsize="medium")
        style.legend(ax)
