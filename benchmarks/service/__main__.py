"""``python -m benchmarks.service [seconds]``: throughput and p99 of either side, and how much memory ours grows."""

import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.service.jobs import Job, numbers, table
from benchmarks.service.load import Outcome, load

_CONNECTIONS = 16


@contextmanager
def running(command: list[str], port: int) -> Iterator[int]:
    """The number of a process that listens."""
    process = subprocess.Popen([sys.executable, "-m", *command])
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


def line(what: str, outcome: Outcome, more: str = "") -> None:
    p50, p99 = 1e3 * outcome.percentile(0.5), 1e3 * outcome.percentile(0.99)
    statuses = ", ".join(f"{n} × {status}" for status, n in sorted(outcome.statuses.items()))
    print(
        f"{what:34s} {outcome.throughput:8.0f} /s   p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   {statuses}{more}",
        flush=True,
    )


def race(job: Job, folder: Path, seconds: float) -> None:
    port = free_port()
    with running(["benchmarks.service.peer", f"{folder}/{job.name}.pickle", str(port), json.dumps(job.columns)], port):
        body = json.dumps(job.row).encode()
        asyncio.run(load(port, "/score", body, min(2.0, seconds), _CONNECTIONS))
        theirs = asyncio.run(load(port, "/score", body, seconds, _CONNECTIONS))
    line(f"{job.name}: FastAPI + scikit-learn", theirs)
    port = free_port()
    with running(["suffice.web", f"{folder}/{job.name}.suffice", "--port", str(port)], port) as pid:
        body = json.dumps({"rows": [job.row]}).encode()
        asyncio.run(load(port, "/v1/score", body, min(2.0, seconds), _CONNECTIONS))
        before = memory(pid)
        ours = asyncio.run(load(port, "/v1/score", body, seconds, _CONNECTIONS))
        growth = memory(pid) / before - 1
    line(f"{job.name}: suffice", ours, f"   memory {100 * growth:+.1f} %")
    print(f"{job.name}: {ours.throughput / theirs.throughput:.1f}× the throughput (bar: 3×)")


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    with tempfile.TemporaryDirectory() as folder:
        for make in (numbers, table):
            race(make(Path(folder)), Path(folder), seconds)


if __name__ == "__main__":
    main()
