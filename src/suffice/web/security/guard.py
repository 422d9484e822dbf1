"""The guard: checks of host, origin, caller, size, time and concurrency before any other processing."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

from suffice.web import problems
from suffice.web.metrics import Metrics
from suffice.web.problems import RequestError
from suffice.web.security import access_log
from suffice.web.security.access import Access
from suffice.web.security.paths import routed
from suffice.web.security.roles import no_token
from suffice.web.settings import Settings

_log = logging.getLogger("suffice.web")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = [
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
_LOGIN = ("POST", "/login")
_LOGIN_BYTES, _LOGIN_SECONDS, _LOGINS = 1 << 13, 5.0, 8


@dataclass
class _Limit:
    """Limits on size, time and concurrency, and the number of requests in flight."""

    max_bytes: int
    max_seconds: float
    max_requests: int
    in_flight: int = 0


class Guard:
    """ASGI middleware that enforces limits and authenticates. The caller is stored in ``scope["caller"]``.

    Callers without a token are rejected before their body is read, except at the login, which has separate, lower limits.
    """

    def __init__(self, app: Application, settings: Settings, access: Access, metrics: Metrics) -> None:
        self._app, self._access, self._metrics = app, access, metrics
        self._hosts = settings.hosts
        size, seconds, count = settings.max_bytes, settings.max_seconds, settings.max_requests
        self._limit = _Limit(size, seconds, count)
        self._own_limits = {
            _LOGIN: _Limit(min(size, _LOGIN_BYTES), min(seconds, _LOGIN_SECONDS), min(count, _LOGINS)),
            ("GET", "/health"): _Limit(size, seconds, count),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        if b"%" in scope.get("raw_path", b""):
            scope["path"] = routed(scope["raw_path"])
        limit = self._own_limits.get((scope["method"], scope["path"]), self._limit)
        answer, body = _Response(send), _Body(receive, limit.max_bytes)
        started = time.perf_counter()
        try:
            headers = dict(scope["headers"])
            self._check(scope, headers, limit)
            if self._may_send(scope, headers):
                await self._admit(scope, body.receive, answer, limit)
            elif _is_page(scope["path"]):
                await answer.redirect("/login")
            else:
                raise no_token()
        except RequestError as problem:
            await answer.refuse(problem)
        except TimeoutError:
            late = f"longer than {limit.max_seconds:g} seconds"
            await answer.refuse(
                RequestError(408, f"The body took {late}", "body")
                if body.awaited
                else RequestError(503, f"The answer took {late}")
            )
        except Exception:
            _log.exception("A request failed")
            await answer.refuse(RequestError(500, "The error is in the log of the service"))
        finally:
            seconds = time.perf_counter() - started
            self._metrics.request(_known(scope["method"]), answer.status, seconds)
            access_log.record(scope, scope.get("caller"), answer.status, seconds)

    async def _admit(self, scope: Scope, receive: Receive, answer: "_Response", limit: _Limit) -> None:
        if limit.in_flight >= limit.max_requests:
            raise RequestError(503, f"{limit.in_flight} requests are in progress; try again in a second")
        limit.in_flight += 1
        try:
            async with asyncio.timeout(limit.max_seconds):
                await self._app(scope, receive, answer.send)
        finally:
            limit.in_flight -= 1

    def _check(self, scope: Scope, headers: Mapping[bytes, bytes], limit: _Limit) -> None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host.rsplit(":", 1)[0] not in self._hosts and host not in self._hosts:
            raise RequestError(421, "This host name is not allowed", "host")
        if scope["method"] not in _SAFE and _is_foreign(host, headers):
            raise RequestError(403, "The request comes from a page of another site", "origin")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > limit.max_bytes:
            raise _too_large(limit.max_bytes)

    def _may_send(self, scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
        """Whether the caller may send a body. Routes define what may be read without a token."""
        method, path = scope["method"], scope["path"]
        caller = scope["caller"] = self._access.caller(headers, page=_is_page(path))
        return caller.role is not None or method in _SAFE or (method, path) == _LOGIN


class _Response:
    """The response, with the headers common to all responses."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *HEADERS]
        await self._send(message)

    async def refuse(self, problem: RequestError) -> None:
        if self.status:  # the response has started, so no error can be sent
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

    async def redirect(self, path: str) -> None:
        headers = [(b"location", path.encode()), (b"content-length", b"0")]
        await self.send({"type": "http.response.start", "status": 303, "headers": headers})
        await self._send({"type": "http.response.body", "body": b""})


class _Body:
    """The request body, up to a size."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most, self._got = receive, most, 0
        self.awaited = False

    async def receive(self) -> Message:
        self.awaited = True
        message = await self._receive()
        self.awaited = False
        self._got += len(message.get("body", b""))
        if self._got > self._most:
            raise _too_large(self._most)
        return message


def _is_page(path: str) -> bool:
    return not path.startswith(("/v1/", "/metrics"))


def _too_large(most: int) -> RequestError:
    return RequestError(413, f"The body is longer than {most:,} bytes", "body")


def _is_foreign(host: str, headers: Mapping[bytes, bytes]) -> bool:
    """Whether a browser sent the request from a page of another origin. Other clients send neither header."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    return origin is not None and origin.decode("latin-1").lower().partition("://")[2] != host


def _known(method: str) -> str:
    return method if method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS") else "other"
