"""Changes of the policy, from the journal."""

from collections.abc import Iterator

import msgspec

from suffice.web.policy import Policy
from suffice.web.store.journal import Journal, StoredEntry


class PolicyChange(msgspec.Struct, frozen=True):
    """``number`` is the number of the journal entry."""

    number: int
    written: float
    writer: str | None
    policy: Policy
    previous: Policy

    @property
    def fields(self) -> Iterator[tuple[str, str, str]]:
        """The fields that changed, before and after."""
        for name in Policy.__struct_fields__:
            before, after = getattr(self.previous, name), getattr(self.policy, name)
            if before != after:
                yield name, _text(before), _text(after)


def policy_changes(journal: Journal, most: int) -> list[PolicyChange]:
    """The latest changes, newest first."""
    return [_change(entry) for entry in journal.of_policy(most)]


def _change(entry: StoredEntry) -> PolicyChange:
    new, old = (msgspec.json.decode(str(text), type=Policy) for text in (entry.label, entry.previous))
    return PolicyChange(entry.number, entry.written, entry.writer, new, old)


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode() if value else "none" if value is None else f"{value}"
