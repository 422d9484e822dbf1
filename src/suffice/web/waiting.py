"""The queue: cases without a label that the present model and policy would not decide, those first that teach most."""

from dataclasses import dataclass

import numpy as np

from suffice.columns.records_table import RecordsTable
from suffice.labelling import suggest
from suffice.numerics.arrays import FloatArray
from suffice.web.columns import Columns
from suffice.web.policy import Policy, answers, cost_table
from suffice.web.store.cases import Case, Cases
from suffice.web.version import Version

_LOOKED_AT = 2000  # of the latest cases without a label
_ORDERED = 50  # put in order by what they teach; the rest follows by risk


@dataclass(frozen=True, eq=False)
class Waiting:
    """A case that waits, with what the present version says of it, and what deciding it would be expected to cost."""

    case: Case
    posterior: FloatArray
    risk: float


class WaitingRoom:
    """The queue, made again when the version, the policy or the cases have changed."""

    def __init__(self, columns: Columns, cases: Cases) -> None:
        self._columns, self._cases = columns, cases
        self._made: tuple[object, list[Waiting]] = (None, [])

    def all(self, version: Version, policy: Policy) -> list[Waiting]:
        """Everybody in the queue, first come first."""
        key = (version.number, policy, self._cases.mark())
        known, queue = self._made
        if known != key:
            queue = self._ordered(version, policy)
            self._made = (key, queue)
        return queue

    def _ordered(self, version: Version, policy: Policy) -> list[Waiting]:
        cases = self._cases.unlabelled(_LOOKED_AT)
        if not cases:
            return []
        table = self._columns.restored([case.content for case in cases])
        found = answers(version, policy, *version.scores(table))
        risk = (found.posterior @ cost_table(version, policy)).min(axis=1)  # of deciding all the same
        unsure = np.flatnonzero(found.decision.rejected)
        if not len(unsure):
            return []
        records = [table.records[i] for i in unsure.tolist()]
        first = suggest(version.model, RecordsTable(table.names, records), min(_ORDERED, len(unsure)), 1)
        rest = np.setdiff1d(np.arange(len(unsure)), first)
        rest = rest[np.argsort(-risk[unsure[rest]], kind="stable")]
        order = unsure[np.concatenate([first, rest])]
        return [Waiting(cases[i], found.posterior[i], float(risk[i])) for i in order]
