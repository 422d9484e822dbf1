"""``python -m benchmarks.service.together [seconds [options of suffice serve]]``: labelling under saturated scoring, and
scoring under labelling."""

import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.service.__main__ import SERVE, free_port, running
from benchmarks.service.jobs import NUMBERS, Job, table
from benchmarks.service.load import Outcome, load

_CONNECTIONS = 8


class Labeller:
    """One connection that sends one label after another."""

    def __init__(self, job: Job, port: int) -> None:
        self._job, self._port, self._count = job, port, 0
        self._dice = random.Random(0)

    async def labels(self, until: float) -> Outcome:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        outcome, started = Outcome(), time.perf_counter()
        while time.perf_counter() < until:
            self._count += 1
            label = "yes" if self._count % 2 else "no"
            row = {**self._job.row, **{name: round(self._dice.gauss(), 3) for name in NUMBERS}}
            body = json.dumps({"id": f"c{self._count}", "row": row, "label": label}).encode()
            head = f"POST /v1/learn HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
            sent = time.perf_counter()
            writer.write(head.encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length: "))
            await reader.readexactly(int(length[16:]))
            outcome.seconds.append(time.perf_counter() - sent)
            status = int(answer[9:12])
            outcome.statuses[status] = outcome.statuses.get(status, 0) + 1
        writer.close()
        outcome.elapsed = time.perf_counter() - started
        return outcome


async def measured(
    job: Job, port: int, seconds: float, labeller: Labeller | None, scoring: int
) -> tuple[Outcome, Outcome]:
    """Labels and scores."""
    until = time.perf_counter() + seconds
    body = json.dumps({"rows": [job.row]}).encode()
    labels = labeller.labels(until) if labeller is not None else _nothing()
    scores = load(port, "/v1/score", body, seconds, scoring) if scoring else _nothing()
    found = await asyncio.gather(labels, scores)
    return found[0], found[1]


async def _nothing() -> Outcome:
    return Outcome()


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    with tempfile.TemporaryDirectory() as folder:
        job, port = table(Path(folder)), free_port()
        with running([*SERVE, f"{folder}/{job.name}.suffice", "--port", str(port), *sys.argv[2:]], port):
            labeller = Labeller(job, port)
            asyncio.run(measured(job, port, 1.0, labeller, _CONNECTIONS))
            alone, _ = asyncio.run(measured(job, port, seconds, labeller, 0))
            _, scores = asyncio.run(measured(job, port, seconds, None, _CONNECTIONS))
            beside, busy = asyncio.run(measured(job, port, seconds, labeller, _CONNECTIONS))
    print(f"labels: {alone.throughput:.1f} /s alone, {beside.throughput:.1f} /s while scoring is saturated")
    slower = busy.percentile(0.99) / scores.percentile(0.99)
    print(
        f"scoring: {scores.throughput:.0f} /s, p99 {1e3 * scores.percentile(0.99):.1f} ms alone; {busy.throughput:.0f} /s, "
        f"p99 {1e3 * busy.percentile(0.99):.1f} ms while labels come ({slower:.1f}×, bar: 2×)"
    )


if __name__ == "__main__":
    main()
