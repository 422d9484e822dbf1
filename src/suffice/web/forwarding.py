"""Requests that a worker cannot answer are forwarded to the writing process through a Unix socket."""

from pathlib import Path

import httpx

from suffice.web.api.fast_path import whole_body
from suffice.web.problems import RequestError
from suffice.web.security.guard import HEADERS, Receive, Scope, Send

_OF_A_CONNECTION = {
    b"connection", b"content-length", b"expect", b"keep-alive", b"proxy-connection", b"te", b"trailer",
    b"transfer-encoding", b"upgrade",
}  # fmt: skip
_SET_HERE = {b"x-forwarded-for", b"x-forwarded-proto"}
_SET_BY_THE_GUARD = {name for name, _ in HEADERS}


class Forward:
    """ASGI application that forwards requests. The guard has limited their bodies, so these are buffered in memory."""

    def __init__(self, path: Path) -> None:
        transport = httpx.AsyncHTTPTransport(uds=str(path), limits=httpx.Limits(max_connections=None))
        self._client = httpx.AsyncClient(transport=transport, timeout=None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await whole_body(receive)
        try:
            answer = await self._client.send(self._request(scope, body), stream=True)
        except httpx.TransportError:
            raise RequestError(503, "The writer process does not respond") from None
        try:
            headers = [
                (name, value)
                for name, value in answer.headers.raw
                if name.lower() not in _SET_BY_THE_GUARD and name.lower() not in _OF_A_CONNECTION - {b"content-length"}
            ]
            await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
            async for part in answer.aiter_raw():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await answer.aclose()

    def _request(self, scope: Scope, body: bytes) -> httpx.Request:
        left_out = _OF_A_CONNECTION | _SET_HERE
        headers = [(name, value) for name, value in scope["headers"] if name not in left_out]
        headers.append((b"x-forwarded-proto", scope["scheme"].encode()))
        if scope.get("client"):
            headers.append((b"x-forwarded-for", scope["client"][0].encode()))
        target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        url = httpx.URL("http://writer").copy_with(raw_path=target)
        return self._client.build_request(scope["method"], url, headers=headers, content=body)
