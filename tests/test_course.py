"""The course: its notebooks run and print what they show, and every topic of the lectures has its section."""

import ast
import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(page for page in (DOCS / "course").glob("*.md") if page.name != "index.md")

spec = importlib.util.spec_from_file_location("notebooks", DOCS / "notebooks.py")
notebooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(notebooks)


def printed_by(source, names):
    """What a cell prints: the values of its expressions, and what it writes itself."""
    if source.startswith("!"):
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            source[1:],
            shell=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PATH": path},
        ).stdout
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        exec(compile(ast.Interactive(ast.parse(source).body), "cell", "single"), names)
    return written.getvalue()


def shown_by(cell):
    return "".join(output.get("text") or output["data"]["text/plain"] for output in cell["outputs"])


def rounded(text):
    """Commands print probabilities to the last digit, which differs between processors."""
    return re.sub(r"\d+\.\d{8,}", lambda number: f"{float(number[0]):.8g}", text).rstrip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_notebook_prints_what_it_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "displayhook", sys.__displayhook__)
    names = {"__name__": "__main__"}
    for cell in notebooks.notebook(page.read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert rounded(printed_by(cell["source"], names)) == rounded(shown_by(cell)), cell["source"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_notebook_is_valid_and_whole(page):
    made = notebooks.notebook(page.read_text())
    pytest.importorskip("nbformat").validate(made)
    text = "\n".join(cell["source"] for cell in made["cells"])
    assert ">>>" not in text
    assert "<figure" not in text
    assert "](" not in text.replace("](https:", "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_five_exercises_with_solutions_that_run(page):
    exercises = page.read_text().partition("## Exercises")[2]
    assert re.findall(r"^\*\*(\d)\.\*\*", exercises, re.M) == list("12345")
    solutions = re.findall(r"<summary>Solution</summary>(.*?)</details>", exercises, re.S)
    assert len(solutions) == 5
    assert all("```python\n>>> " in solution for solution in solutions)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_notebook_folds_solutions_away(page):
    cells = notebooks.notebook(page.read_text())["cells"]
    first = next(place for place, cell in enumerate(cells) if cell["source"] == "# your answer")
    assert sum(cell["source"] == "# your answer" for cell in cells) == 5
    for cell in cells[first:]:
        if cell["cell_type"] == "markdown":
            assert cell["source"].startswith(("<details>", "**"))
        elif cell["source"] != "# your answer":
            assert cell["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
    assert all(not cell["metadata"] for cell in cells[:first])


TOPICS = {  # the sections of a page are anchors of a letter and a number
    "generative-classifiers": ("A", 15),
    "classification": ("B", 11),
    "probabilistic-classification": ("C", 10),
    "bayes-classifier": ("D", 3),
    "probabilistic-classifiers": ("E", 6),
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_topic_of_a_lecture_has_a_section(page):
    letter, count = TOPICS[page.stem]
    found = re.findall(r"^##+ .+ \{ #(\w+) \}$", page.read_text(), re.M)
    assert sorted(found) == sorted(f"{letter}{number}" for number in range(1, count + 1))
