"""A short way for the commonest request: a few well-formed rows to score. Whatever is not that goes the long way, through
routing and validation, and is answered or refused there."""

import msgspec

from suffice.errors import SufficeError
from suffice.web.api.messages import Requests
from suffice.web.api.scoring import AT_ONCE, score_rows
from suffice.web.security.guard import Application, Message, Receive, Scope, Send
from suffice.web.service import Service


class ShortWay:
    """Answers POST /v1/score itself where it can."""

    def __init__(self, app: Application, service: Service, requests: Requests) -> None:
        self._app, self._service = app, service
        self._decoder = msgspec.json.Decoder(requests.rows)
        self._encoder = msgspec.json.Encoder()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_score = scope["type"] == "http" and scope["path"] == "/v1/score" and scope["method"] == "POST"
        if not is_score or not scope["caller"].may("read"):
            await self._app(scope, receive, send)
            return
        body = await _whole(receive)
        content = self._answer(body)
        if content is None:
            await self._app(scope, _again(body, receive), send)
            return
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    def _answer(self, body: bytes) -> bytes | None:
        try:
            rows = self._decoder.decode(body).rows
            return self._encoder.encode(score_rows(self._service, rows)) if len(rows) <= AT_ONCE else None
        except (msgspec.MsgspecError, SufficeError, ValueError, RecursionError):
            return None


async def _whole(receive: Receive) -> bytes:
    message = await receive()
    if not message.get("more_body"):
        return message.get("body", b"")  # type: ignore[no-any-return]
    parts = [message.get("body", b"")]
    while message.get("more_body"):
        message = await receive()
        parts.append(message.get("body", b""))
    return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """The body once more, then whatever else comes."""
    done = False

    async def once() -> Message:
        nonlocal done
        if done:
            return await receive()
        done = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once
