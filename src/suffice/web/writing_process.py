"""The writing process beside scoring workers: only it changes the store and the model file. It listens on a Unix socket, while
the workers listen at the address of the service."""

import asyncio
import sys
import tempfile
from pathlib import Path
from socket import socket
from typing import Any

import uvicorn

from suffice.errors import ParameterError, SufficeError
from suffice.web.application import application_of
from suffice.web.listening import options
from suffice.web.service import Service
from suffice.web.settings import Settings
from suffice.web.workers import Workers


class WorkerError(SufficeError, RuntimeError):
    """Workers cannot be started."""


def serve_with_workers(settings: Settings) -> None:
    """Serve until interrupted."""
    if sys.platform == "win32":
        raise ParameterError(f"workers is {settings.workers}", "workers need a Unix system", "Give --workers 1")
    service = Service(settings)
    app = application_of(service)
    listener = uvicorn.Config(app, **options(settings)).bind_socket()
    with tempfile.TemporaryDirectory(prefix="suffice-") as folder:  # readable by its owner only
        path = Path(folder) / "writer"
        own = {**options(settings), "uds": str(path), "http": "auto", "timeout_keep_alive": 3600, "date_header": False}
        own |= {"proxy_headers": True, "forwarded_allow_ips": "*"}  # all requests come from workers
        server = _Server(uvicorn.Config(app, **own, lifespan="on"), service, listener, path)
        print(
            f"Serving {settings.model} at http://{settings.host}:{settings.port} with {settings.workers} workers",
            flush=True,
        )
        server.run()
    if server.workers.failed:
        raise WorkerError(
            "A worker exited at its start",
            "its replacement would too",
            "See its error in the log, or give --workers 1",
        )


class _Server(uvicorn.Server):
    """A uvicorn server that starts the workers once it listens and stops them before it shuts down."""

    def __init__(self, config: uvicorn.Config, service: Service, listener: socket, path: Path) -> None:
        super().__init__(config)
        self.workers = Workers(service, listener, path, self._give_up)

    def _give_up(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.workers.start()

    async def shutdown(self, sockets: Any = None) -> None:
        await asyncio.to_thread(self.workers.stop)
        await super().shutdown(sockets)
