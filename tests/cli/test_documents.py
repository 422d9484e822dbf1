"""What the page on the command line shows is what happens, but for the numbers."""

import re
import shlex
from pathlib import Path

from cli.transcripts import COLUMNS, blocks

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGE = DOCS / "command-line.md"


def _shape(text):
    """Without numbers, bars and the width of columns, which hang on the machine."""
    return [
        " ".join(re.sub(r"[+-]?\d[\d,.e%]*|[█│]+", " # ", line).replace("#", " ").split()) for line in text.splitlines()
    ]


def test_transcripts(tmp_path, suffice, monkeypatch):
    """One test: each command goes on where the one before it stopped."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", COLUMNS)
    for command, printed in (turn for turns in blocks(PAGE.read_text(encoding="utf-8")) for turn in turns):
        _, out, err = suffice(*shlex.split(command)[1:])
        assert _shape(out + err) == _shape(printed), command


def _run_quietly(page, suffice):
    """The commands of a block that leaves out what they print."""
    for command in re.search(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.S)[1].splitlines():
        code, _, err = suffice(*shlex.split(command)[1:])
        assert code == 0, err


def test_readme(tmp_path, suffice, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", COLUMNS)
    _run_quietly(ROOT / "README.md", suffice)
    ((command, printed),) = blocks((ROOT / "README.md").read_text(encoding="utf-8"))[0]
    _, out, err = suffice(*shlex.split(command)[1:])
    assert _shape(out + err) == _shape(printed)


def test_commands_of_the_quickstart(tmp_path, suffice, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _run_quietly(DOCS / "quickstart.md", suffice)
    assert len((tmp_path / "answers.csv").read_text().splitlines()) == len(
        (tmp_path / "people.csv").read_text().splitlines()
    )
    assert (tmp_path / "people.html").stat().st_size > 10_000
