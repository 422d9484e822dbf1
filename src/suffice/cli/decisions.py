"""Decisions on posteriors, by the options of ``suffice predict``."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.cli.class_numbers import by_class, share
from suffice.cli.costs import costs_of
from suffice.decision import Chow, ErrorBudget, Workload, conformal, correct_priors, decide
from suffice.decision.budgets import BUDGETS, learned
from suffice.decision.costs import REJECT, aligned
from suffice.decision.decide import Decision
from suffice.decision.held_out import HeldOut
from suffice.decision.intake import check_prior, label_array
from suffice.errors import ParameterError
from suffice.estimators.held_out_kind import load_held_out
from suffice.numerics.arrays import AnyArray, FloatArray


@dataclass(frozen=True)
class DecisionOptions:
    """The options as typed."""

    cost: Sequence[str] = ()
    reject: float | None = None
    at_most_asked: str | None = None
    at_most_wrong: str | None = None
    prior: str | None = None
    sets: str | None = None

    @property
    def decides(self) -> bool:
        """Whether the prediction may differ from the most probable class."""
        return bool(self.cost) or self.rule is not None

    @property
    def rule(self) -> Any:
        """The reject rule; limits of budgets are not fitted yet."""
        given = {
            "--reject": self.reject,
            "--at-most-asked": self.at_most_asked,
            "--at-most-wrong": self.at_most_wrong,
        }
        named = [name for name, value in given.items() if value is not None]
        if len(named) > 1:
            raise ParameterError(
                f"{' and '.join(named)} are given", "each is a reject rule of its own", "Give one of them"
            )
        if self.reject is not None:
            return Chow(self.reject)
        if self.at_most_asked is not None:
            return Workload(share("--at-most-asked", self.at_most_asked))
        if self.at_most_wrong is not None:
            return ErrorBudget(share("--at-most-wrong", self.at_most_wrong))
        return None


class Decider:
    """Applies prior, costs, limits and sets to the posteriors of a model."""

    def __init__(self, path: str, classes: Sequence[Any], trained: FloatArray | None, options: DecisionOptions) -> None:
        self._path, self._trained = path, trained
        self._classes: AnyArray = label_array(list(classes))
        self.decides = options.decides
        self.prior = None if options.prior is None else self._true_prior(options.prior)
        self._costs = costs_of(options.cost, classes)
        self._asked_for = options.rule
        self.rule = self._learned(options.rule) if isinstance(options.rule, BUDGETS) else options.rule
        self.sets = None
        if options.sets is not None:
            held = self._held_out("--sets")
            self.sets = conformal(
                held.posterior, self._classes[held.codes], share("--sets", options.sets), classes=self._classes
            )
        self.rows = self.asked = 0

    def posterior(self, p: FloatArray) -> FloatArray:
        """Correct posteriors to the prior of ``--prior``."""
        if self.prior is None:
            return p
        assert self._trained is not None
        return correct_priors(p, self._trained, self.prior, classes=self._classes)

    def decision(self, p: FloatArray) -> Decision:
        found = decide(p, self._costs, reject=self.rule, classes=self._classes)
        self.rows += len(p)
        self.asked += int(found.rejected.sum())
        return found

    @property
    def notes(self) -> list[str]:
        """Notes to print after the last row."""
        found = []
        if self.rule is not None or any(action == REJECT for _, action in self._costs or ()):
            found.append(
                f"{self.asked:,} of {self.rows:,} rows are rejected and go to a person; their prediction is empty."
            )
        limit = getattr(self.rule, "most", None)
        if limit == np.inf and isinstance(self._asked_for, Workload):
            found.append("There are too few held-out rows to guarantee so small a share: no row is rejected.")
        elif limit == -np.inf:
            found.append("No limit meets the guarantee on the held-out rows: every row is rejected.")
        return found

    def _true_prior(self, typed: str) -> FloatArray:
        if self._trained is None:
            raise ParameterError("--prior is given", "the class prior of the model in the file is unknown")
        named = by_class("--prior", typed, self._classes.tolist())
        rest = [label for label in self._classes.tolist() if label not in named]
        if len(rest) == 1:
            named[rest[0]] = 1.0 - sum(named.values())
        return check_prior("true", named, self._classes)

    def _held_out(self, option: str) -> HeldOut:
        """The held-out posteriors of the model file, resampled to the prior of ``--prior`` if it is given."""
        found = load_held_out(self._path)
        if found is None:
            raise ParameterError(
                f"{option} needs held-out predictions, which {self._path!r} does not contain",
                "suffice train stores them; they are removed when rows are learned or forgotten",
                "Train the model again: suffice train ROWS --target COLUMN -o MODEL",
            )
        if self.prior is None:
            return found
        resampled = found.resampled(self.prior, self._classes)
        return replace(resampled, posterior=self.posterior(resampled.posterior))

    def _learned(self, rule: Any) -> Any:
        held = self._held_out("--at-most-asked" if isinstance(rule, Workload) else "--at-most-wrong")
        return learned(rule, held.posterior, held.codes, aligned(self._costs, self._classes), None)
