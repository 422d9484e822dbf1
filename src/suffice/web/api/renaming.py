"""Bodies with odd names of columns (``suffice.web.odd_names``): renamed as they come in, and the OpenAPI document as it goes
out. A model without such columns does not come here.
"""

from collections.abc import Mapping

import msgspec

from suffice.web.odd_names import OUTER, renamed
from suffice.web.security.guard import Application, Message, Receive, Scope, Send


class OddNames:
    """ASGI middleware: the application behind it receives inner names only."""

    def __init__(self, app: Application, names: Mapping[str, str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if path == "/v1/openapi.json":
            send = _outer(send)
        elif path.startswith("/v1/") and scope["method"] in ("POST", "PUT"):
            body = self._inner(await _whole(receive))
            others = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
            scope["headers"] = [*others, (b"content-length", str(len(body)).encode())]
            receive = _replayed(body, receive)
        await self._app(scope, receive, send)

    def _inner(self, body: bytes) -> bytes:
        try:
            return msgspec.json.encode(renamed(msgspec.json.decode(body), self._names))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return body  # the inner application refuses it with the reason


async def _whole(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _replayed(body: bytes, receive: Receive) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _outer(send: Send) -> Send:
    held: list[Message] = []

    async def hold(message: Message) -> None:
        held.append(message)
        if message["type"] == "http.response.start" or message.get("more_body", False):
            return
        text = b"".join(part.get("body", b"") for part in held).decode()
        for inner, code in OUTER.items():
            text = text.replace(chr(inner), msgspec.json.encode(chr(code)).decode()[1:-1])
        body, start = text.encode(), held[0]
        others = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        await send({**start, "headers": [*others, (b"content-length", str(len(body)).encode())]})
        await send({"type": "http.response.body", "body": body})

    return hold
