"""``python -m benchmarks.service [seconds]``: throughput and p99 of both, processor time per request, and the memory
growth of ours."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.service.jobs import Job, numbers, table
from benchmarks.service.load import Outcome, load

_CONNECTIONS = 16
_TURN = 5.0  # seconds
SERVE = ["-c", "from suffice.cli import main; main()", "serve"]


@contextmanager
def running(command: list[str], port: int) -> Iterator[int]:
    """The id of a listening process."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def memory(pid: int) -> float:
    """MiB in use."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def processor_seconds(pid: int) -> float:
    """Processor time of a process, independent of other load."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Side:
    """A service under load, a turn at a time."""

    what: str
    pid: int
    port: int
    path: str
    body: bytes
    outcome: Outcome = field(default_factory=Outcome)
    processor: float = 0.0

    def turn(self, seconds: float) -> Outcome:
        before = processor_seconds(self.pid)
        found = asyncio.run(load(self.port, self.path, self.body, seconds, _CONNECTIONS))
        self.processor += processor_seconds(self.pid) - before
        return found

    def line(self) -> str:
        found = self.outcome
        p50, p99, each = 1e3 * found.percentile(0.5), 1e3 * found.percentile(0.99), 1e6 * self.each
        statuses = ", ".join(f"{n} × {status}" for status, n in sorted(found.statuses.items()))
        return (
            f"{self.what:32s} {found.throughput:7.0f} /s   p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   "
            f"{each:5.0f} µs of processor each   {statuses}"
        )

    @property
    def each(self) -> float:
        return self.processor / len(self.outcome.seconds)


def race(job: Job, folder: Path, seconds: float) -> None:
    """Both run at once, loaded in turns, so that noise of the machine affects both."""
    one, other = free_port(), free_port()
    peer = ["-m", "benchmarks.service.peer", f"{folder}/{job.name}.pickle", str(one), json.dumps(job.columns)]
    with (
        running(peer, one) as peer_pid,
        running([*SERVE, f"{folder}/{job.name}.suffice", "--port", str(other)], other) as pid,
    ):
        theirs = Side(f"{job.name}: FastAPI + scikit-learn", peer_pid, one, "/score", json.dumps(job.row).encode())
        ours = Side(f"{job.name}: suffice", pid, other, "/v1/score", json.dumps({"rows": [job.row]}).encode())
        for side in (theirs, ours):
            side.turn(1.0)
            side.processor = 0.0
        before, turns = memory(pid), max(1, round(seconds / _TURN))
        for _ in range(turns):
            for side in (theirs, ours):
                side.outcome.add(side.turn(seconds / turns))
        growth = memory(pid) / before - 1
    print(f"{theirs.line()}\n{ours.line()}")
    throughput, processor = ours.outcome.throughput / theirs.outcome.throughput, theirs.each / ours.each
    print(
        f"{throughput:.1f}× the throughput (bar: 3×), {processor:.1f}× less processor; memory {100 * growth:+.1f} %",
        flush=True,
    )


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    with tempfile.TemporaryDirectory() as folder:
        for make in (numbers, table):
            race(make(Path(folder)), Path(folder), seconds)


if __name__ == "__main__":
    main()
