"""Scales of a nomogram: the values of one column and their log-odds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from suffice.columns.kinds import Kind, Name
from suffice.columns.table import Table
from suffice.errors import ParameterError, quoted
from suffice.explain import Marginals
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.plot import style
from suffice.plot.views import grid, label_of, levels
from suffice.sources import open_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SCALE_POINTS = 201
EDGE = 1.15  # times the reach: position of larger log-odds
_HALF_HEIGHT = 0.32  # of the curve of a number


@dataclass(frozen=True, eq=False)
class NomogramScale:
    """``log_odds`` (values, classes): log p(value | class) less that of the reference class."""

    column: Name
    name: str
    values: AnyArray
    log_odds: FloatArray
    is_number: bool
    texts: tuple[str, ...] = ()
    """Names of the values, if they are not numbers."""

    def height(self, value: object, reach: float, klass: int) -> float:
        """Vertical position of a value in its scale, from −½ to ½: numbers rise, so that non-monotone curves do not overlap."""
        if not self.is_number:
            return 0.0
        low, high = self._visible_range(reach, klass)
        share = (float(value) - low) / (high - low) if high > low else 0.5  # type: ignore[arg-type]
        return _HALF_HEIGHT - 2 * _HALF_HEIGHT * float(np.clip(share, 0.0, 1.0))

    def _visible_range(self, reach: float, klass: int) -> tuple[float, float]:
        """The range of the numbers whose log-odds fit into the frame."""
        visible = self.values[np.abs(self.log_odds[:, klass]) <= EDGE * reach]
        return (
            (float(visible.min()), float(visible.max()))
            if len(visible)
            else (float(self.values[0]), float(self.values[-1]))
        )

    def reach(self, classes: Sequence[int]) -> float:
        """The largest finite log-odds."""
        shown = np.abs(self.log_odds[:, list(classes)])
        return float(np.max(shown, initial=0.1, where=np.isfinite(shown)))

    def draw(self, ax: "Axes", place: int, klass: int, reach: float, class_style: style.ClassStyle) -> None:
        log_odds = np.clip(self.log_odds[:, klass], -EDGE * reach, EDGE * reach)
        ax.axhline(place, color=style.text_colour(), alpha=0.15, linewidth=0.8)
        if self.is_number:
            self._draw_curve(ax, place, log_odds, klass, reach, class_style)
        else:
            self._draw_levels(ax, place, log_odds, reach, class_style)

    def _draw_curve(
        self, ax: "Axes", place: int, log_odds: FloatArray, klass: int, reach: float, class_style: style.ClassStyle
    ) -> None:
        low, high = self._visible_range(reach, klass)
        drawn = np.linspace(low, high, _SCALE_POINTS)
        heights = [place + self.height(v, reach, klass) for v in drawn]
        ax.plot(np.interp(drawn, self.values, log_odds), heights, color=class_style.colour, linewidth=1.8)
        ticks = style.toolkit("ticker").MaxNLocator(3).tick_values(low, high)
        for tick in ticks[(ticks >= low) & (ticks <= high)]:
            at = np.interp(tick, self.values, log_odds), place + self.height(tick, reach, klass)
            ax.plot(*at, marker="|", color=class_style.colour, markersize=7)
            ax.annotate(
                f"{tick:g}", at, (0, 4), textcoords="offset points", ha="center", va="bottom", fontsize="x-small",
                path_effects=style.halo(ax),
            )  # fmt: skip

    def _draw_levels(
        self, ax: "Axes", place: int, log_odds: FloatArray, reach: float, class_style: style.ClassStyle
    ) -> None:
        """Draw names alternately above and below the scale, without those that would overlap."""
        ax.plot(
            log_odds,
            np.full(len(log_odds), place),
            linestyle="none",
            marker="|",
            markersize=9,
            color=class_style.colour,
        )
        ends = {1: -np.inf, -1: -np.inf}
        letter = 2.5 * reach / 55
        for i in np.argsort(log_odds, kind="stable"):
            text = self.texts[i]
            left = log_odds[i] - 0.5 * letter * len(text)
            side = next((s for s in (1, -1) if ends[s] < left), None)
            if side is not None:
                ends[side] = left + letter * (len(text) + 1)
                ax.annotate(
                    text, (log_odds[i], place), (0, 6 * side), textcoords="offset points", ha="center",
                    va="bottom" if side > 0 else "top", fontsize="x-small", path_effects=style.halo(ax),
                )  # fmt: skip


def nomogram_scales(
    marginals: Marginals, table: Table, names: Mapping[Name, Name], reference: int
) -> list[NomogramScale]:
    """One scale per column of the model, the most informative first; ``names`` maps displayed names to columns."""
    shown = {column: label_of(name) for name, column in names.items()}
    found = [
        _scale(marginals, table, column, shown[column], reads, reference) for column, reads in _columns(marginals.model)
    ]
    return sorted(found, key=lambda scale: -float(np.ptp(np.clip(scale.log_odds, -50, 50), axis=0).max()))


def row_log_odds(drawn: Sequence[NomogramScale], model: Model, row: Table, reference: int) -> FloatArray:
    """The log-odds of the cells of one row, (scales, classes)."""
    place = {column: i for i, (column, _) in enumerate(_columns(model))}
    parts = model.evidence(row)[1][0]
    return _against(parts, reference)[[place[scale.column] for scale in drawn]]


def _against(log_density: FloatArray, reference: int) -> FloatArray:
    """Log-odds; zero for a value that is impossible in both classes."""
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(log_density - log_density[:, [reference]], nan=0.0, posinf=np.inf, neginf=-np.inf)


def _columns(model: Model) -> list[tuple[Name, str]]:
    """The columns with the kind of their cells; an error if they are not independent given the class."""
    for block in model.blocks:
        if (block.family.joint and len(block.columns) > 1) or block.reads not in ("numbers", "levels"):
            raise ParameterError(
                f"Column {quoted(list(block.columns))} is modelled by {type(block.family).__name__}",
                "a nomogram needs a density for each column alone",
                "Use EvidenceDisplay, which explains one row",
            )
    return [(column, block.reads) for block in model.blocks for column in block.columns]


def _scale(marginals: Marginals, table: Table, column: Name, name: str, reads: str, reference: int) -> NomogramScale:
    if reads == "numbers":
        cells = np.asarray(table.numbers([column]).dense[:, 0], dtype=np.float64)
        known = np.unique(cells[np.isfinite(cells)])
        whole = len(known) <= 12 and bool((known == np.round(known)).all())
        values: AnyArray = known if whole else grid(cells, _SCALE_POINTS, margin=0.0)
        points = open_table(values[:, None]).renamed([column])
    else:
        whole = True
        values = levels(np.array(table.objects(column).values, dtype=object))
        points = open_table({column: values.tolist()})
    log_odds = _against(marginals.log_density(points), reference)
    if reads == "numbers" and not whole:
        return NomogramScale(column, name, values, log_odds, is_number=True)
    texts = [f"{v:g}" if isinstance(v, float) else v for v in values.tolist()]
    if table.kinds[list(table.names).index(column)] is Kind.BOOLEAN:
        texts = [bool(v) for v in values.tolist()]
    return NomogramScale(column, name, values, log_odds, is_number=False, texts=tuple(style.names(texts)))
