"""Fitted class densities along one column, over the histogram of the rows."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.columns.kinds import Name
from suffice.decision.intake import class_codes
from suffice.families import Bernoulli, Categorical, CountTable, Poisson, PooledCategorical
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.scales import Scale, scale_of
from suffice.plot.views import ClassifierView, classifier_view, grid, levels, visible_range

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_BINS = 30
_MAX_LEVELS = 20
_FEW_CLASSES = 3
_MAX_MERGED_RATIO = 1.5  # times the highest bar: merged levels that are more frequent are a note instead of a bar
_DISCRETE = (Bernoulli, Categorical, CountTable, Poisson, PooledCategorical)


@dataclass(eq=False)
class DensityDisplay(Display):
    """p(x | class) of one column, (points, classes), with a histogram of rows.

    If x is a category or a count, the points are its values and the density is their probability.

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
    at_cells: FloatArray | None = None
    """For a binned density, its values at the sorted distinct cells, (cells, classes)."""
    scale: Scale = field(default_factory=Scale)
    """Scale of the axis, for long tails."""
    _merged_note: str = field(default="", init=False)
    """Note about levels without a bar."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike,
        *,
        column: Name | None = None,
        points: int = 400,
        bins: Any = "auto",
        ax: "Axes | None" = None,
    ) -> Self:
        """Densities of a Bayes classifier of suffice; ``column`` is optional if X has one column."""
        viewed = classifier_view(estimator, X, None if column is None else [column], 1)
        cells = viewed.cells(0)
        discrete = _is_discrete(viewed)
        scale = Scale() if discrete else scale_of(cells)
        if discrete:
            at = levels(cells)
        elif scale.kind != "linear":
            at = scale.evenly(np.nanmin(cells), np.nanmax(cells), points)[:-1]  # the last bin ends with the last row
        elif viewed.is_binned:
            low, high = visible_range(cells[np.isfinite(cells)])
            at = grid(np.array([low, high]), points, margin=0.0)[:-1]
        else:
            at = grid(np.array(visible_range(cells[np.isfinite(cells)])), points)
        codes = class_codes(y, viewed.classes, len(cells))
        density = np.exp(viewed.log_density(at))
        binned = None if discrete or not viewed.is_binned else np.exp(viewed.log_density(_distinct(cells)[0]))
        return cls(at, density, viewed.classes, viewed.names[0], discrete, cells, codes, bins, binned, scale).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        count = np.bincount(self.codes, minlength=len(self.classes))
        shown = style.largest(count, style.MAX_CLASSES)
        if self.is_discrete:
            self._draw_bars(ax, shown)
        else:
            self._draw_curves(ax, shown)
        ax.set(
            xlabel=style.name(self.name, 48),
            ylabel=f"p({self.scale}{style.name(self.name) if len(self.name) < 12 else 'x'} | class)",
        )
        ax.set_ylim(bottom=0)
        notes = [style.others(len(self.classes), len(shown), "classes"), *self._tail_note(), self._merged_note]
        ax.set_title("; ".join(note for note in notes if note), fontsize="medium")
        style.legend(ax)

    def _draw_curves(self, ax: "Axes", shown: list[int]) -> None:
        """Draw bars and curves on one scale: p(x | class), or p(log x | class) on a logarithmic axis."""
        edges, tops = self._edges(), []
        width = np.diff(self.scale.forward(edges))
        shade = 0.25 if len(shown) <= _FEW_CLASSES else 0.08  # bars of many classes hide the curves
        self.scale.apply(ax, edges[0], edges[-1])
        names = style.names(self.classes[shown])
        for c, name, class_style in zip(shown, names, style.class_styles(len(shown)), strict=True):
            of_class = self.cells[(self.codes == c) & np.isfinite(self.cells)]
            if len(of_class):
                height = np.histogram(of_class, edges)[0] / (len(of_class) * width)
                ax.bar(edges[:-1], height, np.diff(edges), align="edge", color=class_style.colour, alpha=shade)
            at, density = self._curve(edges, c)
            tops.append(float(density.max(initial=0.0)))
            label = f"{name} ({len(of_class):,} rows)"
            ax.plot(at, density, color=class_style.colour, linestyle=class_style.line, linewidth=2, label=label)
        tops.sort()  # the peak of a narrow class would hide the others
        if len(tops) > 1 and tops[-1] > 8 * tops[-2] > 0:
            ax.set_ylim(0, 4 * tops[-2])

    def _curve(self, edges: FloatArray, c: int) -> tuple[FloatArray, FloatArray]:
        """The density of a class. A binned density is averaged over the rows of each bar, since it has no shape within bins."""
        if self.at_cells is None:
            return self.points, self.density[:, c] * self.scale.slope(self.points)
        values, rows = _distinct(self.cells)
        known = np.bincount(self.codes[np.isfinite(self.cells)], minlength=len(self.classes))
        every = self.at_cells @ (known / known.sum())
        mass = rows / rows.sum() * self.at_cells[:, c] / np.where(every > 0, every, 1.0)
        count, along = np.histogram(values, edges, weights=rows)[0], self.scale.forward(edges)
        height = np.histogram(values, edges, weights=mass)[0] / np.diff(along)
        middle = self.scale.backward((along[1:] + along[:-1]) / 2)
        return middle[count > 0], height[count > 0]

    def _tail_note(self) -> list[str]:
        """Note on rows outside the axis."""
        known = np.empty(0) if self.is_discrete else self.cells[np.isfinite(self.cells)]
        if not len(known):
            return []
        edges = self._edges()
        beyond = 0.0 if self.scale.kind != "linear" else float(np.mean((known < edges[0]) | (known > edges[-1])))
        return [f"{beyond:.1%} of the rows are outside, up to {known.max():.4g}"] if beyond else []

    def _edges(self) -> FloatArray:
        """Common bin edges of all classes, fine enough for the narrowest class, and between integers if all cells are."""
        known = self.cells[np.isfinite(self.cells)]
        if self.bins != "auto" or not len(known):
            return np.histogram_bin_edges(known, self.bins)
        if self.scale.kind != "linear":
            edges = self.scale.evenly(known.min(), known.max(), _MAX_BINS + 1)
            edges[0], edges[-1] = known.min(), np.nextafter(known.max(), np.inf)  # despite rounding
            return edges
        low, high = visible_range(known)
        parts = [
            self.cells[(self.cells >= low) & (self.cells <= high) & (self.codes == c)] for c in range(len(self.classes))
        ]
        steps = [np.diff(np.histogram_bin_edges(part, "auto"))[0] for part in parts if len(set(part.tolist())) > 1]
        width = max(min(steps, default=high - low), (high - low) / _MAX_BINS)
        if self.at_cells is not None and (known == np.round(known)).all():
            step = max(1.0, np.ceil(width))
            return np.arange(low, high + 1 + step, step) - 0.5  # integers are in the middle of their bins
        return (
            np.linspace(low, high, max(1, int(np.ceil((high - low) / width))) + 1)
            if width
            else np.array([low - 0.5, low + 0.5])
        )

    def _draw_bars(self, ax: "Axes", shown: list[int]) -> None:
        """Draw bars of the most common levels, with all others merged."""
        level = {value: i for i, value in enumerate(self.points.tolist())}
        places = np.array([level.get(v, -1) for v in self.cells.tolist()])
        count = np.zeros((len(self.points), len(self.classes)))
        np.add.at(count, (places[places >= 0], self.codes[places >= 0]), 1)
        share = count / np.maximum(count.sum(axis=0), 1)
        first = style.largest(count.sum(axis=1), _MAX_LEVELS)
        rest = [i for i in range(len(self.points)) if i not in set(first)]
        texts = style.names([f"{v:g}" if isinstance(v, float) else v for v in self.points[first].tolist()])
        density, observed = self.density[first], share[first]
        if rest:
            others = self.density[rest].sum(axis=0)
            if others[shown].max() > _MAX_MERGED_RATIO * density[:, shown].max():
                low, high = np.quantile(others[shown], [0, 1])
                ends = dict.fromkeys((style.percent(low), style.percent(high)))
                self._merged_note = f"{len(rest):,} others: {' to '.join(ends)}"
            else:
                density, observed = np.vstack([density, others]), np.vstack([observed, share[rest].sum(axis=0)])
                texts.append(f"{len(rest):,} others")
        place, wide, names = np.arange(len(texts)), 0.8 / len(shown), style.names(self.classes[shown])
        for k, (c, class_style) in enumerate(zip(shown, style.class_styles(len(shown)), strict=True)):
            x = place + (k - (len(shown) - 1) / 2) * wide
            ax.bar(
                x, density[:, c], width=0.92 * wide, color=class_style.colour, alpha=0.75, hatch=class_style.hatch,
                edgecolor=style.background(ax), label=names[k],
            )  # fmt: skip
            ax.plot(
                x, observed[:, c], linestyle="none", marker="o", color=style.text_colour(),
                markerfacecolor=style.background(ax), markersize=6 if len(x) * len(shown) <= 40 else 3,
                label="share of the rows" if k == len(shown) - 1 else None,
            )  # fmt: skip
        turned = 90 if len(texts) > 12 else 30 if sum(map(len, texts)) > 45 else 0
        ax.set_xticks(place, texts, rotation=turned, ha="right" if turned == 30 else "center")

    def _figure_size(self) -> tuple[float, float]:
        """Size of the figure, with room for a legend beside the frame."""
        wide = 2.4 if min(len(self.classes), style.MAX_CLASSES) > 4 else 0.0
        return self.size[0] + wide, self.size[1]


def _distinct(cells: AnyArray) -> tuple[FloatArray, AnyArray]:
    """Distinct non-missing values, and their counts."""
    values, rows = np.unique(cells[np.isfinite(cells)], return_counts=True)
    return values, rows


def _is_discrete(viewed: ClassifierView) -> bool:
    block = next(b for b in viewed.model.blocks if viewed.columns[0] in b.columns)
    return isinstance(block.family, _DISCRETE)
