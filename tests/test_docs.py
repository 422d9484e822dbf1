"""What the documents show is what happens."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert failures == 0
    assert tried > 10
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
    assert [link for link in links if not (ROOT / link).exists()] == []


PAGES = sorted((ROOT / "docs").rglob("*.md"))
EXAMPLES = [  # those of the course run as notebooks: test_course.py
    path.relative_to(ROOT / "docs").as_posix()
    for path in PAGES
    if ">>> " in path.read_text() and path.parent.name != "course"
]


def test_most_documents_have_examples():
    assert {"guide.md", "decisions.md", "evaluation.md", "plots.md", "model-file.md", "service.md"} <= set(EXAMPLES)
    concepts = {path.relative_to(ROOT / "docs").as_posix() for path in PAGES if path.parent.name == "concepts"}
    assert len(concepts) == 9
    assert concepts <= set(EXAMPLES)


@pytest.mark.parametrize("document", EXAMPLES)
def test_documents(document):
    failures, tried = doctest.testfile(str(ROOT / "docs" / document), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failures == 0


@pytest.mark.parametrize("pages", ["plots.md", "course/*.md"])
def test_pictures_of_the_pages_are_there_and_small(pages):
    """Made by docs/make_pictures.py from the code of the pages."""
    drawn = [path for page in (ROOT / "docs").glob(pages) for path in pictures(page)]
    assert sorted(drawn) == sorted(drawn[0].parent.iterdir())
    assert all(path.stat().st_size <= 60_000 for path in drawn)


def pictures(page):
    return [page.parent / link for link in re.findall(r"\]\((images/[^)]+)\)", page.read_text())]


def test_spam_filter_runs():
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "spam_filter.py"), "--demo"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "240 messages learned, bounds set by 80, 80 judged" in done.stdout
    assert "ham  → ham 4" in done.stdout


def test_demo_runs():
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py")], capture_output=True, text=True, check=True
    )
    assert "p(no) = 0.573" in done.stdout


def test_the_session_of_the_demo_runs():
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", str(ROOT / "examples" / "command_line.sh")],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert sum(line.startswith("$ suffice ") for line in said) == 6
    assert [line.partition(",")[0] for line in said if line.startswith('"') and "0." in line] == [
        '"setosa"',
        '"virginica"',
        '"virginica"',
    ]
    assert said[-3] == "back.model is written"
