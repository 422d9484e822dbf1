"""Changes: each makes the next version, and is recorded in the store.

A change validates before it writes: a rejected change has no effect.
"""

import secrets
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from suffice.columns.labels import Label
from suffice.columns.records_table import RecordsTable
from suffice.web.columns import Columns
from suffice.web.policy import Policy, answers, cost_table, given_prior
from suffice.web.problems import RequestError
from suffice.web.recovery import caught_up, rebuilt
from suffice.web.store.cases import Case
from suffice.web.store.journal import Kind, StoredEntry
from suffice.web.store.receipts import Receipt, StatisticsState, id_digest
from suffice.web.store.snapshots import digest
from suffice.web.store.stores import Stores
from suffice.web.version import Version


class Draft:
    """The next version under construction, inside a transaction."""

    def __init__(self, version: Version, policy: Policy, columns: Columns, stores: Stores) -> None:
        self.version, self.policy = version, policy
        self._served = version  # until the draft is committed
        self.erased = False
        """Whether rows were erased, so that they must be removed from the files too."""
        self._columns, self._stores = columns, stores

    def add(self, case_ids: Sequence[str | None], rows: Sequence[Any]) -> list[Case]:
        """Add new cases, scored and decided."""
        table = self._columns.table(rows)
        posterior, density = self.version.scores(table)
        found = answers(self.version, self.policy, posterior, density)
        names = [str(label) for label in self.version.classes]
        now, added = time.time(), []
        for i, (case_id, row) in enumerate(zip(case_ids, rows, strict=True)):
            if case_id is not None and self._stores.cases.get(case_id) is not None:
                raise RequestError(409, f"There is a case {case_id!r} already", f"cases[{i}].id")
            case = Case(
                id=case_id or secrets.token_hex(12),
                arrived=now + 1e-6 * i,  # distinct times, so that paging of the history can continue from any case
                content=self._columns.stored(row),
                version=self.version.number,
                posterior=dict(zip(names, found.posterior[i].tolist(), strict=True)),
                log_density=float(density[i]) if density[i] > -1e300 else None,
                action=found.action(i),
                risk=float(found.decision.risk[i]),
                waits=found.action(i) is None,
            )
            self._stores.cases.add(case)
            added.append(case)
        return added

    def add_message(self, case_id: str, row: Any, digest: str) -> Case | None:
        """Add a message as a new case; None if it was added before."""
        if self._stores.intake.contains(digest):
            return None
        self._stores.intake.add(digest)
        exists = self._stores.cases.get(case_id) is not None  # by another message with the same id
        return self.add([f"{case_id}-{digest[:8]}" if exists else case_id], [row])[0]

    def skip_message(self, digest: str) -> None:
        """Record a message that cannot become a case, so that it is not tried again."""
        self._stores.intake.add(digest)

    def label(self, case_id: str, label: Label, by: str | None) -> Case:
        """Learn a case's label and unlearn the previous one. Repeating a label changes nothing."""
        case = self._case(case_id)
        if by is not None:
            self._stores.opinions.put(case_id, by, label)
        self._stores.leases.release(case_id)
        return case if case.label == label else self._relabelled(case, label, by)

    def unlabel(self, case_id: str, by: str | None) -> Case:
        """Unlearn a case's label, if it has one."""
        case = self._case(case_id)
        if by is not None:
            self._stores.opinions.put(case_id, by, None)
        return case if case.label is None else self._relabelled(case, None, by)

    def undo(self, case_id: str, by: str | None) -> Case:
        """Undo the last change of a case's label; for a person who only agreed with it, withdraw the agreement."""
        case, entries = self._case(case_id), self._stores.journal.of_case(case_id)
        agreed = by in [opinion.by for opinion in self._stores.opinions.of_case(case_id)]
        if by is not None:
            self._stores.opinions.put(case_id, by, None)
        if not entries or entries[-1].previous == case.label or (agreed and entries[-1].writer != by):
            return case
        return self._relabelled(case, entries[-1].previous, by)

    def learn(self, case_id: str, row: Any, label: Label, by: str | None) -> Case:
        """Add a case, if it is new, and learn its label. An existing case must have the same row."""
        existing = self._stores.cases.get(case_id)
        if existing is None:
            self.add([case_id], [row])
        elif existing.content != self._columns.stored(row):
            raise RequestError(409, f"There is a case {case_id!r} with another row", "id")
        return self.label(case_id, label, by)

    def erase(self, case_id: str) -> Receipt:
        """Unlearn and delete a case."""
        case = self._case(case_id)
        number, before = self.version.number + 1, self.version
        after = replace(before, number=number)
        was_learned = case.label in before.classes
        if was_learned:
            table = self._columns.restored([case.content])
            after = before.unlearned(number, table, [case.label]).with_fitted_weights()  # refitted without the case
        receipt = Receipt(
            secrets.token_hex(12), id_digest(case_id), time.time(), was_learned, _state(before), _state(after)
        )
        self._stores.cases.remove(case_id)
        self._stores.opinions.erase(case_id)
        self._stores.leases.release(case_id)
        self._stores.notes.remove(case_id)
        self._stores.journal.blank(case_id)
        self._stores.journal.append(StoredEntry(number, receipt.erased_at, "erase"))
        self._stores.receipts.add(receipt)
        self.version, self.erased = after, True
        return receipt

    def forget(self, rows: Sequence[Any], label: Label, by: str | None) -> int:
        """Unlearn rows of the training set in the base model; the rows are not stored."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "base"
            self._stores.snapshots.write_base(path)
            reduced = Version.loaded(path).unlearned(0, self._columns.table(rows), [label] * len(rows))
            reduced.with_fitted_weights().saved(path)
            self._stores.snapshots.store_base(path)
        self._stores.journal.append(StoredEntry(self.version.number + 1, time.time(), "forget", writer=by))
        self.version, self.erased = rebuilt(self._stores), True
        return len(rows)

    def refit(self, before: Version, refitted: Version) -> bool:
        """Serve weights fitted at an earlier version, after replay of later entries, unless their loss on those is higher."""
        if refitted.is_worse(before, *self._labelled_after(before.number)):
            return False
        self.version = caught_up(refitted, self._columns, self._stores)
        return True

    def _labelled_after(self, number: int) -> tuple[RecordsTable, list[Label]]:
        """Cases first learned after an entry, with their labels."""
        entries = self._stores.journal.after(number)
        changed = {e.case_id for e in entries if e.kind != "learn"}
        labels = {e.case_id: e.label for e in entries if e.case_id not in changed and e.label in self.version.classes}
        contents = self._stores.cases.contents([c for c in labels if c is not None])
        return self._columns.restored(list(contents.values())), [labels[case_id] for case_id in contents]

    def set_policy(self, policy: Policy, by: str | None) -> Policy:
        """Set the policy; a change is recorded in the journal."""
        cost_table(self.version, policy)
        given_prior(self.version, policy)
        if policy != self.policy:
            number = self.version.number + 1
            new, old = (msgspec.json.encode(each).decode() for each in (policy, self.policy))
            self._stores.journal.append(StoredEntry(number, time.time(), "policy", label=new, previous=old, writer=by))
            self._stores.settings.put("policy", policy)
            self.version, self.policy = replace(self.version, number=number), policy
        return policy

    def note(self, case_id: str, text: str, by: str | None) -> Case:
        """Set the note of a case, replacing an earlier one; an empty text removes it."""
        case = self._case(case_id)
        existing = self._stores.notes.get(case_id)
        if text != ("" if existing is None else existing.text):
            self._stores.notes.put(case_id, text, by)
        return case

    def _case(self, case_id: str) -> Case:
        case = self._stores.cases.get(case_id)
        if case is None:
            raise RequestError(404, f"There is no case {case_id!r}", "id")
        return case

    def _relabelled(self, case: Case, label: Label | None, by: str | None) -> Case:
        number, now = self.version.number + 1, time.time()
        table, version = self._columns.restored([case.content]), replace(self.version, number=number)
        loss = self._loss(case, table, label)
        if case.label in version.classes:
            version = version.unlearned(number, table, [case.label])
        if label in version.classes:
            version = version.learned(number, table, [label])
        kind: Kind = "unlearn" if label is None else "learn" if case.label is None else "correct"
        self._stores.journal.append(StoredEntry(number, now, kind, case.id, label, case.label, by))
        labelled = None if label is None else now
        self._stores.cases.set_label(case.id, label, labelled, by, loss)
        self.version = version
        return replace(case, label=label, labelled=labelled, labelled_by=by)

    def _loss(self, case: Case, table: RecordsTable, label: Label | None) -> float | None:
        """Log-loss of the served version on a case it has not learned; None for other cases."""
        if label not in self._served.classes or self._stores.journal.of_case(case.id):
            return None
        return float(self._served.losses(table, [label])[0])


def _state(version: Version) -> StatisticsState:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        version.saved(path)
        return StatisticsState(version.number, version.class_counts, digest(path))
