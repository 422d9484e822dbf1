"""Commands in a document, and what they print. Run as a program it writes down what they print now:

python tests/cli/transcripts.py docs/command-line.md
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

_BLOCK = re.compile(r"```console\n(.*?)```", re.S)
COLUMNS = "100"  # of the screen
_PROGRAM = "import sys; sys.argv[0] = 'suffice'; from suffice.cli import main; main()"


def blocks(text):
    """[(command, what it printed)] of each block of the document."""
    return [_turns(block) for block in _BLOCK.findall(text)]


def _turns(block):
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def run(command, folder):
    """What a command prints, complaints included."""
    first, *words = shlex.split(command)
    assert first == "suffice", command
    words = [sys.executable, "-c", _PROGRAM, *words]
    wide = {**os.environ, "COLUMNS": COLUMNS}
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=wide)
    return done.stdout + done.stderr


def rewritten(text):
    """The document with what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:
        return _BLOCK.sub(
            lambda found: "```console\n" + "".join(f"$ {c}\n{run(c, folder)}" for c, _ in _turns(found[1])) + "```",
            text,
        )


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
