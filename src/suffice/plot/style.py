"""Style of classes in all pictures: colours safe for colour-blind readers, never colour alone.

The palette is that of Okabe and Ito without yellow and black, which are invisible on white and on black background. Text, axes
and reference lines have the current style of matplotlib, dark ones included.
"""

import importlib
from collections import Counter
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


MAX_CLASSES = 8
"""Maximum number of classes with a style in one picture."""
_MAX_ENTRIES_INSIDE, _MAX_ENTRY_LENGTH = 5, 40  # entries of a legend within the frame, and characters of one


@dataclass(frozen=True)
class ClassStyle:
    """The style of one class or curve."""

    colour: str
    marker: str
    line: Any
    hatch: str


def class_styles(n: int) -> tuple[ClassStyle, ...]:
    """One style per class; colours, markers and lines repeat after 7, 8 and 5, so that 280 styles differ."""
    kinds: tuple[Sequence[Any], ...] = (COLOURS, _MARKERS, _LINE_STYLES, _HATCHES)
    return tuple(ClassStyle(*(kind[i % len(kind)] for kind in kinds)) for i in range(n))


def toolkit(module: str = "pyplot") -> Any:
    """A module of matplotlib, loaded when the first picture is drawn."""
    try:
        return importlib.import_module(f"matplotlib.{module}")
    except ImportError as error:
        raise MissingPackageError(
            "Pictures need matplotlib", "it is not installed", "Install it: pip install 'suffice[plot]'"
        ) from error


def text_colour() -> str:
    """The colour of text and of lines without a class."""
    return str(toolkit().rcParams["text.color"])


def background(ax: "Axes") -> tuple[float, float, float]:
    """The background colour."""
    red, green, blue = toolkit("colors").to_rgb(ax.get_facecolor())
    return red, green, blue


def halo(ax: "Axes") -> list[Any]:
    """The outline of text that may cover a line."""
    return [toolkit("patheffects").withStroke(linewidth=2.5, foreground=background(ax))]


def rgb(colour: str) -> FloatArray:
    """Red, green and blue, from 0 to 1."""
    return np.array(toolkit("colors").to_rgb(colour))


def lines(ax: "Axes", x: FloatArray, labels: Sequence[str], curves: Sequence[FloatArray]) -> None:
    """Draw one line per curve, each with its own style."""
    for label, y, style in zip(labels, curves, class_styles(len(labels)), strict=True):
        ax.plot(x, y, color=style.colour, linestyle=style.line, linewidth=2, label=label)


def largest(size: AnyArray, most: int) -> list[int]:
    """The indices of the largest values, in ascending order.

    >>> largest(np.array([5, 1, 7, 3]), 2)
    [0, 2]
    """
    return sorted(np.argsort(-size, kind="stable")[:most].tolist())


def others(total: int, shown: int, what: str) -> str:
    """A note on omitted items, such as "144 other classes"; empty if there are none.

    >>> others(150, 6, "classes"), others(2, 6, "classes")
    ('144 other classes', '')
    """
    return f"{total - shown:,} other {what}" if total > shown else ""


def legend(ax: "Axes", loc: Literal["best", "center right"] = "best") -> None:
    """Add a legend: inside the frame if there are few entries, else beside it."""
    entries = ax.get_legend_handles_labels()[1]
    if len(entries) > _MAX_ENTRIES_INSIDE or max(map(len, entries), default=0) > _MAX_ENTRY_LENGTH:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
    elif entries:
        ax.legend(loc=loc)


def panels(ax: "Axes", rows: int, columns: int, *, gap: tuple[float, float] = (0.08, 0.2)) -> "list[Axes]":
    """Inset axes in a grid, row by row; the frame of ``ax`` is hidden. ``gap`` is a share of a panel."""
    ax.set_axis_off()
    width, height = 1.0 / (columns + gap[0] * (columns - 1)), 1.0 / (rows + gap[1] * (rows - 1))
    return [
        ax.inset_axes((j * width * (1 + gap[0]), 1.0 - height - i * height * (1 + gap[1]), width, height))
        for i in range(rows)
        for j in range(columns)
    ]


def name(value: Any, most: int = 24) -> str:
    """A label as one line of literal text, truncated if too long.

    Dollars are escaped, since matplotlib interprets them as formulas; it omits labels with a leading underscore from legends.
    """
    text = " ".join(str(value).split()) or "(empty)"
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def names(values: Iterable[Any]) -> list[str]:
    """Labels of one picture; those with the same truncated text are truncated in the middle instead.

    >>> names(["balance_not_updated_after_transfer", "balance_not_updated_after_deposit"])
    ['balance_not…ter_transfer', 'balance_not…fter_deposit']
    """
    every = list(values)
    texts = [name(value) for value in every]
    count = Counter(texts)
    return [text if count[text] == 1 else _without_middle(value) for text, value in zip(texts, every, strict=True)]


def _without_middle(value: Any, head: int = 11, tail: int = 12) -> str:
    text = " ".join(str(value).split())
    return name(text if len(text) <= head + tail + 1 else f"{text[:head]}…{text[-tail:]}")


def percent(share: float) -> str:
    """A share as a whole percentage; small shares are not rounded to zero.

    >>> percent(0.126), percent(0.004), percent(0.0)
    ('13%', '<1%', '0%')
    """
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


def thousands(axis: Any) -> None:
    """Separate the thousands of the numbers at an axis."""
    axis.set_major_formatter(toolkit("ticker").FuncFormatter(lambda value, _: f"{value:,.10g}"))
