"""What the page on the command line shows is what happens, but for the numbers."""

import re
import shlex
from pathlib import Path

from cli.transcripts import blocks

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"


def _shape(text):
    """Without numbers, bars and the width of columns, which hang on the machine."""
    return [
        " ".join(re.sub(r"[+-]?\d[\d,.e%]*|[█│]+", " # ", line).replace("#", " ").split()) for line in text.splitlines()
    ]


def test_transcripts(tmp_path, suffice, monkeypatch):
    """One test: each command goes on where the one before it stopped."""
    monkeypatch.chdir(tmp_path)
    for command, printed in (turn for turns in blocks(PAGE.read_text(encoding="utf-8")) for turn in turns):
        _, out, err = suffice(*shlex.split(command)[1:])
        assert _shape(out + err) == _shape(printed), command
