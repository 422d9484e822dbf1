"""The service shared by the API and the page: versions, cases and policy."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from suffice.columns.labels import Label
from suffice.web.intake import MailWatch
from suffice.web.model_context import ModelContext
from suffice.web.model_file import ModelFile
from suffice.web.policy import Policy, restricted_policy
from suffice.web.recovery import recovered
from suffice.web.refitter import WeightRefitter
from suffice.web.settings import Settings
from suffice.web.store import open_database
from suffice.web.store.stores import Stores
from suffice.web.throttle import ScoringThrottle
from suffice.web.version import Version
from suffice.web.waiting import QueueBuilder, WaitingQueue
from suffice.web.writer import Change, Writer

NONE_OF_THESE = "(none of these)"
"""The label of a case that belongs to no class of the model and to no named class."""
_log = logging.getLogger("suffice.web")


class Service(ModelContext):
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
        self.refitter = WeightRefitter(
            lambda: self.version, self.writer.submit, labels=settings.follow_labels, seconds=settings.follow_seconds
        )
        self.waiting = QueueBuilder(self.columns, self.stores.cases)
        self.mail = MailWatch(Path(settings.watch), self.columns, self.writer) if settings.watch else None
        retired = self.stores.cases.retired(version.classes)
        if retired:
            _log.warning("%d cases have labels outside the model's classes; they are stored but not learned", retired)

    def _stored_policy(self, version: Version) -> Policy:
        """The last stored policy, restricted to the classes of the model."""
        stored = self.stores.settings.get("policy")
        if stored is None:
            return Policy()
        policy = msgspec.convert(stored, Policy)
        restricted = restricted_policy(version, policy)
        if restricted != policy:
            _log.warning("The policy had costs or priors of classes that the model does not have; they are dropped")
            self.stores.settings.put("policy", restricted)
        return restricted

    @property
    def version(self) -> Version:
        return self.writer.version

    @property
    def policy(self) -> Policy:
        return self.writer.policy

    @property
    def throttle(self) -> ScoringThrottle:
        return self.writer.throttle

    def start(self) -> None:
        self.writer.start()
        self.refitter.start()
        if self.mail is not None:
            self.mail.start()

    def stop(self) -> None:
        if self.mail is not None:
            self.mail.stop()
        self.refitter.stop()
        self.writer.stop()
        self.stores.database.close()

    def queue_for(self, holder: str | None) -> WaitingQueue:
        """The queue without cases leased to others; the whole queue if there is no holder."""
        queue = self.waiting.queue(self.version, self.policy)
        others = frozenset() if holder is None else self.stores.leases.held_by_others(holder)
        if not others:
            return queue
        return WaitingQueue([waiting for waiting in queue.first if waiting.case.id not in others], queue.count)

    def lease(self, case_id: str, holder: str) -> bool:
        """Lease a case to a holder; False if it is leased to another."""
        return self.stores.leases.take(case_id, holder, self.settings.lease_seconds)

    async def change(self, change: Change) -> Any:
        """Submit a change to the writer and wait until it is on disk."""
        return await asyncio.wrap_future(self.writer.submit(change))

    def other_label(self, name: str) -> Label:
        """A label that may be outside the model's classes: it is stored, and learned once a model has the class."""
        if name in self.label_names:
            return self.label_names[name]
        if name and all(isinstance(c, int) and not isinstance(c, bool) for c in self.version.classes):
            with suppress(ValueError):
                return int(name)
        return name or NONE_OF_THESE
