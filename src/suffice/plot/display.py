"""Base class of the displays, after scikit-learn's convention."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from suffice.plot import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Display(ABC):
    """Plotted numbers, computed once and drawn by ``plot(ax=...)``, which sets ``ax_`` and ``figure_``."""

    ax_: "Axes"
    figure_: "Figure"

    size: ClassVar[tuple[float, float]] = (6.0, 4.2)
    """Default size of the figure, in inches."""

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw into ``ax``, or into a new figure."""
        if ax is None:
            _, ax = style.toolkit().subplots(figsize=self._figure_size(), layout="constrained")
        figure: Any = ax.figure
        self.ax_, self.figure_ = ax, figure
        self._draw(ax)
        return self

    def _figure_size(self) -> tuple[float, float]:
        return self.size

    @abstractmethod
    def _draw(self, ax: "Axes") -> None:
        """Draw into these axes."""
