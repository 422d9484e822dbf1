"""How classes look in every picture: colours that colour-blind people tell apart, and never colour alone.

The palette is that of Okabe and Ito without yellow and black, which vanish on white and on black paper. Text, axes and
reference lines take matplotlib's present style, so pictures follow a dark one.
"""

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.errors import MissingPackageError
from suffice.numerics.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#56B4E9", "#E69F00", "#CC79A7", "#808080")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_HATCHES = ("", "///", "...", "xxx", "\\\\\\", "ooo", "---", "+++")
_LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1.5, 1, 1.5, 1, 1.5)))


@dataclass(frozen=True)
class Look:
    """Of one class, or one curve."""

    colour: str
    marker: str
    line: Any
    hatch: str


def looks(n: int) -> tuple[Look, ...]:
    """One a class; colours, markers and lines come round at 7, 8 and 5, so that 280 differ in some way."""
    kinds: tuple[Sequence[Any], ...] = (COLOURS, _MARKERS, _LINES, _HATCHES)
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
    """The colour behind a picture."""
    red, green, blue = toolkit("colors").to_rgb(ax.get_facecolor())
    return red, green, blue


def halo(ax: "Axes") -> list[Any]:
    """Around text that may lie on a line."""
    return [toolkit("patheffects").withStroke(linewidth=2.5, foreground=paper(ax))]


def rgb(colour: str) -> FloatArray:
    """Red, green and blue, from 0 to 1."""
    return np.array(toolkit("colors").to_rgb(colour))


def lines(ax: "Axes", x: FloatArray, labels: Sequence[str], curves: Sequence[FloatArray]) -> None:
    """One line a curve, each with a look of its own."""
    for label, y, look in zip(labels, curves, looks(len(labels)), strict=True):
        ax.plot(x, y, color=look.colour, linestyle=look.line, linewidth=2, label=label)


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
    """A label as one line of text that is shown as it is, cut where it would not fit.

    Matplotlib reads formulas between dollars, and leaves what begins with an underscore out of legends.
    """
    text = " ".join(str(value).split()) or "(empty)"
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def names(values: Iterable[Any]) -> list[str]:
    """Labels, one by one."""
    return [name(value) for value in values]
