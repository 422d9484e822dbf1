"""Requests that a worker cannot answer are forwarded to the writing process through a Unix socket."""

from pathlib import Path

import httpx

from suffice.web.api.bodies import read_body
from suffice.web.problems import RequestError
from suffice.web.security.guard import HEADERS, Receive, Scope, Send

_HOP_BY_HOP_HEADERS = {
    b"connection", b"content-length", b"expect", b"keep-alive", b"proxy-connection", b"te", b"trailer",
    b"transfer-encoding", b"upgrade",
}  # fmt: skip
_FORWARDED_HEADERS = {b"x-forwarded-for", b"x-forwarded-proto"}
_GUARD_HEADERS = {name for name, _ in HEADERS}


class Forward:
    """ASGI application that forwards requests. Their bodies are buffered in memory, since the guard limits their size."""

    def __init__(self, path: Path) -> None:
        transport = httpx.AsyncHTTPTransport(uds=str(path), verify=False, limits=httpx.Limits(max_connections=None))
        self._client = httpx.AsyncClient(transport=transport, timeout=None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await read_body(receive)
        try:
            answer = await self._client.send(self._request(scope, body), stream=True)
        except httpx.TransportError:
            raise RequestError(503, "The writing process does not respond") from None
        try:
            headers = [
                (name, value)
                for name, value in answer.headers.raw
                if name.lower() not in _GUARD_HEADERS and name.lower() not in _HOP_BY_HOP_HEADERS - {b"content-length"}
            ]
            await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
            async for part in answer.aiter_raw():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await answer.aclose()

    def _request(self, scope: Scope, body: bytes) -> httpx.Request:
        left_out = _HOP_BY_HOP_HEADERS | _FORWARDED_HEADERS
        headers = [(name, value) for name, value in scope["headers"] if name not in left_out]
        headers.append((b"x-forwarded-proto", scope["scheme"].encode()))
        if scope.get("client"):
            headers.append((b"x-forwarded-for", scope["client"][0].encode()))
        target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        url = httpx.URL("http://writer").copy_with(raw_path=target)
        return self._client.build_request(scope["method"], url, headers=headers, content=body)
