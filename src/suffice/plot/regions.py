"""Decision regions over two columns."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.columns.kinds import Name
from suffice.decision.intake import class_codes
from suffice.numerics.arrays import AnyArray, BoolArray, CodeArray, FloatArray, IntArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.views import classifier_view, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MIN_OPACITY, _MAX_OPACITY = 0.12, 0.42  # of a region at the boundary and at posterior 1
_MAX_ROWS = 2000  # drawn as points
_CONTOURS = (0.05, 0.3, 0.7)  # of the highest density of a class


@dataclass(eq=False)
class RegionsDisplay(Display):
    """``predictions`` (ys, xs) is the index of the decided class; colours are stronger where its posterior is higher.

    It can be constructed from any decisions; points in ``ambiguous``, assigned to no class or to several, are dark.

    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = np.array([[-1.0, 0], [-2, 1], [1, 0], [2, 1]]), [0, 0, 1, 1]
    >>> display = RegionsDisplay.from_estimator(LogisticRegression().fit(X, y), X, y, points=20)
    >>> display.predictions[0, [0, -1]].tolist()
    [0, 1]
    """

    xs: FloatArray
    ys: FloatArray
    predictions: IntArray
    classes: AnyArray
    posterior: FloatArray | None = None
    """(ys, xs, classes)"""
    log_density: FloatArray | None = None
    """(ys, xs, classes): drawn as contours."""
    ambiguous: BoolArray | None = None
    rows: FloatArray | None = None
    """(rows, 2), drawn as points."""
    codes: CodeArray | None = None
    """The class index of each point."""
    names: tuple[str, str] = ("x", "y")

    @property
    def answer(self) -> IntArray:
        """Deprecated name of ``predictions``."""
        warnings.warn("answer is deprecated: use predictions.", FutureWarning, stacklevel=2)
        return self.predictions

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike = None,
        *,
        columns: Sequence[Name] | None = None,
        contours: bool = True,
        points: int = 200,
        ax: "Axes | None" = None,
    ) -> Self:
        """Regions of any classifier of two columns with ``predict_proba``, or along two columns of a classifier of suffice.

        ``contours`` of the class densities are drawn if these are smooth.
        """
        viewed = classifier_view(estimator, X, columns, 2)
        rows = np.column_stack([viewed.cells(0), viewed.cells(1)]).astype(np.float64)
        xs, ys = grid(rows[:, 0], points), grid(rows[:, 1], points)
        plane = [a.ravel() for a in np.meshgrid(xs, ys)]
        posterior = viewed.posterior(*plane).reshape(points, points, -1)
        smooth = (
            contours and viewed.has_densities and not viewed.is_binned
        )  # contours of binned densities are unreadable
        density = viewed.log_density(*plane).reshape(posterior.shape) if smooth else None
        return cls(
            xs,
            ys,
            posterior.argmax(axis=2),
            viewed.classes,
            posterior,
            density,
            rows=rows,
            codes=None if y is None else class_codes(y, viewed.classes, len(rows)),
            names=(viewed.names[0], viewed.names[1]),
        ).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        ax.imshow(
            self._image(ax),
            extent=(self.xs[0], self.xs[-1], self.ys[0], self.ys[-1]),
            origin="lower",
            aspect="auto",
            interpolation="nearest",
        )
        for c in np.unique(self.predictions).tolist():
            lead = self._margin(c)
            if lead.min() < 0 < lead.max():
                ax.contour(self.xs, self.ys, lead, levels=[0.0], colors=style.text_colour(), linewidths=1.0)
        if self.log_density is not None:
            self._draw_contours(ax, self.log_density)
        if self.rows is not None:
            draw_rows(ax, self.rows, self.codes, self.classes)
        ax.set(xlim=self.xs[[0, -1]], ylim=self.ys[[0, -1]])
        ax.set(xlabel=style.name(self.names[0], 48), ylabel=style.name(self.names[1], 36))

    def _margin(self, klass: int) -> FloatArray:
        """The margin of a class over the next one, positive in its region."""
        if self.posterior is None:
            return np.where(self.predictions == klass, 1.0, -1.0)
        others = np.delete(self.posterior, klass, axis=2)
        return np.asarray(self.posterior[..., klass] - others.max(axis=2, initial=0.0))

    def _image(self, ax: "Axes") -> FloatArray:
        n = len(self.classes)
        if self.posterior is None:
            strength = np.full(self.predictions.shape, _MAX_OPACITY)
        else:
            sure = (self.posterior.max(axis=2) - 1 / n) / (1 - 1 / n) if n > 1 else np.ones(self.predictions.shape)
            strength = _MIN_OPACITY + (_MAX_OPACITY - _MIN_OPACITY) * np.clip(sure, 0, 1)
        background = np.array(style.background(ax))
        full = np.array([style.rgb(class_style.colour) for class_style in style.class_styles(n)])[self.predictions]
        image = strength[..., None] * full + (1 - strength[..., None]) * background
        if self.ambiguous is not None:
            image[self.ambiguous] = 0.8 * style.rgb(style.text_colour()) + 0.2 * background
        return np.asarray(image)

    def _draw_contours(self, ax: "Axes", log_density: FloatArray) -> None:
        styles = style.class_styles(len(self.classes))
        area = np.bincount(self.predictions.ravel(), minlength=len(styles))
        for c in style.largest(area, style.MAX_CLASSES):
            class_style = styles[c]
            surface = np.exp(log_density[..., c] - log_density[..., c].max())
            if np.isfinite(surface).all() and surface.min() < _CONTOURS[0]:
                ax.contour(
                    self.xs,
                    self.ys,
                    surface,
                    levels=_CONTOURS,
                    colors=class_style.colour,
                    linestyles=[class_style.line],
                    linewidths=1.3,
                )


def draw_rows(ax: "Axes", rows: FloatArray, codes: CodeArray | None, classes: AnyArray) -> None:
    """Draw rows as points with the marker and colour of their class; a subsample if there are very many."""
    step = max(1, len(rows) // _MAX_ROWS)
    if codes is None:
        ax.scatter(rows[::step, 0], rows[::step, 1], s=14, color=style.text_colour(), linewidths=0)
        return
    count, styles = np.bincount(codes, minlength=len(classes)), style.class_styles(len(classes))
    shown = style.largest(count, style.MAX_CLASSES)
    if len(shown) < len(classes):
        rest = rows[::step][~np.isin(codes[::step], shown)]
        label = style.others(len(classes), len(shown), "classes")
        ax.scatter(
            rest[:, 0], rest[:, 1], s=10, marker=".", color=style.text_colour(), alpha=0.3, label=label, linewidths=0
        )
    for c in shown:
        class_style, of_class = styles[c], rows[::step][codes[::step] == c]
        ax.scatter(
            of_class[:, 0],
            of_class[:, 1],
            s=26,
            marker=class_style.marker,
            color=class_style.colour,
            label=style.name(classes[c]),
            edgecolors=style.background(ax),
            linewidths=0.5,
        )
    style.legend(ax)
