"""A fast path for the most frequent requests: well-formed rows to score, explain or decide. Other requests go through routing
and validation."""

import asyncio
from typing import Any

import msgspec

from suffice.errors import SufficeError
from suffice.web.api.bodies import read_body, replay
from suffice.web.api.messages import Requests
from suffice.web.api.row_scoring import INLINE_ROWS, decide_rows, explain_rows, score_rows
from suffice.web.model_context import ModelContext
from suffice.web.security.guard import Application, Receive, Scope, Send

_INVALID_REQUEST = (msgspec.MsgspecError, SufficeError, ValueError, RecursionError)


class FastPath:
    """ASGI middleware that answers well-formed scoring requests itself."""

    def __init__(self, app: Application, service: ModelContext, requests: Requests) -> None:
        self._app, self._service = app, service
        self._endpoints = {
            "/v1/score": (msgspec.json.Decoder(requests.rows), score_rows),
            "/v1/explain": (msgspec.json.Decoder(requests.explain), explain_rows),
            "/v1/decide": (msgspec.json.Decoder(requests.decide), decide_rows),
        }
        self._encoder = msgspec.json.Encoder()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_scoring = scope["type"] == "http" and scope["path"] in self._endpoints and scope["method"] == "POST"
        if not is_scoring or not scope["caller"].may("read"):
            await self._app(scope, receive, send)
            return
        body = await read_body(receive)
        try:
            content = self._encoder.encode(await self._answer(scope["path"], body))
        except _INVALID_REQUEST:
            await self._app(scope, replay(body, receive), send)
            return
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _answer(self, path: str, body: bytes) -> Any:
        decoder, answer = self._endpoints[path]
        data: Any = decoder.decode(body)
        if answer is score_rows and len(data.rows) <= INLINE_ROWS:
            return answer(self._service, data)
        return await asyncio.to_thread(answer, self._service, data)
