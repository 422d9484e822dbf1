"""Redraw the plots of the docs by running the examples of their pages: ``python docs/make_pictures.py [PAGE ...]``.

The examples of a page are run in order. At an image link, the current figure is saved under its name.
"""

import os
import re
import sys
from doctest import DocTestParser, Example
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

DOCS = Path(__file__).resolve().parent
_LINK = re.compile(r"!\[[^\]]*\]\((images/[\w-]+\.png)\)")


def save(figure: Any, path: Path) -> None:
    """Save a figure with a palette of 256 colours, which keeps the colours of small markers (``MAXCOVERAGE``)."""
    raw = BytesIO()
    figure.savefig(raw, dpi=85)
    image = Image.open(raw).convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    path.parent.mkdir(exist_ok=True)
    image.save(path, optimize=True)


def draw(page: Path) -> None:
    names: dict[str, Any] = {}
    parts = DocTestParser().parse(page.read_text(encoding="utf-8"))
    while parts and (isinstance(parts[-1], Example) or not _LINK.search(parts[-1])):
        parts.pop()  # nothing is drawn from there on
    for part in parts:
        if isinstance(part, Example):
            exec(compile(part.source, str(page), "single"), names)
            continue
        for link in _LINK.findall(part):
            path = page.parent / link
            save(plt.gcf(), path)
            plt.close("all")
            print(f"{link}: {path.stat().st_size / 1000:.0f} kB", file=sys.stderr)


def main() -> None:
    pages = [Path(name).resolve() for name in sys.argv[1:]]
    with TemporaryDirectory() as folder:  # the examples write files
        os.chdir(folder)
        for page in pages or [DOCS / "plots.md", *sorted((DOCS / "course").glob("*.md"))]:
            draw(page.resolve())


if __name__ == "__main__":
    main()
