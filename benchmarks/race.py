"""Timing two implementations in turns, so that noise of the machine affects both."""

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """Best times of both, in seconds, with the bar for their ratio."""

    what: str
    ours: float
    theirs: float
    bar: str = ""

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

    def line(self) -> str:
        return f"{self.what:58s} {_time(self.ours):>10s} {_time(self.theirs):>10s} {self.ratio:8.1f}×  {self.bar}"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def best(function: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def race(
    what: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    *,
    bar: str = "",
    rounds: int = 3,
    ours_each: int = 3,
    inner: int = 1,
) -> Result:
    """Both sides in turn, several rounds; ``inner`` calls are timed together where one is too short to time."""

    def many(function: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(inner):
                function()

        return run

    gc.disable()
    mine, other = [], []
    for _ in range(rounds):
        mine.append(best(many(ours), ours_each) / inner)
        other.append(best(many(theirs), 1) / inner)
    gc.enable()
    result = Result(what, min(mine), min(other), bar)
    print(result.line(), flush=True)
    return result


def extra_memory(setup: str, run: str) -> float:
    """Peak memory of ``run`` in a fresh process above that after ``setup``, in MiB (Linux)."""
    code = f"""
from pathlib import Path
def peak():
    return int(next(line for line in Path("/proc/self/status").open() if line.startswith("VmHWM")).split()[1])
{setup}
Path("/proc/self/clear_refs").write_text("5")  # resets the peak
before = peak()
{run}
print((peak() - before) / 1024)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)
