"""What each class looks like along one column: the fitted density over the histogram of the rows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.kinds import Name
from suffice.decision.intake import class_codes
from suffice.families import Bernoulli, Categorical, CountTable, Poisson, PooledCategorical
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.views import View, grid, levels, view

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BINS = 30
_DISCRETE = (Bernoulli, Categorical, CountTable, Poisson, PooledCategorical)


@dataclass(eq=False)
class DensityDisplay(Display):
    """p(x | class) of one column, (points, classes), with the rows it was or was not learned from.

    Where x is a category or a count the points are its values and the density is their probability.

    >>> from suffice import GaussianNB
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> display = DensityDisplay.from_estimator(GaussianNB().fit(X, y), X, y, column=2)
    >>> display.ax_.get_xlabel()
    'column 2'
    """

    points: AnyArray
    density: FloatArray
    classes: AnyArray
    name: str
    is_discrete: bool
    cells: AnyArray
    codes: CodeArray
    bins: Any = "auto"

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        column: Name | None = None,
        points: int = 400,
        bins: Any = "auto",
        ax: "Axes | None" = None,
    ) -> Self:
        """Of a Bayes classifier of ours; ``column`` may be left out where X has one only."""
        seen = view(estimator, X, None if column is None else [column], 1)
        cells = seen.cells(0)
        discrete = _is_discrete(seen)
        if discrete:
            at = levels(cells)
        elif seen.is_binned:
            at = grid(cells, points, margin=0.0)[:-1]  # the last bin ends with the last row, however thin that makes it
        else:
            at = grid(cells, points)
        codes = class_codes(y, seen.classes, len(cells))
        density = np.exp(seen.log_density(at))
        return cls(at, density, seen.classes, seen.names[0], discrete, cells, codes, bins).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        if self.is_discrete:
            self._draw_bars(ax)
        else:
            self._draw_curves(ax)
        ax.set(
            xlabel=style.name(self.name, 48),
            ylabel=f"p({style.name(self.name) if len(self.name) < 12 else 'x'} | class)",
        )
        ax.set_ylim(bottom=0)
        ax.legend()

    def _draw_curves(self, ax: "Axes") -> None:
        edges = self._edges()
        for c, look in enumerate(style.looks(len(self.classes))):
            mine = self.cells[(self.codes == c) & np.isfinite(self.cells)]
            if len(mine):
                ax.hist(mine, bins=edges.tolist(), density=True, color=look.colour, alpha=0.25)
            label = f"{style.name(self.classes[c])} ({len(mine):,} rows)"
            ax.plot(self.points, self.density[:, c], color=look.colour, linestyle=look.line, linewidth=2, label=label)
        # a class that hardly varies would hide the others
        tops = np.sort(self.density.max(axis=0))
        if len(tops) > 1 and tops[-1] > 8 * tops[-2] > 0:
            ax.set_ylim(0, 4 * tops[-2])

    def _edges(self) -> FloatArray:
        """The same for all classes, and as narrow as the narrowest of them needs."""
        known = np.isfinite(self.cells)
        parts = [self.cells[known & (self.codes == c)] for c in range(len(self.classes))]
        if self.bins != "auto":
            return np.histogram_bin_edges(self.cells[known], self.bins)
        steps = [np.diff(np.histogram_bin_edges(part, "auto"))[0] for part in parts if len(set(part.tolist())) > 1]
        span = float(np.ptp(self.cells[known])) if known.any() else 0.0
        count = int(np.ceil(span / min(steps))) if steps else 1
        return np.histogram_bin_edges(self.cells[known], min(max(count, 1), _MOST_BINS))

    def _draw_bars(self, ax: "Axes") -> None:
        place = np.arange(len(self.points))
        wide = 0.8 / len(self.classes)
        for c, look in enumerate(style.looks(len(self.classes))):
            x = place + (c - (len(self.classes) - 1) / 2) * wide
            mine = self.cells[self.codes == c]
            share = [float(np.mean([v == level for v in mine])) if len(mine) else 0.0 for level in self.points]
            ax.bar(
                x, self.density[:, c], width=0.92 * wide, color=look.colour, alpha=0.75, hatch=look.hatch,
                edgecolor=style.paper(ax), label=style.name(self.classes[c]),
            )  # fmt: skip
            ax.plot(
                x, share, linestyle="none", marker="o", color=style.ink(), markerfacecolor=style.paper(ax),
                label="share of the rows" if c == len(self.classes) - 1 else None,
            )  # fmt: skip
        texts = style.names([f"{v:g}" if isinstance(v, float) else v for v in self.points])
        ax.set_xticks(place, texts, rotation=30 if sum(map(len, texts)) > 45 else 0)


def _is_discrete(seen: View) -> bool:
    block = next(b for b in seen.model.blocks if seen.columns[0] in b.columns)
    return isinstance(block.family, _DISCRETE)
