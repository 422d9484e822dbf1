"""The service shared by the API and the page: versions, cases and policy."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from suffice.columns.labels import Label
from suffice.web.answering import Answering
from suffice.web.follower import Follower
from suffice.web.intake import MailWatch
from suffice.web.model_file import ModelFile
from suffice.web.policy import Policy, fitting
from suffice.web.recovery import recovered
from suffice.web.settings import Settings
from suffice.web.store import open_database
from suffice.web.store.stores import Stores
from suffice.web.turns import Turns
from suffice.web.version import Version
from suffice.web.waiting import WaitingQueue, WaitingRoom
from suffice.web.writer import Change, Writer

NONE_OF_THESE = "(none of these)"
"""The label of a case that belongs neither to a class of the model nor to a named one."""
_log = logging.getLogger("suffice.web")


class Service(Answering):
    """One model, its store and its writer."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stores = Stores(open_database(settings.database))
        version = recovered(settings.model, self.stores, rebase=settings.rebase)
        super().__init__(version)
        self.model_file = ModelFile(
            settings.model, self.stores, labels=settings.snapshot_labels, seconds=settings.snapshot_seconds
        )
        self.writer = Writer(
            version,
            self._stored_policy(version),
            self.columns,
            self.stores,
            self.model_file,
        )
        self.follower = Follower(
            lambda: self.version, self.writer.submit, labels=settings.follow_labels, seconds=settings.follow_seconds
        )
        self.waiting = WaitingRoom(self.columns, self.stores.cases)
        self.mail = MailWatch(Path(settings.watch), self.columns, self.writer) if settings.watch else None
        retired = self.stores.cases.retired(version.classes)
        if retired:
            _log.warning(
                "%d cases have labels that are no classes of the model; they are kept, and not learned", retired
            )

    def _stored_policy(self, version: Version) -> Policy:
        """The policy that was set last, restricted to the classes of the model."""
        stored = self.stores.settings.get("policy")
        if stored is None:
            return Policy()
        policy = msgspec.convert(stored, Policy)
        kept = fitting(version, policy)
        if kept != policy:
            _log.warning("The policy named other classes than the model has; costs and priors of theirs are dropped")
            self.stores.settings.put("policy", kept)
        return kept

    @property
    def version(self) -> Version:
        return self.writer.version

    @property
    def policy(self) -> Policy:
        return self.writer.policy

    @property
    def turns(self) -> Turns:
        return self.writer.turns

    def start(self) -> None:
        self.writer.start()
        self.follower.start()
        if self.mail is not None:
            self.mail.start()

    def stop(self) -> None:
        if self.mail is not None:
            self.mail.stop()
        self.follower.stop()
        self.writer.stop()
        self.stores.database.close()

    def queue_for(self, holder: str | None) -> WaitingQueue:
        """The queue without cases that others have open; the whole queue if there is no holder."""
        queue = self.waiting.queue(self.version, self.policy)
        others = frozenset() if holder is None else self.stores.leases.held_by_others(holder)
        if not others:
            return queue
        return WaitingQueue([waiting for waiting in queue.first if waiting.case.id not in others], queue.count)

    def lease(self, case_id: str, holder: str) -> bool:
        """Lease a case to a holder; False if another has it open."""
        return self.stores.leases.take(case_id, holder, self.settings.lease_seconds)

    async def change(self, change: Change) -> Any:
        """Submit a change to the writer, and wait until it is on disk."""
        return await asyncio.wrap_future(self.writer.submit(change))

    def other_label(self, name: str) -> Label:
        """A label that may be outside the model's classes: it is stored, and learned when a model has the class."""
        if name in self.label_names:
            return self.label_names[name]
        if name and all(isinstance(c, int) and not isinstance(c, bool) for c in self.version.classes):
            with suppress(ValueError):
                return int(name)
        return name or NONE_OF_THESE
