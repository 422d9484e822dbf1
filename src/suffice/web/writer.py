"""The one writer: a thread that takes changes as they come, several to a commit, and swaps in the version they lead to.

An answer is given when its change is on disk. Readers go on with the version they have; nobody waits for a lock.
"""

import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from suffice.errors import SufficeError
from suffice.web.changes import Draft
from suffice.web.columns import Columns
from suffice.web.policy import Policy
from suffice.web.recovery import caught_up
from suffice.web.store.snapshots import digest
from suffice.web.store.stores import Stores
from suffice.web.version import Version
from suffice.web.waiting import Sweep

_log = logging.getLogger("suffice.web")
_TOGETHER = 64  # changes to a commit
_LOOK_AROUND = 1.0  # seconds between looks at what other servers wrote

Change = Callable[[Draft], Any]


@dataclass(frozen=True)
class _Job:
    change: Change
    future: "Future[Any]"


class Writer:
    """Holds the present version and policy; only its thread replaces them."""

    def __init__(
        self, path: Path, version: Version, policy: Policy, columns: Columns, stores: Stores,
        *, snapshot_labels: int, snapshot_seconds: float,
    ) -> None:  # fmt: skip
        self.version, self.policy = version.warmed(), policy
        self.snapshots = 0
        self._path, self._columns, self._stores = path, columns, stores
        self._every, self._seconds = snapshot_labels, snapshot_seconds
        self._saved, self._saved_at = -1, time.monotonic()
        self._sweep, self._swept_at = Sweep(columns, stores), time.monotonic()
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="suffice-writer", daemon=True)

    def start(self) -> None:
        number = self._stores.snapshots.version_of(self._path) if self._path.exists() else None
        self._saved = -1 if number is None else number
        self._thread.start()

    def submit(self, change: Change) -> "Future[Any]":
        """Have a change made; the future has its outcome once it is on disk."""
        future: Future[Any] = Future()
        self._jobs.put(_Job(change, future))
        return future

    def stop(self) -> None:
        """Finish what was submitted, save the model and end."""
        self._jobs.put(None)
        self._thread.join()

    # — the thread —

    def _work(self) -> None:
        ending = False
        while not ending:
            jobs, ending = self._next()
            try:
                self._commit(jobs)
                if not ending and time.monotonic() - self._swept_at >= _LOOK_AROUND:
                    self._sweep.step(self.version, self.policy)
                    self._swept_at = time.monotonic()
                if ending or self._is_due():
                    self._snapshot()
            except Exception:
                _log.exception("The writer met an error; it goes on")

    def _next(self) -> tuple[list[_Job], bool]:
        """Some jobs, or none after a while; and whether they are the last."""
        jobs: list[_Job] = []
        try:
            job = self._jobs.get(timeout=_LOOK_AROUND)
            while job is not None:
                jobs.append(job)
                if len(jobs) == _TOGETHER:
                    return jobs, False
                job = self._jobs.get_nowait()
        except queue.Empty:
            return jobs, False
        return jobs, True

    def _commit(self, jobs: list[_Job]) -> None:
        if not jobs:  # a look at what other servers wrote
            self.policy = self._stored_policy()
            if self._stores.journal.length() == self.version.number:
                return
        try:
            outcomes, draft = self._carried_out(jobs)
        except Exception as error:
            if len(jobs) > 1:  # one that spoils the commit must not spoil the others
                for job in jobs:
                    self._commit([job])
                return
            if not isinstance(error, SufficeError):
                _log.exception("A change failed")
            for job in jobs:
                job.future.set_exception(error)
            return
        self.version, self.policy = draft.version, draft.policy
        if draft.erased:
            self._snapshot()
            self._stores.database.forget_deleted()
        for job, (result, refusal) in zip(jobs, outcomes, strict=True):
            if refusal is not None:
                job.future.set_exception(refusal)
            else:
                job.future.set_result(result)

    def _carried_out(self, jobs: list[_Job]) -> tuple[list[tuple[Any, Exception | None]], Draft]:
        """What became of each, all in one transaction."""
        outcomes: list[tuple[Any, Exception | None]] = []
        with self._stores.database.transaction():
            start = caught_up(self.version, self._columns, self._stores)
            draft = Draft(start, self._stored_policy(), self._columns, self._stores)
            for job in jobs:
                before = draft.version, draft.policy
                try:
                    with self._stores.database.part():
                        outcomes.append((job.change(draft), None))
                except SufficeError as refusal:
                    draft.version, draft.policy = before
                    outcomes.append((None, refusal))
            draft.version.warmed()
        return outcomes, draft

    def _stored_policy(self) -> Policy:
        stored = self._stores.settings.get("policy")
        return self.policy if stored is None else msgspec.convert(stored, Policy)

    def _is_due(self) -> bool:
        since = self.version.number - self._saved
        return since >= self._every or (since > 0 and time.monotonic() - self._saved_at >= self._seconds)

    def _snapshot(self) -> None:
        """The model file of this version. Its digest is on record before it takes its place, so a crash in between
        leaves the old file, which is on record too."""
        if self.version.number == self._saved and self._path.exists():
            return
        beside = self._path.with_name(f".{self._path.name}.next")
        self.version.saved(beside)
        with self._stores.database.transaction():
            self._stores.snapshots.record(digest(beside), self.version.number)
        os.replace(beside, self._path)
        self._saved, self._saved_at = self.version.number, time.monotonic()
        self.snapshots += 1
