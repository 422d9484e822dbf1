"""Effect of a column on the log-odds, with a band; of two columns, as a map."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import TableLike
from suffice.columns.kinds import Name
from suffice.errors import ParameterError
from suffice.explain import Effect, PairEffect, effect, pair_effect
from suffice.numerics.arrays import FloatArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.scales import Scale, scale_of
from suffice.plot.views import label_of, model_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BAND = 2.0  # standard errors
_MAX_CLASSES = 6  # with the widest range of log-odds
_MAX_LEVELS = 20  # the most frequent
_MIN_NOTED_SHARE = 0.0005  # of rows with other values
_PSEUDO_ROWS = 1_000  # rows by which the shares of values are represented for the choice of a scale
_HISTOGRAM_HEIGHT, _HISTOGRAM_BARS = 0.18, 24  # share of the height, and number of bars


@dataclass(eq=False)
class EffectDisplay(Display):
    """``effect`` of one column, or of two, as drawn.

    >>> import numpy as np
    >>> from suffice import BayesClassifier
    >>> x = np.linspace(-3, 3, 400)[:, None]
    >>> display = EffectDisplay.from_estimator(BayesClassifier().fit(x, x[:, 0] > 0), column=0)
    >>> display.effect.column
    0
    """

    effect: Effect | PairEffect
    names: tuple[str, ...]

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: TableLike = None, *, column: Name | tuple[Name, Name], of: Any = None, against: Any = None,
        ax: "Axes | None" = None,
    ) -> Self:  # fmt: skip
        """Effect under a Bayes classifier of suffice, averaged over stored rows or ``X``; two columns give a map."""
        model_of(estimator)
        columns = column if isinstance(column, tuple) else (column,)
        if len(columns) > 2:
            raise ParameterError(f"{len(columns)} columns are given", "one or two are needed")
        inner = dict(zip(getattr(estimator, "feature_names_in_", ()), estimator.model_.names, strict=False))
        places: list[Any] = [inner.get(name, name) for name in columns]
        names = tuple(label_of(name) for name in columns)
        if len(places) == 1:
            return cls(effect(estimator, places[0], X, of=of, against=against), names).plot(ax)
        return cls(pair_effect(estimator, (places[0], places[1]), X, of=of, against=against), names).plot(ax)

    @classmethod
    def from_effect(cls, found: Effect | PairEffect, *, ax: "Axes | None" = None) -> Self:
        """Display of a result of ``suffice.explain.effect`` or ``pair_effect``."""
        columns = found.columns if isinstance(found, PairEffect) else (found.column,)
        return cls(found, tuple(label_of(name) for name in columns)).plot(ax)

    def _draw(self, ax: "Axes") -> None:
        if isinstance(self.effect, PairEffect):
            self._draw_map(ax, self.effect)
        elif self.effect.is_number:
            self._draw_curves(ax, self.effect)
        else:
            self._draw_levels(ax, self.effect)

    def _draw_curves(self, ax: "Axes", found: Effect) -> None:
        order = _widest_ranges(found.log_odds)
        x = np.asarray(found.values, dtype=np.float64)
        names = style.names(found.of[order])
        for i, name, class_style in zip(order, names, style.class_styles(len(order)), strict=True):
            y = found.log_odds[:, i]
            ax.plot(x, y, color=class_style.colour, linestyle=class_style.line, linewidth=2, label=name)
            if found.error is not None:
                band = _BAND * found.error[:, i]
                ax.fill_between(x, y - band, y + band, color=class_style.colour, alpha=0.18, linewidth=0)
        ax.axhline(0, color=style.text_colour(), linewidth=0.8)
        low, high = ax.get_ylim()
        floor = low - _HISTOGRAM_HEIGHT * (high - low)
        scale = scale_of(np.repeat(x, np.maximum(1, np.round(_PSEUDO_ROWS * found.share)).astype(int)))
        scale.apply(ax, x[0], x[-1])
        height, edges = _row_density(scale, x, found.share)
        ax.stairs(
            floor + 0.9 * (low - floor) * height / height.max(),
            edges,
            baseline=floor,
            fill=True,
            alpha=0.3,
            color=style.text_colour(),
        )
        ax.set(xlabel=style.name(self.names[0], 48), ylabel=_odds(found), ylim=(floor, high))
        others = style.others(len(found.of), len(order), "classes with smaller effects")
        ax.set_title(others, fontsize="medium")
        if len(order) > 1:
            style.legend(ax)

    def _draw_levels(self, ax: "Axes", found: Effect) -> None:
        """Draw one point per level, with its share of the rows beside its name."""
        order = _widest_ranges(found.log_odds[:_MAX_LEVELS])
        place = np.arange(min(len(found.values), _MAX_LEVELS))
        offsets = np.linspace(-0.25, 0.25, len(order)) if len(order) > 1 else np.zeros(1)
        names = style.names(found.of[order])
        for i, name, offset, class_style in zip(order, names, offsets, style.class_styles(len(order)), strict=True):
            band = None if found.error is None else _BAND * found.error[place, i]
            ax.errorbar(
                found.log_odds[place, i], place + offset, xerr=band, fmt=class_style.marker, color=class_style.colour,
                capsize=2, label=name,
            )  # fmt: skip
        ax.axvline(0, color=style.text_colour(), linewidth=0.8)
        texts = [
            f"{style.name(value, 28)}  {style.percent(share)}"
            for value, share in zip(found.values[:_MAX_LEVELS], found.share[:_MAX_LEVELS], strict=True)
        ]
        ax.set_yticks(place, texts)
        ax.set_ylim(len(place) - 0.4, -0.6)
        rest = max(0.0, 1.0 - float(found.share[:_MAX_LEVELS].sum()))
        notes = [style.others(len(found.of), len(order), "classes")]
        notes += [f"{style.percent(rest)} of the rows have other values"] if rest > _MIN_NOTED_SHARE else []
        ax.set(xlabel=_odds(found))
        ax.set_title("\n".join([style.name(self.names[0], 48), *(note for note in notes if note)]), fontsize="medium")
        ax.grid(axis="y", alpha=0.2)
        if len(order) > 1:
            style.legend(ax)

    def _draw_map(self, ax: "Axes", found: PairEffect) -> None:
        reach = float(np.abs(found.log_odds).max()) or 1.0
        ends = style.COLOURS[0], style.background(ax), style.COLOURS[1]  # zero has the colour of the background
        colours = style.toolkit("colors").LinearSegmentedColormap.from_list("odds", ends)
        drawn = ax.pcolormesh(found.log_odds.T, cmap=colours, vmin=-reach, vmax=reach)
        for axis, values, is_number in zip((ax.xaxis, ax.yaxis), found.values, found.is_number, strict=True):
            some = np.unique(np.linspace(0, len(values) - 1, min(len(values), 6 if is_number else 12)).astype(int))
            axis.set_ticks(some + 0.5, [_shown(values[i], is_number) for i in some])
        if not found.is_number[0]:
            ax.tick_params(axis="x", labelrotation=90)
        ax.set(xlabel=style.name(self.names[0], 48), ylabel=style.name(self.names[1], 48))
        ax.figure.colorbar(drawn, ax=ax, label=_odds(found))

    def _figure_size(self) -> tuple[float, float]:
        if isinstance(self.effect, Effect) and not self.effect.is_number:
            return 6.4, 1.9 + 0.32 * min(len(self.effect.values), _MAX_LEVELS)
        return self.size


def _widest_ranges(log_odds: FloatArray) -> list[int]:
    """The classes whose log-odds have the widest range, in class order."""
    return sorted(np.argsort(-np.ptp(log_odds, axis=0), kind="stable")[:_MAX_CLASSES].tolist())


def _row_density(scale: Scale, x: FloatArray, share: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Density of the rows along the axis, in bars of equal width; a share extends halfway to the next values."""
    if len(x) < 2:
        return share, np.array([x[0] - 0.5, x[0] + 0.5])
    along = scale.forward(x)
    middle = (along[1:] + along[:-1]) / 2
    ends = np.concatenate([[2 * along[0] - middle[0]], middle, [2 * along[-1] - middle[-1]]])
    edges = scale.evenly(x[0], x[-1], _HISTOGRAM_BARS + 1)
    edges[0], edges[-1] = x[0], x[-1]  # despite rounding
    return np.diff(np.interp(scale.forward(edges), ends, np.append(0.0, np.cumsum(share)))), edges


def _odds(found: Effect | PairEffect) -> str:
    of = found.of if isinstance(found, PairEffect) else (found.of[0] if len(found.of) == 1 else "each class")
    against = "the mean" if found.against is None else found.against
    return f"log-odds, {style.name(of)} against {style.name(against)}"


def _shown(value: Any, is_number: bool) -> str:
    if not is_number:
        return style.name(value, 16)
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"
