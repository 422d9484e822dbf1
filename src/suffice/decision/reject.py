"""Reject rules with a fixed limit. (Rules with a fitted limit are in ``budgets``.)"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from suffice.decision.intake import check_proportion
from suffice.errors import ParameterError
from suffice.families.settings import number
from suffice.numerics.arrays import BoolArray, FloatArray


@dataclass(frozen=True)
class RejectCase:
    """The input of a rule: posteriors, the risk of the best action, and log p(x) if known."""

    posterior: FloatArray
    risk: FloatArray
    log_density: FloatArray | None = None


class Rule(Protocol):
    """Selects the rows to reject."""

    def refuses(self, case: RejectCase) -> BoolArray: ...


@dataclass(frozen=True)
class Chow:
    """Reject rows in which every action has a higher expected cost than rejection.

    >>> Chow(0.2).refuses(RejectCase(np.array([[0.7, 0.3]]), np.array([0.3])))
    array([ True])
    """

    cost: float

    def __post_init__(self) -> None:
        number("Chow", "cost", self.cost)

    def refuses(self, case: RejectCase) -> BoolArray:
        """Which rows to ask a person about."""
        return case.risk > self.cost


@dataclass(frozen=True)
class ConfidenceFloor:
    """Reject rows whose most probable class has a probability below ``least``."""

    least: float

    def __post_init__(self) -> None:
        check_proportion("ConfidenceFloor", "least", self.least)

    def refuses(self, case: RejectCase) -> BoolArray:
        """Which rows to ask a person about."""
        return np.asarray(case.posterior.max(axis=1) < self.least)


@dataclass(frozen=True)
class RiskLimit:
    """Reject rows with a risk above ``most``: Chow's rule without a cost. Budgets are fitted to this rule."""

    most: float

    def refuses(self, case: RejectCase) -> BoolArray:
        """Which rows to ask a person about."""
        return case.risk > self.most


@dataclass(frozen=True)
class DensityFloor:
    """Reject rows with log p(x) below ``least``, which are unlike the training rows."""

    least: float

    def refuses(self, case: RejectCase) -> BoolArray:
        """Which rows to ask a person about."""
        return known_density(case.log_density) < self.least


def known_density(log_density: FloatArray | None) -> FloatArray:
    if log_density is None:
        raise ParameterError(
            "A rule on log p(x) was given, but no log_density",
            "it is needed, as returned by score_samples(X) of a generative model",
        )
    return log_density


def as_rules(reject: Any, kinds: tuple[type, ...], todo: str = "") -> tuple[Any, ...]:
    """One rule, several, or None, as a tuple."""
    rules = () if reject is None else tuple(reject) if isinstance(reject, (list, tuple)) else (reject,)
    for rule in rules:
        if not isinstance(rule, kinds):
            names = ", ".join(kind.__name__ for kind in kinds)
            raise ParameterError(f"reject is {rule!r}", f"it must be one of {names}, several of them, or None", todo)
    return rules


RULES = (Chow, ConfidenceFloor, RiskLimit, DensityFloor)
