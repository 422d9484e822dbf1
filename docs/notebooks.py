"""mkdocs hook: converts the pages of the course to notebooks.

A cell ends at the first output, which is that of the page. Solutions are collapsed: text by ``<details>``, code and output
by the cell metadata of JupyterLab. Plots, interactive figures and links to other pages are omitted.
"""

import ast
import json
import re
from collections.abc import Iterator
from doctest import DocTestParser, Example
from pathlib import Path
from typing import Any

FOLDER = "course"
_FENCE = re.compile(r"^```(python|console)\n(.*?)\n*^```$", re.M | re.S)
_LEFT_OUT = re.compile(r"^!\[.*\]\(images/.*\)$|^<figure .*?</figure>$", re.M | re.S)
_HEADING_ID = re.compile(r"^(#+ .*?) *\{ *#[\w-]+ *\}$", re.M)
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https:)[^)\s]+\)")
_SOLUTION = re.compile(r'<details markdown="1">\s*<summary>Solution</summary>(.*?)</details>', re.S)
_HIDDEN = {"jupyter": {"source_hidden": True, "outputs_hidden": True}}
_COMMAND = re.compile(r"^\$ (.*)\n?((?:(?!\$ ).*\n?)*)", re.M)


def notebook(markdown: str) -> dict[str, Any]:
    """The notebook of a page, in version 4.5 of the format."""
    cells = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(_cells(markdown))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cells(markdown: str) -> Iterator[dict[str, Any]]:
    pieces = _SOLUTION.split(markdown)  # outside, inside, outside, …
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            yield from _piece(piece)
            continue
        yield _code("# your answer")
        for cell in _piece(piece):
            if cell["cell_type"] == "markdown":
                folded = f"<details><summary>Solution</summary>\n\n{cell['source']}\n\n</details>"
                yield {**cell, "source": folded}
            else:
                yield {**cell, "metadata": _HIDDEN}


def _piece(markdown: str) -> Iterator[dict[str, Any]]:
    end = 0
    for fence in _FENCE.finditer(markdown):
        yield from _prose(markdown[end : fence.start()])
        yield from (_session if fence[1] == "python" else _console)(fence[2])
        end = fence.end()
    yield from _prose(markdown[end:])


def _prose(markdown: str) -> Iterator[dict[str, Any]]:
    text = _LINK.sub(r"\1", _HEADING_ID.sub(r"\1", _LEFT_OUT.sub("", markdown))).strip()
    if text:
        yield {"cell_type": "markdown", "metadata": {}, "source": text}


def _session(block: str) -> Iterator[dict[str, Any]]:
    lines: list[str] = []
    for example in DocTestParser().parse(f"{block}\n"):
        if isinstance(example, Example):
            lines.append(example.source.rstrip("\n"))
            if example.want:
                yield _code("\n".join(lines), example.want)
                lines = []
    if lines:
        yield _code("\n".join(lines))


def _console(block: str) -> Iterator[dict[str, Any]]:
    for command, printed in _COMMAND.findall(block):
        yield _code(f"!{command}", printed)


def _code(source: str, printed: str = "") -> dict[str, Any]:
    outputs = [_output(source, printed.rstrip("\n"))] if printed else []
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs, "source": source}


def _output(source: str, printed: str) -> dict[str, Any]:
    if not source.startswith("!"):
        last = ast.parse(source).body[-1]
        if isinstance(last, ast.Expr) and not ast.unparse(last).startswith("print("):
            data = {"text/plain": printed}
            return {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}
    return {"output_type": "stream", "name": "stdout", "text": f"{printed}\n"}


def _has_notebook(page: Path) -> bool:
    return page.parent.name == FOLDER and page.name != "index.md"


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Add a link to the notebook below the title of a course page."""
    path = Path(page.file.src_uri)
    if not _has_notebook(path):
        return markdown
    title, _, rest = markdown.partition("\n")
    return f'{title}\n\n<a href="{path.stem}.ipynb" download>This page as a notebook</a>\n{rest}'


def on_post_build(config: Any, **_: Any) -> None:
    """Write the notebooks to the folder of the pages."""
    for page in sorted((Path(config["docs_dir"]) / FOLDER).glob("*.md")):
        if _has_notebook(page):
            made = json.dumps(notebook(page.read_text(encoding="utf-8")), ensure_ascii=False, indent=1)
            (Path(config["site_dir"]) / FOLDER / f"{page.stem}.ipynb").write_text(f"{made}\n", encoding="utf-8")
