"""Mean image of a class, for columns that are the pixels of an image."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.errors import ParameterError
from suffice.explain import class_means
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.views import model_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_COLUMNS = 5


@dataclass(eq=False)
class ImagesDisplay(Display):
    """``images`` (classes, height, width), NaN where there is no column; one panel per class.

    >>> from suffice import GaussianNB
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> display = ImagesDisplay.from_estimator(GaussianNB().fit(X, y), shape=(8, 8))
    >>> bool(np.allclose(display.images[3].ravel(), X[y == 3].mean(axis=0)))
    True
    """

    images: FloatArray
    classes: AnyArray
    label: str = "mean"
    is_difference: bool = False

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike = None,
        y: LabelsLike = None,
        *,
        shape: tuple[int, int] | None = None,
        places: Any = None,
        against_all: bool = False,
        ax: "Axes | None" = None,
    ) -> Self:
        """Images of the class means of a Bayes classifier of suffice; X and y are not used.

        ``shape`` is (height, width) if the columns fill an image row by row; otherwise ``places`` has the (row, column) of each
        column.
        ``against_all`` shows the difference of a class mean from the mean of all rows.
        """
        model = model_of(estimator)
        means = class_means(model)
        if against_all:
            weight = model.tally.weight
            means = means - weight @ np.nan_to_num(means) / weight.sum()
        images = _as_images(means, shape, places)
        label = "mean of the class\n− mean of all" if against_all else "mean of the class"
        return cls(images, np.asarray(estimator.classes_), label, against_all).plot(ax)

    def _grid(self) -> tuple[int, int]:
        across = min(len(self.classes), _MAX_COLUMNS)
        return -(-len(self.classes) // across), across

    def _figure_size(self) -> tuple[float, float]:
        rows, across = self._grid()
        ratio = self.images.shape[1] / self.images.shape[2]
        return 1.6 * across + 1.0, max(2.2, rows * (1.42 * ratio + 0.34))

    def _range(self) -> tuple[float, float]:
        """Range of the colours, robust to a few extreme cells."""
        if not self.is_difference:
            return float(np.nanmin(self.images)), float(np.nanmax(self.images))
        high = float(np.nanquantile(np.abs(self.images), 0.995)) or 1.0
        return -high, high

    def _draw(self, ax: "Axes") -> None:
        rows, across = self._grid()
        parts = style.panels(ax, rows, across, gap=(0.08, 0.25))
        low, high = self._range()
        shown = None
        for part, image, label in zip(parts, self.images, style.names(self.classes), strict=False):
            shown = part.imshow(image, cmap="PuOr" if self.is_difference else "cividis", vmin=low, vmax=high)
            part.set_title(label, fontsize="medium")
            part.set(xticks=[], yticks=[])
        for part in parts[len(self.classes) :]:
            part.set_axis_off()
        if shown is not None:
            ax.figure.colorbar(shown, ax=ax, label=self.label, extend="both" if self.is_difference else "neither")


def _as_images(means: FloatArray, shape: tuple[int, int] | None, places: Any) -> FloatArray:
    width = means.shape[1]
    if places is not None:
        at = np.asarray(places)
        if at.shape != (width, 2) or at.dtype.kind not in "iu" or at.min() < 0:
            raise ParameterError(
                f"places has shape {at.shape}", f"(row, column) of each of the {width} columns is needed"
            )
        images = np.full((len(means), *(at.max(axis=0) + 1)), np.nan)
        images[:, at[:, 0], at[:, 1]] = means
        return images
    if shape is None or len(shape) != 2 or shape[0] * shape[1] != width:
        raise ParameterError(
            f"shape is {shape!r}",
            f"(height, width) of an image of {width} cells is needed",
            "Or give places of the columns",
        )
    return means.reshape(len(means), *shape)
