"""The door: hosts, origins, callers, sizes, time and how many at once. It stands before everything else."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from suffice.web import problems
from suffice.web.metrics import Metrics
from suffice.web.problems import Problem
from suffice.web.security.access import Access, Caller
from suffice.web.settings import Settings

_log = logging.getLogger("suffice.web")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """An application behind its limits. The caller is left in ``scope["caller"]``."""

    def __init__(self, app: Application, settings: Settings, access: Access, metrics: Metrics) -> None:
        self._app, self._settings, self._access, self._metrics = app, settings, access, metrics
        self._hosts = settings.hosts
        self._in_flight = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        started = time.perf_counter()
        try:
            headers = dict(scope["headers"])
            self._check(scope, headers)
            scope["caller"] = self._caller(scope["path"], headers)
            await self._let_in(scope, _limited(receive, self._settings.max_bytes), answer)
        except Problem as problem:
            await answer.refuse(problem)
        except TimeoutError:
            await answer.refuse(Problem(503, f"The answer took longer than {self._settings.max_seconds:g} seconds"))
        except Exception:
            _log.exception("A request failed")
            await answer.refuse(Problem(500, "The error is in the log of the service"))
        finally:
            self._metrics.request(_known(scope["method"]), answer.status, time.perf_counter() - started)

    async def _let_in(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        if self._in_flight >= self._settings.max_requests:
            raise Problem(503, f"{self._in_flight} requests are being answered; come back in a second")
        self._in_flight += 1
        try:
            async with asyncio.timeout(self._settings.max_seconds):
                await self._app(scope, receive, answer.send)
        finally:
            self._in_flight -= 1

    def _check(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host.rsplit(":", 1)[0] not in self._hosts and host not in self._hosts:
            raise Problem(421, "This name is not among the allowed hosts", "host")
        if scope["method"] not in _SAFE and _is_foreign(host, headers):
            raise Problem(403, "The request comes from a page of another site", "origin")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._settings.max_bytes:
            raise _too_large(self._settings.max_bytes)

    def _caller(self, path: str, headers: Mapping[bytes, bytes]) -> Caller:
        return self._access.caller(headers, page=not path.startswith(("/v1/", "/metrics")))


class _Answer:
    """What goes out, with the headers every answer has."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await self._send(message)

    async def refuse(self, problem: Problem) -> None:
        if self.status:  # too late to say so
            return
        headers = [(b"content-type", problems.MEDIA_TYPE.encode())]
        if problem.status == 503:
            headers.append((b"retry-after", b"1"))
        if problem.status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        content = problems.body(problem)
        headers.append((b"content-length", str(len(content)).encode()))
        await self.send({"type": "http.response.start", "status": problem.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": content})


def _limited(receive: Receive, most: int) -> Receive:
    got = 0

    async def limited() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > most:
            raise _too_large(most)
        return message

    return limited


def _too_large(most: int) -> Problem:
    return Problem(413, f"The body is longer than {most:,} bytes", "body")


def _is_foreign(host: str, headers: Mapping[bytes, bytes]) -> bool:
    """Whether a browser sends this for a page that is not ours. Other clients send neither header."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    return origin is not None and origin.decode("latin-1").lower().partition("://")[2] != host


def _known(method: str) -> str:
    return method if method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS") else "other"
