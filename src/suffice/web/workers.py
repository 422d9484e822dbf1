"""The scoring processes: the writing process starts them, sends them new versions, and replaces those that exit."""

import logging
import pickle
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import IO

from suffice.web.child_process import command
from suffice.web.metrics import RequestCounts
from suffice.web.pickling import send
from suffice.web.service import Service
from suffice.web.worker import ModelUpdate, WorkerStart

_log = logging.getLogger("suffice.web")
_POLL_SECONDS = 0.02  # between checks for a new version
_STOP_TIMEOUT_SECONDS = 15.0


class Workers:
    """The scoring processes. If one exits before its first report, ``failed`` is set and ``give_up`` called: its replacement
    would exit too."""

    def __init__(self, service: Service, listener: socket, writer: Path, give_up: Callable[[], None]) -> None:
        self.failed = False
        self._service, self._listener, self._give_up = service, listener, give_up
        self._start = WorkerStart(service.settings, listener.fileno(), writer)
        self._ending = threading.Event()
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._supervise, args=(i,), name=f"suffice-worker-{i}", daemon=True)
            for i in range(service.settings.workers)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop the workers; each first answers its pending requests."""
        self._ending.set()
        with self._lock:
            processes = list(self._processes.values())
        for process in processes:
            process.terminate()
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_STOP_TIMEOUT_SECONDS)
            process.kill()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    # — one thread per worker —

    def _supervise(self, place: int) -> None:
        """Keep one worker running until the end."""
        while (process := self._started(place)) is not None:
            assert process.stdin is not None
            assert process.stdout is not None
            feeding = threading.Thread(target=self._feed, args=(process.stdin,), daemon=True)
            feeding.start()
            was_ready = self._listen(process.pid, process.stdout)
            code = process.wait()
            feeding.join()
            if self._ending.is_set():
                return
            if not was_ready:
                self.failed = True
                self._give_up()
                return
            _log.warning("Worker %d exited with code %d; it is replaced", process.pid, code)

    def _started(self, place: int) -> "subprocess.Popen[bytes] | None":
        with self._lock:
            if self._ending.is_set():
                return None
            process = self._processes[place] = subprocess.Popen(
                command("suffice.web.worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[self._listener.fileno()],
                process_group=0,  # on Ctrl-C, the service ends its workers
            )
        return process

    def _feed(self, pipe: IO[bytes]) -> None:
        """Send each new version; a slow worker skips versions."""
        sent: object = None
        with suppress(OSError), pipe:
            send(self._start, pipe)
            while not self._ending.is_set():
                version, policy = self._service.version, self._service.policy
                if (version.key, policy) != sent:
                    send(ModelUpdate(version.without_rows(), policy), pipe)
                    sent = version.key, policy
                elif self._ending.wait(_POLL_SECONDS):
                    return

    def _listen(self, process: int, pipe: IO[bytes]) -> bool:
        """Receive the counters of a worker until it exits; returns whether there were any."""
        was_ready = False
        with pipe, suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                counts: RequestCounts = pickle.load(pipe)
                self._service.metrics.set_counts(process, counts)
                was_ready = True
        return was_ready
