"""The single writer: a thread that applies changes, several per commit, and publishes the resulting version.

The result of a change is returned once it is on disk. Readers continue with their version, without locks.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from suffice.errors import SufficeError
from suffice.web.changes import Draft
from suffice.web.columns import Columns
from suffice.web.model_file import ModelFile
from suffice.web.policy import Policy
from suffice.web.recovery import caught_up
from suffice.web.store import StoreError
from suffice.web.store.receipts import PendingFile
from suffice.web.store.stores import Stores
from suffice.web.throttle import ScoringThrottle
from suffice.web.version import Version
from suffice.web.waiting import Sweep

_log = logging.getLogger("suffice.web")
_MAX_CHANGES_PER_COMMIT = 64
_POLL_SECONDS = 1.0  # between polls for changes of other servers and for pending work

Change = Callable[[Draft], Any]


@dataclass(frozen=True)
class _Job:
    change: Change
    future: "Future[Any]"


class Writer:
    """Owner of the current version and policy, which only its thread replaces."""

    def __init__(
        self, version: Version, policy: Policy, columns: Columns, stores: Stores, model_file: ModelFile
    ) -> None:
        self.version, self.policy = version.warmed(), policy
        self._columns, self._stores, self._model_file = columns, stores, model_file
        self.throttle = ScoringThrottle()
        self._erased_by = -1  # the last version that erased something
        self._log_is_clean = False
        self._sweep, self._ticked_at = Sweep(columns, stores), time.monotonic()
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="suffice-writer", daemon=True)

    def start(self) -> None:
        self._model_file.read_version()
        if self._stores.journal.has_erased_after(self._model_file.number):
            self._erased_by = self.version.number
        self._clean()
        self._thread.start()

    @property
    def pending(self) -> list[PendingFile]:
        """Files that may contain erased rows; the writer retries to rewrite them."""
        files: list[PendingFile] = []
        if 0 <= self._model_file.number < self._erased_by:
            files.append("model_file")
        if not self._log_is_clean:
            files.append("store_log")
        return files

    def submit(self, change: Change) -> "Future[Any]":
        """Submit a change; the future has its result once it is on disk."""
        future: Future[Any] = Future()
        self.throttle.start_learning()
        self._jobs.put(_Job(change, future))
        return future

    def stop(self) -> None:
        """Finish submitted changes, save the model and stop."""
        self._jobs.put(None)
        self._thread.join()

    # — the thread —

    def _work(self) -> None:
        ending = failing = False
        while not ending:
            self.throttle.end_learning()
            jobs, ending = self._next()
            if jobs:
                self.throttle.start_learning()
            try:
                self._commit(jobs)
                if time.monotonic() - self._ticked_at >= _POLL_SECONDS:
                    self._tick()
                if ending or self._model_file.is_due(self.version):
                    self._model_file.save(self.version)
            except StoreError as error:
                if not failing:
                    _log.warning("The store does not respond (%s); the writer retries", error)
                failing = True
            except Exception:
                _log.exception("The writer failed; it continues")
            else:
                if failing and not jobs:  # found by a poll
                    _log.warning("The store responds again")
                    failing = False

    def _tick(self) -> None:
        self._ticked_at = time.monotonic()
        self._clean()
        self._sweep.step(self.version, self.policy)

    def _clean(self) -> None:
        """Try to remove erased rows from the files."""
        if "model_file" in self.pending and not self._model_file.is_backing_off:
            self._model_file.save(self.version)
        if not self._log_is_clean:
            with suppress(StoreError):
                self._log_is_clean = self._stores.database.purge_deleted()

    def _next(self) -> tuple[list[_Job], bool]:
        """The next jobs, or none after a timeout; and whether they are the last."""
        jobs: list[_Job] = []
        try:
            job = self._jobs.get(timeout=_POLL_SECONDS)
            while job is not None:
                if job.future.set_running_or_notify_cancel():  # a caller still waits for it
                    jobs.append(job)
                if len(jobs) == _MAX_CHANGES_PER_COMMIT:
                    return jobs, False
                job = self._jobs.get_nowait()
        except queue.Empty:
            return jobs, False
        return jobs, True

    def _commit(self, jobs: list[_Job]) -> None:
        if not jobs:  # a poll for changes of other servers
            self.policy = self._stored_policy()
            if self._stores.journal.length() == self.version.number:
                return
        try:
            outcomes, draft = self._applied(jobs)
        except Exception as error:
            if not jobs:
                raise
            if len(jobs) > 1:  # a job that fails the commit must not fail the others
                for job in jobs:
                    self._commit([job])
                return
            if not isinstance(error, SufficeError):
                _log.exception("A change failed")
            jobs[0].future.set_exception(error)
            return
        self.version, self.policy = draft.version, draft.policy
        try:
            if draft.erased:
                self._erased_by, self._log_is_clean = draft.version.number, False
                self._clean()
        finally:  # the commit is valid even if the files cannot be written
            for job, (result, refusal) in zip(jobs, outcomes, strict=True):
                if refusal is not None:
                    job.future.set_exception(refusal)
                else:
                    job.future.set_result(result)

    def _applied(self, jobs: list[_Job]) -> tuple[list[tuple[Any, Exception | None]], Draft]:
        """The result of each job, all in one transaction."""
        outcomes: list[tuple[Any, Exception | None]] = []
        with self._stores.database.transaction():
            start = caught_up(self.version, self._columns, self._stores)
            draft = Draft(start, self._stored_policy(), self._columns, self._stores)
            draft.erased = self._stores.journal.has_erased_after(self.version.number)  # by other servers
            for job in jobs:
                before = draft.version, draft.policy
                try:
                    with self._stores.database.savepoint():
                        outcomes.append((job.change(draft), None))
                except SufficeError as refusal:
                    draft.version, draft.policy = before
                    outcomes.append((None, refusal))
            draft.version.warmed()
        return outcomes, draft

    def _stored_policy(self) -> Policy:
        stored = self._stores.settings.get("policy")
        return self.policy if stored is None else msgspec.convert(stored, Policy)
