"""What the page on the command line shows is what happens, but for the numbers."""

import re
import shlex
from pathlib import Path

import pytest

from cli.transcripts import blocks

pytestmark = pytest.mark.xdist_group("transcript")  # each command goes on where the one before it stopped

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"


def _shape(text):
    """Without numbers, bars and the width of columns, which hang on the machine."""
    return [
        " ".join(re.sub(r"[+-]?\d[\d,.e%]*|[█│]+", " # ", line).replace("#", " ").split()) for line in text.splitlines()
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("page")


@pytest.mark.parametrize("turns", blocks(PAGE.read_text(encoding="utf-8")), ids=lambda turns: turns[0][0][:40])
def test_transcript(turns, folder, suffice, monkeypatch):
    monkeypatch.chdir(folder)
    for command, printed in turns:
        _, out, err = suffice(*shlex.split(command)[1:])
        assert _shape(out + err) == _shape(printed), command
