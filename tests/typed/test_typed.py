"""The package as type checkers see it from outside, installed: what is right passes, what is wrong is reported."""

import importlib.resources
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def reported(command: list[str], folder: Path) -> str:
    """What a checker prints of both scripts, away from this repository's settings."""
    paths = [str(HERE / "uses.py"), str(HERE / "mistakes.py")]
    return subprocess.run(
        [sys.executable, "-m", *command, *paths], cwd=folder, capture_output=True, text=True, check=False
    ).stdout


@pytest.fixture(scope="module")
def by_mypy(tmp_path_factory, pytestconfig) -> set[tuple[str, int]]:
    folder, cache = tmp_path_factory.mktemp("mypy"), pytestconfig.cache.mkdir("mypy")
    printed = reported(["mypy", "--strict", "--config-file=", "--no-error-summary", f"--cache-dir={cache}"], folder)
    return {(Path(path).name, int(line)) for path, line in re.findall(r"^(.+):(\d+): error:", printed, re.MULTILINE)}


@pytest.fixture(scope="module")
def by_pyright(tmp_path_factory) -> set[tuple[str, int]]:
    folder = tmp_path_factory.mktemp("pyright")
    printed = json.loads(reported(["pyright", "--outputjson", f"--pythonpath={sys.executable}"], folder))
    return {(Path(found["file"]).name, found["range"]["start"]["line"] + 1) for found in printed["generalDiagnostics"]}


def marked(pattern: str) -> set[tuple[str, int]]:
    lines = (HERE / "mistakes.py").read_text().splitlines()
    return {("mistakes.py", number) for number, line in enumerate(lines, 1) if re.search(pattern, line)}


def test_mypy_reports_the_mistakes_and_nothing_else(by_mypy):
    assert by_mypy == marked("# mistake$")


def test_pyright_reports_the_mistakes_and_nothing_else(by_pyright):
    assert by_pyright == marked("# mistake")


def test_what_passes_runs(capsys):
    runpy.run_path(str(HERE / "uses.py"))
    assert "missing_columns" in capsys.readouterr().out


def test_the_package_says_that_it_is_typed():
    assert (importlib.resources.files("suffice") / "py.typed").is_file()
