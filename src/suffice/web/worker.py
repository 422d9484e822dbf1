"""A scoring process: it answers requests about rows by the newest version, and forwards everything else to the writing process,
which sends versions through standard input and receives counters through standard output.

It ends when its input does, so it does not outlive the service, however that ends.
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

from suffice.web.answering import Answering
from suffice.web.api.messages import Requests
from suffice.web.forwarding import Forward
from suffice.web.guarded import guarded
from suffice.web.listening import options
from suffice.web.pickling import send
from suffice.web.policy import Policy
from suffice.web.security import access_log
from suffice.web.security.access import Access
from suffice.web.settings import Settings
from suffice.web.store import open_database
from suffice.web.store.stores import Stores
from suffice.web.turns import Turns
from suffice.web.version import Version

_REPORT_SECONDS = 0.5  # between two reports of counters


@dataclass(frozen=True)
class Start:
    """The first message to a worker: ``listener`` is the open socket, ``writer`` the socket of the writing process."""

    settings: Settings
    listener: int
    writer: Path


@dataclass(frozen=True)
class News:
    """A version and its policy."""

    version: Version
    policy: Policy


class VersionReader(Answering):
    """Reads versions from the writing process."""

    def __init__(self, news: News) -> None:
        self._news, self._turns = news, Turns()
        super().__init__(news.version.warmed())

    @property
    def version(self) -> Version:
        return self._news.version

    @property
    def policy(self) -> Policy:
        return self._news.policy

    @property
    def turns(self) -> Turns:
        return self._turns

    def follow(self, pipe: BinaryIO) -> None:
        """Read versions until the input ends."""
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                news = _next(pipe, self._turns)
                self._news = news


def _next(pipe: BinaryIO, turns: Turns) -> News:
    pipe.peek(1)  # type: ignore[attr-defined]  # until something comes
    turns.learn()
    try:
        news: News = pickle.load(pipe)
        news.version.warmed()
    finally:
        turns.learned()
    return news


def _work(commands: BinaryIO, reports: BinaryIO) -> None:
    start: Start = pickle.load(commands)
    settings = start.settings
    if settings.access_log:
        access_log.keep(settings.access_log)
    reader = VersionReader(pickle.load(commands))
    requests = Requests.of(reader.columns, reader.version.classes, settings.max_rows)
    access = Access(settings, Stores(open_database(settings.database)))
    app = guarded(Forward(start.writer), settings, reader, requests, access, reader.metrics)
    server = uvicorn.Server(uvicorn.Config(app, **options(settings), lifespan="off"))
    ended = threading.Event()

    def follow() -> None:
        reader.follow(commands)
        server.should_exit = True

    def report() -> None:
        with suppress(OSError):
            while True:
                if server.started:
                    send(reader.metrics.counts(), reports)
                if ended.wait(_REPORT_SECONDS if server.started else 0.02):
                    send(reader.metrics.counts(), reports)
                    return

    threads = [threading.Thread(target=target, daemon=True) for target in (follow, report)]
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
