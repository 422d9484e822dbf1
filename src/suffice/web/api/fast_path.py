"""A fast path for the commonest requests: well-formed rows to score, explain or decide. Other requests take the slow path
through routing and validation."""

import asyncio
from typing import Any

import msgspec

from suffice.errors import SufficeError
from suffice.web.answering import Answering
from suffice.web.api.messages import Requests
from suffice.web.api.row_answers import AT_ONCE, decide_rows, explain_rows, score_rows
from suffice.web.security.guard import Application, Message, Receive, Scope, Send

_REFUSALS = (msgspec.MsgspecError, SufficeError, ValueError, RecursionError)


class FastPath:
    """ASGI middleware that answers well-formed requests about rows itself."""

    def __init__(self, app: Application, service: Answering, requests: Requests) -> None:
        self._app, self._service = app, service
        self._ways = {
            "/v1/score": (msgspec.json.Decoder(requests.rows), score_rows),
            "/v1/explain": (msgspec.json.Decoder(requests.explain), explain_rows),
            "/v1/decide": (msgspec.json.Decoder(requests.decide), decide_rows),
        }
        self._encoder = msgspec.json.Encoder()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_question = scope["type"] == "http" and scope["path"] in self._ways and scope["method"] == "POST"
        if not is_question or not scope["caller"].may("read"):
            await self._app(scope, receive, send)
            return
        body = await whole_body(receive)
        try:
            content = self._encoder.encode(await self._answer(scope["path"], body))
        except _REFUSALS:
            await self._app(scope, _again(body, receive), send)
            return
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _answer(self, path: str, body: bytes) -> Any:
        decoder, answer = self._ways[path]
        data: Any = decoder.decode(body)
        if answer is score_rows and len(data.rows) <= AT_ONCE:
            return answer(self._service, data)
        return await asyncio.to_thread(answer, self._service, data)


async def whole_body(receive: Receive) -> bytes:
    """The complete body of a request."""
    message = await receive()
    if not message.get("more_body"):
        body: bytes = message.get("body", b"")
        return body
    parts = [message.get("body", b"")]
    while message.get("more_body"):
        message = await receive()
        parts.append(message.get("body", b""))
    return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that replays the body, then continues with the original one."""
    done = False

    async def once() -> Message:
        nonlocal done
        if done:
            return await receive()
        done = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once
