"""Connections with a time limit per request. (uvicorn limits only the time between two requests.)"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


def connection(seconds: float) -> type[HttpToolsProtocol]:
    """A uvicorn protocol that closes a connection if a request takes longer than ``seconds`` to arrive, answered or not."""

    class Connection(HttpToolsProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._deadline = self.loop.call_later(seconds, transport.close)

        def on_message_begin(self) -> None:
            self._deadline.cancel()
            self._deadline = self.loop.call_later(seconds, self.transport.close)
            super().on_message_begin()

        def on_message_complete(self) -> None:
            self._deadline.cancel()
            super().on_message_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._deadline.cancel()
            super().connection_lost(exc)

    return Connection
