"""Column names with characters that msgspec does not allow (``suffice.web.escaped_names``): escaped in request bodies,
unescaped in the OpenAPI document. Only models with such columns use it."""

from collections.abc import Mapping

import msgspec

from suffice.web.api.bodies import read_body, replay
from suffice.web.escaped_names import UNESCAPED, renamed
from suffice.web.security.guard import Application, Message, Receive, Scope, Send


class EscapedNames:
    """ASGI middleware: the application behind it receives escaped names only."""

    def __init__(self, app: Application, names: Mapping[str, str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if path == "/v1/openapi.json":
            send = _unescaping(send)
        elif path.startswith("/v1/") and scope["method"] in ("POST", "PUT"):
            body = self._escaped(await read_body(receive))
            others = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
            scope["headers"] = [*others, (b"content-length", str(len(body)).encode())]
            receive = replay(body, receive)
        await self._app(scope, receive, send)

    def _escaped(self, body: bytes) -> bytes:
        try:
            return msgspec.json.encode(renamed(msgspec.json.decode(body), self._names))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return body  # the application rejects it with the reason


def _unescaping(send: Send) -> Send:
    parts: list[Message] = []

    async def buffer(message: Message) -> None:
        parts.append(message)
        if message["type"] == "http.response.start" or message.get("more_body", False):
            return
        text = b"".join(part.get("body", b"") for part in parts).decode()
        for inner, code in UNESCAPED.items():
            text = text.replace(chr(inner), msgspec.json.encode(chr(code)).decode()[1:-1])
        body, start = text.encode(), parts[0]
        others = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        await send({**start, "headers": [*others, (b"content-length", str(len(body)).encode())]})
        await send({"type": "http.response.body", "body": body})

    return buffer
