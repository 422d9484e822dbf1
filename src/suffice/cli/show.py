"""Printing of a summary, as tables or as JSON."""

import sys
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from suffice.cli.json_output import as_json_text

S = TypeVar("S")
_DEFAULT_WIDTH = 100  # characters, if the output is not a terminal


def show(summary: S, as_json: bool, draw: Callable[["Page", S], None]) -> None:
    """Print a summary."""
    if as_json:
        print_json(summary)
        return
    draw(Page(), summary)


def print_json(summary: Any) -> None:
    """Print a summary as JSON with the version of its schema; infinities and NaN are null."""
    sys.stdout.write(as_json_text(summary, indent=2) + "\n")


class Page:
    """Prints headings, lines and tables to the terminal, in order."""

    def __init__(self) -> None:
        width = get_terminal_size((_DEFAULT_WIDTH, 24)).columns
        self._console = Console(
            file=sys.stdout, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False
        )

    @property
    def width(self) -> int:
        """Characters of a line."""
        return self._console.width

    def heading(self, text: str) -> None:
        self._console.print(Text(f"\n{text}", style="bold"))

    def line(self, text: str, style: str = "") -> None:
        self._console.print(
            Text(visible(text), style=style), soft_wrap=True
        )  # commands are not wrapped, so that they can be copied

    def warning(self, text: str) -> None:
        self.line(f"! {text}", style="yellow")

    def table(self, headers: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[int] = ()) -> None:
        """Print a table; columns in ``right`` are right-aligned."""
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
        for i, header in enumerate(headers):
            table.add_column(Text(header), justify="right" if i in right else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(visible(cell)) for cell in row))
        with self._console.capture() as drawn:
            self._console.print(table)
        for line in drawn.get().splitlines():
            self._console.file.write(f"{line.rstrip()}\n")


def visible(value: object) -> str:
    """Text with control characters escaped, since they could move the cursor."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in str(value))


def score(value: float, error: float | None = None, digits: int = 4, between: str = " ± ") -> str:
    """0.1234 ± 0.0056"""
    text = f"{value:.{digits}f}"
    return text if error is None else f"{text}{between}{error:.{digits}f}"
