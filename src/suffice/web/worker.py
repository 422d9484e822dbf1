"""A scoring process: it answers scoring requests with the newest version, and forwards other requests to the writing process,
which sends versions through standard input and receives counters through standard output.

It ends with its input, so it never outlives the service.
"""

import os
import pickle
import socket
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import uvicorn

from suffice.web.api.messages import Requests
from suffice.web.forwarding import Forward
from suffice.web.guarded import guarded
from suffice.web.listening import options
from suffice.web.model_context import ModelContext
from suffice.web.pickling import send
from suffice.web.policy import Policy
from suffice.web.security import access_log
from suffice.web.security.access import Access
from suffice.web.settings import Settings
from suffice.web.store import open_database
from suffice.web.store.stores import Stores
from suffice.web.throttle import ScoringThrottle
from suffice.web.version import Version

_REPORT_SECONDS = 0.5  # between reports of counters


@dataclass(frozen=True)
class WorkerStart:
    """The first message to a worker: ``listener`` is the open socket, ``writer`` the path of the writing process's socket."""

    settings: Settings
    listener: int
    writer: Path


@dataclass(frozen=True)
class ModelUpdate:
    """A version and its policy."""

    version: Version
    policy: Policy


class VersionReader(ModelContext):
    """Reads versions from the writing process."""

    def __init__(self, update: ModelUpdate) -> None:
        self._update, self._throttle = update, ScoringThrottle()
        super().__init__(update.version.warmed())

    @property
    def version(self) -> Version:
        return self._update.version

    @property
    def policy(self) -> Policy:
        return self._update.policy

    @property
    def throttle(self) -> ScoringThrottle:
        return self._throttle

    def read(self, pipe: BinaryIO) -> None:
        """Read versions until the input ends."""
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                update = _next(pipe, self._throttle)
                self._update = update


def _next(pipe: BinaryIO, throttle: ScoringThrottle) -> ModelUpdate:
    pipe.peek(1)  # type: ignore[attr-defined]  # waits for input
    throttle.start_learning()
    try:
        update: ModelUpdate = pickle.load(pipe)
        update.version.warmed()
    finally:
        throttle.end_learning()
    return update


def _work(commands: BinaryIO, reports: BinaryIO) -> None:
    start: WorkerStart = pickle.load(commands)
    settings = start.settings
    if settings.access_log:
        access_log.configure(settings.access_log)
    reader = VersionReader(pickle.load(commands))
    requests = Requests.of(reader.columns, reader.version.classes, settings.max_rows)
    access = Access(settings, Stores(open_database(settings.database)))
    app = guarded(Forward(start.writer), settings, reader, requests, access, reader.metrics)
    server = uvicorn.Server(uvicorn.Config(app, **options(settings), lifespan="off"))
    ended = threading.Event()

    def read_versions() -> None:
        reader.read(commands)
        server.should_exit = True

    def report() -> None:
        with suppress(OSError):
            while True:
                if server.started:
                    send(reader.metrics.counts(), reports)
                if ended.wait(_REPORT_SECONDS if server.started else 0.02):
                    send(reader.metrics.counts(), reports)
                    return

    threads = [threading.Thread(target=target, daemon=True) for target in (read_versions, report)]
    for thread in threads:
        thread.start()
    try:
        server.run(sockets=[socket.socket(fileno=start.listener)])
    finally:
        ended.set()
        threads[1].join()


def main() -> None:
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints go to the log
    with suppress(EOFError):  # the service ended first
        _work(sys.stdin.buffer, reports)
