"""Wall-clock time of the program from call to answer."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.race import Result

_PROGRAM = "import sys; sys.argv[0] = 'suffice'; from suffice.cli import main; main()"
_LINES = [f"{i % 7}.5,{i % 3},{'red' if i % 2 else 'white'},{'ab'[i % 7 > 3]}" for i in range(200)]
_LEAST = "import numpy, pyarrow"
_AS_INSTALLED = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # modules are compiled once
_LEARN = "import suffice; suffice.BayesClassifier().fit('rows.csv', 'kind').save('rows.model')"


def start_times() -> list[Result]:
    """Best of several calls, beside a Python that only imports numpy (and Arrow, where rows are read)."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "rows.csv").write_text("\n".join(["length,width,colour,kind", *_LINES]) + "\n")
        subprocess.run([sys.executable, "-c", _LEARN], cwd=folder, check=True)
        wanted = [
            ("suffice --help", ["--help"], "pass", "< 150 ms"),
            ("suffice train --help", ["train", "--help"], "pass", "< 150 ms"),
            (
                "suffice predict, to the first answers",
                ["predict", "rows.model", "rows.csv"],
                _LEAST,
                "< 300 ms",
            ),
            ("suffice inspect", ["inspect", "rows.model"], _LEAST, ""),
        ]
        results = []
        for what, words, beside, bar in wanted:
            ours = _best([sys.executable, "-c", _PROGRAM, *words], folder)
            theirs = _best([sys.executable, "-c", beside], folder)
            results.append(Result(f"{what} (beside python: {beside})", ours, theirs, bar))
            print(results[-1].line(), flush=True)
        return results


def _best(command: list[str], folder: str, calls: int = 7) -> float:
    """Time to the first line of output."""
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        with subprocess.Popen(command, cwd=folder, env=_AS_INSTALLED, stdout=subprocess.PIPE) as program:
            assert program.stdout is not None
            program.stdout.readline()
            times.append(time.perf_counter() - start)
            program.stdout.read()
    return min(times)
