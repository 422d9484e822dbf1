"""The program as a process: what it loads, how it is stopped, who reads it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import suffice
from suffice import Gaussian

PROGRAM = "import sys; sys.argv[0] = 'suffice'; from suffice.cli import main; main()"
HEAVY = (
    "numpy",
    "rich",
    "sklearn",
    "pandas",
    "matplotlib",
    "scipy.optimize._optimize",
    "scipy.sparse._csr",
    "scipy.special._ufuncs",
    "scipy.linalg._basic",
    "pydantic",
)
UNUSED = (
    "numpy.ma",
    "numpy.random",
    "pyarrow._compute",
    "sqlite3",
    "threadpoolctl",
    "suffice.parts.fitting",
    "suffice.families.choice",
    "suffice.families.gaussian",
    "suffice.families.multivariate_normal.family",
    "suffice.families.text.family",
    "suffice.numerics.covariances.low_rank",
    "suffice.sources.files.locate",
    "suffice.sources.memory",
    "suffice.statistics.moments",
    "suffice.statistics.word_counts",
)
"""What a model of numbers and names in a CSV file has no use for; together they took half the time to the first answer."""


LOOK = f"""
import atexit, sys
heavy = set({HEAVY + UNUSED!r}) - set(sys.modules)  # coverage, where it is measured, has loaded modules of its own
atexit.register(lambda: print(*(name for name in heavy if name in sys.modules), file=sys.stderr))
"""


def _loaded(*words):
    done = subprocess.run([sys.executable, "-c", LOOK + PROGRAM, *words], capture_output=True, text=True, check=True)
    return set(done.stderr.split()), done.stdout


def test_help_loads_nothing():
    loaded, out = _loaded("train", "--help")
    assert loaded == set()
    assert "suffice train claims.csv --target fraud -o claims.model" in out


def test_scoring_loads_no_more_than_it_needs(model, table):
    loaded, out = _loaded("predict", model, table)
    assert loaded <= {"numpy"}
    assert len(out.splitlines()) == 121


@pytest.mark.filterwarnings("ignore:Column .plant_id.")
def test_scoring_loads_the_families_that_are_in_the_file(table):
    rows = suffice.rows(table)
    suffice.BayesClassifier({"length": Gaussian()}).fit(rows, "kind").save("one.model")
    loaded, _ = _loaded("predict", "one.model", table)
    assert loaded == {"numpy", "suffice.families.gaussian", "suffice.statistics.moments"}


def test_a_reader_that_has_gone_is_no_error(model, table):
    words = [sys.executable, "-c", PROGRAM, "predict", model, *[table] * 5]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    program.stdout.close()
    assert program.stderr.read() == b""
    assert program.wait(60) == 0


def test_ctrl_c_leaves_nothing_behind(table, tmp_path):
    words = [sys.executable, "-c", PROGRAM, "train", "-", "-t", "kind", "-o", "new.model"]
    program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    program.stdin.write(b"a,kind\n")
    program.stdin.flush()
    _wait_until_reading(program.pid)
    program.send_signal(signal.SIGINT)
    assert program.wait(60) == 130
    assert program.stderr.read() == b""
    assert [p.name for p in tmp_path.iterdir()] == ["flowers.csv"]


def _wait_until_reading(pid):
    """Until the program has begun to wait for rows."""
    if not os.path.exists(f"/proc/{pid}/wchan"):
        pytest.skip("needs /proc to see what a process waits for")
    for _ in range(600):
        time.sleep(0.1)
        if "pipe" in Path(f"/proc/{pid}/wchan").read_text():
            return
    pytest.fail("the program never read its input")


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_shells_complete_verbs(shell):
    environment = {**os.environ, "_SUFFICE_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": "suffice pre"}
    environment |= {"COMP_WORDS": "suffice pre", "COMP_CWORD": "1", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment)
    assert "predict" in done.stdout
