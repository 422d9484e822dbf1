"""The context of an answer: a version, a policy, and the model's classes and columns."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from suffice.columns.labels import Label
from suffice.web.columns import Columns
from suffice.web.metrics import Metrics
from suffice.web.policy import Policy
from suffice.web.problems import RequestError
from suffice.web.turns import Turns
from suffice.web.version import Version


class Answering(ABC):
    """One model, in versions that follow each other."""

    def __init__(self, version: Version) -> None:
        self.columns = Columns.of_version(version)
        self.label_names = {str(c): c for c in version.classes}
        self.metrics = Metrics()

    @property
    @abstractmethod
    def version(self) -> Version:
        """The present one. Take it once for an answer: it may be another the next time."""

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """The present one."""

    @property
    @abstractmethod
    def turns(self) -> Turns:
        """Scoring asks for its turn."""

    def label(self, name: object, field: str = "label") -> Label:
        """A class by its label, or by the label's text."""
        for known in self.version.classes:
            if known == name and isinstance(known, bool) == isinstance(name, bool):
                return known
        if isinstance(name, str) and name in self.label_names:
            return self.label_names[name]
        raise RequestError(422, f"There is no class {name!r}; there are {', '.join(self.label_names)}", field)

    def named(self, values: Any) -> dict[str, float]:
        """Numbers by the name of their class."""
        return dict(zip(self.label_names, np.asarray(values).tolist(), strict=True))
