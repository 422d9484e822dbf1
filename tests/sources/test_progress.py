"""Long work shows how far it is on a terminal, and writes nothing anywhere else."""

import os
import pty
import re
import subprocess
import sys

import pytest

WORK = """
import time
from suffice import BayesClassifier

def letters():
    for i in range({batches}):
        time.sleep({pause})
        yield [{{"text": word, "label": kind}} for word, kind in [("milk tea", "tea"), ("salt sea", "sea")] * 5]

BayesClassifier().fit(letters, "label")
"""


def run(batches, pause):
    """What the program writes to a terminal."""
    ours, its = pty.openpty()
    code = WORK.format(batches=batches, pause=pause)
    program = subprocess.Popen([sys.executable, "-c", code], stderr=its, stdout=subprocess.PIPE)
    os.close(its)
    written = b""
    while True:
        try:
            some = os.read(ours, 1 << 16)
        except OSError:  # the program has gone
            some = b""
        if not some:
            break
        written += some
    os.close(ours)
    assert program.wait(60) == 0
    return written.decode()


@pytest.mark.skipif(not hasattr(pty, "openpty"), reason="this system has no pseudo-terminals")
def test_a_long_walk_shows_rows_and_speed_and_wipes_the_line():
    written = run(12, 0.15)
    assert re.search(r"\d+ rows, [\d,]+ rows/s", written)
    assert written.endswith(" \r")


@pytest.mark.skipif(not hasattr(pty, "openpty"), reason="this system has no pseudo-terminals")
def test_a_short_one_is_quiet():
    assert run(2, 0.0) == ""


def test_a_file_gets_nothing(tmp_path):
    with open(tmp_path / "errors", "w+b") as errors:
        subprocess.run([sys.executable, "-c", WORK.format(batches=10, pause=0.13)], stderr=errors, check=True)
        errors.seek(0)
        assert errors.read() == b""
