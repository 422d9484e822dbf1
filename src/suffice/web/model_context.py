"""The context of a request: the current version and policy, and the model's classes and columns."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from suffice.columns.labels import Label
from suffice.web.columns import Columns
from suffice.web.metrics import Metrics
from suffice.web.policy import Policy
from suffice.web.problems import RequestError
from suffice.web.throttle import ScoringThrottle
from suffice.web.version import Version


class ModelContext(ABC):
    """Access to the current version and policy of one model."""

    def __init__(self, version: Version) -> None:
        self.columns = Columns.of_version(version)
        self.label_names = {str(c): c for c in version.classes}
        self.metrics = Metrics()

    @property
    @abstractmethod
    def version(self) -> Version:
        """The current version. Read it once per request: the next read may return a newer one."""

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """The current policy."""

    @property
    @abstractmethod
    def throttle(self) -> ScoringThrottle:
        """Pauses scoring while labels are pending."""

    def label(self, name: object, field: str = "label") -> Label:
        """The class of a label, given as the label or as its text."""
        for c in self.version.classes:
            if c == name and isinstance(c, bool) == isinstance(name, bool):
                return c
        if isinstance(name, str) and name in self.label_names:
            return self.label_names[name]
        raise RequestError(422, f"There is no class {name!r}; there are {', '.join(self.label_names)}", field)

    def named(self, values: Any) -> dict[str, float]:
        """Values by class name."""
        return dict(zip(self.label_names, np.asarray(values).tolist(), strict=True))
