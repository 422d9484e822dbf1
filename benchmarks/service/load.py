"""A load: some connections, each sending the next request after its response. Bounded in time; loopback only."""

import asyncio
import time
from dataclasses import dataclass, field


@dataclass
class Outcome:
    """Responses by status, and their latencies."""

    statuses: dict[int, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    elapsed: float = 0.0

    @property
    def throughput(self) -> float:
        return len(self.seconds) / self.elapsed

    def add(self, other: "Outcome") -> None:
        self.seconds += other.seconds
        self.elapsed += other.elapsed
        for status, n in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + n

    def percentile(self, share: float) -> float:
        return sorted(self.seconds)[min(int(share * len(self.seconds)), len(self.seconds) - 1)]


class _Caller(asyncio.Protocol):
    """One connection."""

    def __init__(self, request: bytes, until: float, outcome: Outcome) -> None:
        self._request, self._until, self._outcome = request, until, outcome
        self._buffer = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def _send(self) -> None:
        self._sent = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, _, rest = self._buffer.partition(b"\r\n\r\n")
        start = head.lower().find(b"content-length: ")
        if not rest or len(rest) < int(head[start + 16 :].split(b"\r\n")[0]):
            return
        now = time.perf_counter()
        status = int(head[9:12])
        self._outcome.statuses[status] = self._outcome.statuses.get(status, 0) + 1
        self._outcome.seconds.append(now - self._sent)
        self._buffer = b""
        if now < self._until:
            self._send()
        else:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.done.set_result(None)


async def load(port: int, path: str, body: bytes, seconds: float, connections: int) -> Outcome:
    """What comes of it."""
    kind = "Content-Type: application/json"
    lines = (f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", kind, f"Content-Length: {len(body)}", "", "")
    head = "\r\n".join(lines)
    outcome, started = Outcome(), time.perf_counter()
    callers = []
    for _ in range(connections):
        _, caller = await asyncio.get_running_loop().create_connection(
            lambda: _Caller(head.encode() + body, started + seconds, outcome), "127.0.0.1", port
        )
        callers.append(caller.done)
    await asyncio.gather(*callers)
    outcome.elapsed = time.perf_counter() - started
    return outcome
