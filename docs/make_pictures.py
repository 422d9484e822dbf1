"""Draw the pictures of pictures.md by running the code that the page shows: ``python docs/make_pictures.py``.

The examples are run in order. A link to a picture saves the one that was drawn last under that name.
"""

import re
import sys
from doctest import DocTestParser, Example
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

PAGE = Path(__file__).with_name("pictures.md")
_LINK = re.compile(r"!\[[^\]]*\]\((images/[\w-]+\.png)\)")


def save(figure: Any, path: Path) -> None:
    """As a small file: a palette of colours is enough for all but photographs."""
    raw = BytesIO()
    figure.savefig(raw, dpi=85)
    image = Image.open(raw).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    path.parent.mkdir(exist_ok=True)
    image.save(path, optimize=True)


def main() -> None:
    names: dict[str, Any] = {}
    for part in DocTestParser().parse(PAGE.read_text(encoding="utf-8")):
        if isinstance(part, Example):
            exec(compile(part.source, str(PAGE), "single"), names)
            continue
        for link in _LINK.findall(part):
            path = PAGE.parent / link
            save(plt.gcf(), path)
            plt.close("all")
            print(f"{link}: {path.stat().st_size / 1000:.0f} kB", file=sys.stderr)


if __name__ == "__main__":
    main()
