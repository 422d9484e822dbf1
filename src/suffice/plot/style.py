"""Style of classes in all pictures: colour-blind safe colours, never colour alone.

The palette is that of Okabe and Ito without yellow and black, which vanish on white and on black paper. Text, axes and
reference lines take matplotlib's present style, so pictures follow a dark one.
"""

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from suffice.errors import MissingPackageError
from suffice.numerics.arrays import AnyArray, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#56B4E9", "#E69F00", "#CC79A7", "#808080")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_HATCHES = ("", "///", "...", "xxx", "\\\\\\", "ooo", "---", "+++")
_LINE_STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1.5, 1, 1.5, 1, 1.5)))


MOST_CLASSES = 8
"""Maximum number of classes distinguished in one picture."""
_MOST_INSIDE, _LONGEST_INSIDE = 5, 40  # entries of a legend within the frame, and characters of one


@dataclass(frozen=True)
class Look:
    """The style of one class or curve."""

    colour: str
    marker: str
    line: Any
    hatch: str


def looks(n: int) -> tuple[Look, ...]:
    """One look per class; colours, markers and lines repeat after 7, 8 and 5, so that 280 looks differ."""
    kinds: tuple[Sequence[Any], ...] = (COLOURS, _MARKERS, _LINE_STYLES, _HATCHES)
    return tuple(Look(*(kind[i % len(kind)] for kind in kinds)) for i in range(n))


def toolkit(module: str = "pyplot") -> Any:
    """A module of matplotlib, loaded when the first picture is drawn."""
    try:
        return importlib.import_module(f"matplotlib.{module}")
    except ImportError as error:
        raise MissingPackageError(
            "A picture is asked for", "the package matplotlib draws it", "Install it: pip install 'suffice[plot]'"
        ) from error


def ink() -> str:
    """The colour of text and lines that belong to no class."""
    return str(toolkit().rcParams["text.color"])


def paper(ax: "Axes") -> tuple[float, float, float]:
    """The background colour."""
    red, green, blue = toolkit("colors").to_rgb(ax.get_facecolor())
    return red, green, blue


def halo(ax: "Axes") -> list[Any]:
    """The outline of text that may cover a line."""
    return [toolkit("patheffects").withStroke(linewidth=2.5, foreground=paper(ax))]


def rgb(colour: str) -> FloatArray:
    """Red, green and blue, from 0 to 1."""
    return np.array(toolkit("colors").to_rgb(colour))


def lines(ax: "Axes", x: FloatArray, labels: Sequence[str], curves: Sequence[FloatArray]) -> None:
    """Draw one line per curve, each with its own look."""
    for label, y, look in zip(labels, curves, looks(len(labels)), strict=True):
        ax.plot(x, y, color=look.colour, linestyle=look.line, linewidth=2, label=label)


def largest(size: AnyArray, most: int) -> list[int]:
    """The indices of the largest values, in ascending order.

    >>> largest(np.array([5, 1, 7, 3]), 2)
    [0, 2]
    """
    return sorted(np.argsort(-size, kind="stable")[:most].tolist())


def others(total: int, shown: int, what: str) -> str:
    """A note about omitted items, such as "144 other classes"; empty if there are none.

    >>> others(150, 6, "classes"), others(2, 6, "classes")
    ('144 other classes', '')
    """
    return f"{total - shown:,} other {what}" if total > shown else ""


def legend(ax: "Axes", loc: Literal["best", "center right"] = "best") -> None:
    """Add a legend: inside the frame if there are few entries, else beside it."""
    entries = ax.get_legend_handles_labels()[1]
    if len(entries) > _MOST_INSIDE or max(map(len, entries), default=0) > _LONGEST_INSIDE:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
    elif entries:
        ax.legend(loc=loc)


def panels(ax: "Axes", rows: int, columns: int, *, gap: tuple[float, float] = (0.08, 0.2)) -> "list[Axes]":
    """Smaller axes inside ``ax``, row by row from the top, which gives up its own frame. ``gap`` is a share of a panel."""
    ax.set_axis_off()
    width, height = 1.0 / (columns + gap[0] * (columns - 1)), 1.0 / (rows + gap[1] * (rows - 1))
    return [
        ax.inset_axes((j * width * (1 + gap[0]), 1.0 - height - i * height * (1 + gap[1]), width, height))
        for i in range(rows)
        for j in range(columns)
    ]


def name(value: Any, most: int = 24) -> str:
    """A label as one line of literal text, truncated if too long.

    Matplotlib reads formulas between dollars, and leaves what begins with an underscore out of legends.
    """
    text = " ".join(str(value).split()) or "(empty)"
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def names(values: Iterable[Any]) -> list[str]:
    """Labels of one picture: those that would be truncated to the same text keep their ends instead of their middle.

    >>> names(["balance_not_updated_after_transfer", "balance_not_updated_after_deposit"])
    ['balance_not…ter_transfer', 'balance_not…fter_deposit']
    """
    every = list(values)
    texts = [name(value) for value in every]
    return [
        text if texts.count(text) == 1 else _without_middle(value) for text, value in zip(texts, every, strict=True)
    ]


def _without_middle(value: Any, head: int = 11, tail: int = 12) -> str:
    text = " ".join(str(value).split())
    return name(text if len(text) <= head + tail + 1 else f"{text[:head]}…{text[-tail:]}")


def percent(share: float) -> str:
    """A share as a whole percentage; a small one does not round to none.

    >>> percent(0.126), percent(0.004), percent(0.0)
    ('13%', '<1%', '0%')
    """
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


def thousands(axis: Any) -> None:
    """Separate the thousands of the numbers at an axis."""
    axis.set_major_formatter(toolkit("ticker").FuncFormatter(lambda value, _: f"{value:,.10g}"))
