"""The queue: cases without a label that the model does not decide, the most informative first.

Whether a case waits is stored with it: on arrival, and then by a sweep over all cases without a label after the version or the
policy has changed. So the queue scores only part of them, and never drops old cases.
"""

import threading
from dataclasses import dataclass

import numpy as np

from suffice.columns.records_table import RecordsTable
from suffice.errors import DataError
from suffice.labelling import suggest
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.web.columns import Columns
from suffice.web.policy import Policy, PolicyAnswers, cost_table, decided
from suffice.web.store.cases import Case, Cases
from suffice.web.store.stores import Stores
from suffice.web.version import Version

_SCORED_CASES = 2000  # number of longest-waiting and of latest cases that are scored when the queue is built
_SWEPT_CASES = 500  # cases per step of the sweep
_SUGGESTED_CASES = 50  # ordered by `suggest`; the rest is ordered by risk
_START = (0.0, "")  # before every arrival and id


@dataclass(frozen=True, eq=False)
class WaitingCase:
    """A waiting case, its posterior under the current version, and the expected cost of deciding it."""

    case: Case
    posterior: FloatArray
    risk: float


@dataclass(frozen=True, eq=False)
class WaitingQueue:
    """``count`` cases wait; ``first`` are those that the current version has scored, in order."""

    first: list[WaitingCase]
    count: int


class QueueBuilder:
    """Builds the queue again when the version, the policy or the cases have changed."""

    def __init__(self, columns: Columns, cases: Cases) -> None:
        self._columns, self._cases = columns, cases
        self._lock = threading.Lock()
        self._cached: tuple[object, WaitingQueue] = (None, WaitingQueue([], 0))

    def queue(self, version: Version, policy: Policy) -> WaitingQueue:
        with self._lock:
            key = (version.key, policy, self._cases.state_key())
            known, queue = self._cached
            if known != key:
                queue = self._ordered(version, policy)
                self._cached = (key, queue)
            return queue

    def one(self, case: Case, version: Version, policy: Policy) -> WaitingCase | None:
        """A single case, waiting or not; None if the model cannot score it."""
        scored, _, found = _scored([case], self._columns, version, policy)
        if not scored:
            return None
        risk = (found.posterior @ cost_table(version, policy)).min(axis=1)
        return WaitingCase(case, found.posterior[0], float(risk[0]))

    def count(self, version: Version, policy: Policy) -> int:
        """The number of cases that would wait under a policy: the oldest and latest are rescored, the others as stored."""
        return self._unsure(version, policy).count

    def _ordered(self, version: Version, policy: Policy) -> WaitingQueue:
        now = self._unsure(version, policy)
        if not len(now.places):
            return WaitingQueue([], now.count)
        risk = (now.posterior @ cost_table(version, policy)).min(axis=1)  # of deciding
        records = [now.table.records[i] for i in now.places.tolist()]
        first = suggest(version.model, RecordsTable(now.table.names, records), min(_SUGGESTED_CASES, len(records)), 1)
        rest = np.setdiff1d(np.arange(len(records)), first)
        rest = rest[np.argsort(-risk[now.places[rest]], kind="stable")]
        order = now.places[np.concatenate([first, rest])]
        return WaitingQueue([WaitingCase(now.cases[i], now.posterior[i], float(risk[i])) for i in order], now.count)

    def _unsure(self, version: Version, policy: Policy) -> "_Unsure":
        count = self._cases.waiting()
        oldest, latest = self._cases.longest_waiting(_SCORED_CASES), self._cases.unlabelled(_SCORED_CASES)
        cases = list({case.id: case for case in (*oldest, *latest)}.values())
        cases, table, found = _scored(cases, self._columns, version, policy)
        places = np.flatnonzero(found.decision.rejected)
        count += len(places) - sum(case.waits for case in cases)
        return _Unsure(count, cases, table, found.posterior, places)


@dataclass(frozen=True, eq=False)
class _Unsure:
    """``count`` cases wait; ``places`` are the waiting ones among the rescored ``cases``."""

    count: int
    cases: list[Case]
    table: RecordsTable
    posterior: FloatArray
    places: IntArray


class Sweep:
    """Rescores the cases without a label in batches, and stores which of them wait. Ends after one pass over all of them under
    the same version and policy."""

    def __init__(self, columns: Columns, stores: Stores) -> None:
        self._columns, self._stores = columns, stores
        self._place = _START
        self._begun: object = None
        self._finished: object = None

    def step(self, version: Version, policy: Policy) -> None:
        now = (version.key, policy)
        if self._finished == now:
            return
        if self._place == _START:
            self._begun = now
        cases = self._stores.cases.unlabelled_after(*self._place, _SWEPT_CASES)
        if cases:
            scored, _, found = _scored(cases, self._columns, version, policy)
            self._store(scored, found)
        if len(cases) < _SWEPT_CASES:
            self._place, self._finished = _START, self._begun
        else:
            self._place = (cases[-1].arrived, cases[-1].id)

    def _store(self, cases: list[Case], found: PolicyAnswers) -> None:
        pairs = list(zip(cases, found.decision.rejected.tolist(), strict=True))
        for waits in (True, False):
            changed = [case.id for case, now in pairs if now == waits != case.waits]
            if changed:
                with self._stores.database.transaction():
                    self._stores.cases.set_waiting(changed, waits)


def _scored(
    cases: list[Case], columns: Columns, version: Version, policy: Policy
) -> tuple[list[Case], RecordsTable, PolicyAnswers]:
    """The cases that the model can score, with their decisions; a family may reject a row stored for another model."""
    table = columns.restored([case.content for case in cases])
    try:
        return cases, table, decided(version, policy, table)
    except DataError:
        cases = _scorable(cases, columns, version)
        table = columns.restored([case.content for case in cases])
        return cases, table, decided(version, policy, table)


def _scorable(cases: list[Case], columns: Columns, version: Version) -> list[Case]:
    try:
        version.posterior(columns.restored([case.content for case in cases]))
    except DataError:
        half = len(cases) // 2
        return _scorable(cases[:half], columns, version) + _scorable(cases[half:], columns, version) if half else []
    return cases
