"""The service behind its faces: versions, cases and policy, for the API and the page alike."""

import asyncio
import logging
from typing import Any

import msgspec
import numpy as np

from suffice.columns.labels import Label
from suffice.web.columns import Columns
from suffice.web.metrics import Metrics
from suffice.web.model_file import ModelFile
from suffice.web.policy import Policy, fitting
from suffice.web.problems import Problem
from suffice.web.recovery import recovered
from suffice.web.settings import Settings
from suffice.web.store import open_database
from suffice.web.store.stores import Stores
from suffice.web.version import Version
from suffice.web.waiting import WaitingRoom
from suffice.web.writer import Change, Writer

_log = logging.getLogger("suffice.web")


class Service:
    """One model, its store and its writer."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stores = Stores(open_database(settings.database))
        version = recovered(settings.model, self.stores, rebase=settings.rebase)
        self.columns = Columns.of_version(version)
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
        self.waiting = WaitingRoom(self.columns, self.stores.cases)
        self.metrics = Metrics()
        self.label_names = {str(c): c for c in version.classes}
        retired = self.stores.cases.retired(version.classes)
        if retired:
            _log.warning(
                "%d cases have labels that are no classes of the model; they are kept, and not learned", retired
            )

    def _stored_policy(self, version: Version) -> Policy:
        """The policy that was set last, without what it says of classes that the model does not have."""
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
        """The present one. Take it once for an answer: it may be another the next time."""
        return self.writer.version

    @property
    def policy(self) -> Policy:
        return self.writer.policy

    def start(self) -> None:
        self.writer.start()

    def stop(self) -> None:
        self.writer.stop()
        self.stores.database.close()

    async def change(self, change: Change) -> Any:
        """Have the writer do something, and wait until it is on disk."""
        return await asyncio.wrap_future(self.writer.submit(change))

    def label(self, name: object, field: str = "label") -> Label:
        """A class by its label, or by the label's text."""
        for known in self.version.classes:
            if known == name and isinstance(known, bool) == isinstance(name, bool):
                return known
        if isinstance(name, str) and name in self.label_names:
            return self.label_names[name]
        raise Problem(422, f"There is no class {name!r}; there are {', '.join(self.label_names)}", field)

    def named(self, values: Any) -> dict[str, float]:
        """Numbers by the name of their class."""
        return dict(zip(self.label_names, np.asarray(values).tolist(), strict=True))
