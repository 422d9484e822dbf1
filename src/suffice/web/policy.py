"""The decision policy: costs, reject rules and the prior of future cases."""

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import numpy as np

from suffice.columns.table import Table
from suffice.decision import Chow, ConfidenceFloor, Decision, DensityFloor, correct_priors, decide
from suffice.errors import SufficeError
from suffice.numerics.arrays import FloatArray
from suffice.web.problems import RequestError
from suffice.web.version import Version

Cost = Annotated[float, msgspec.Meta(ge=0, le=1e9, description="A cost; the usual error costs 1")]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``costs[truth][action]`` (1 for other errors), ``ask`` the cost of asking a person, ``prior`` the prior of
    future cases (by default the model's)."""

    ask: Cost | None = 0.1
    costs: dict[str, dict[str, Cost]] = {}
    prior: dict[str, Share] | None = None
    least_confidence: Annotated[float, msgspec.Meta(gt=0, lt=1)] | None = None
    least_log_density: Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)] | None = None


@dataclass(frozen=True, eq=False)
class PolicyAnswers:
    """Posteriors under the policy's prior, and the decisions from them."""

    posterior: FloatArray
    decision: Decision

    def action(self, i: int) -> Any:
        """The decided class; None for a rejected row, which goes to a person."""
        index = int(self.decision.index[i])
        return None if index < 0 else self.decision.names.tolist()[index]


def decided(version: Version, policy: Policy, table: Table) -> PolicyAnswers:
    """Decisions on rows. The log density is computed only if the policy has a limit for it."""
    density = None if policy.least_log_density is None else version.log_density(table)
    return answers(version, policy, version.posterior(table), density)


def answers(version: Version, policy: Policy, posterior: FloatArray, log_density: FloatArray | None) -> PolicyAnswers:
    """Decisions from scores of rows."""
    classes = list(version.classes)
    prior = given_prior(version, policy)
    try:
        corrected = posterior if prior is None else correct_priors(posterior, version.prior, prior, classes=classes)
        decision = decide(
            corrected, cost_table(version, policy), reject=_rules(policy), classes=classes, log_density=log_density
        )
    except SufficeError as error:
        raise RequestError(422, str(error), "policy") from None
    return PolicyAnswers(corrected, decision)


def given_prior(version: Version, policy: Policy) -> FloatArray | None:
    """The prior of the policy in the order of the classes."""
    if policy.prior is None:
        return None
    names = [str(c) for c in version.classes]
    unknown = [name for name in policy.prior if name not in names]
    if unknown or len(policy.prior) < len(names):
        raise RequestError(
            422, f"The prior must have a probability for each of {', '.join(names)}, and no other", "policy.prior"
        )
    values = np.array([policy.prior[name] for name in names])
    if not abs(values.sum() - 1) < 1e-6:
        raise RequestError(422, f"The prior sums to {values.sum():g}, not to 1", "policy.prior")
    return np.asarray(values / values.sum())


def cost_table(version: Version, policy: Policy) -> FloatArray:
    """The cost table, (classes, actions)."""
    index = {str(c): i for i, c in enumerate(version.classes)}
    values = 1.0 - np.eye(len(index))
    for truth, row in policy.costs.items():
        for action, cost in row.items():
            for name, field in ((truth, f"policy.costs.{truth}"), (action, f"policy.costs.{truth}.{action}")):
                if name not in index:
                    raise RequestError(422, f"There is no class {name!r}; there are {', '.join(index)}", field)
            values[index[truth], index[action]] = cost
    return values


def restricted_policy(version: Version, policy: Policy) -> Policy:
    """A policy restricted to the classes of a model: costs of its classes, and the prior if it covers all of them."""
    names = {str(c) for c in version.classes}
    costs = {
        truth: {action: cost for action, cost in row.items() if action in names}
        for truth, row in policy.costs.items()
        if truth in names
    }
    prior = policy.prior if policy.prior is not None and policy.prior.keys() == names else None
    return msgspec.structs.replace(policy, costs=costs, prior=prior)


def _rules(policy: Policy) -> list[Any]:
    rules: list[Any] = []
    if policy.ask is not None:
        rules.append(Chow(policy.ask))
    if policy.least_confidence is not None:
        rules.append(ConfidenceFloor(policy.least_confidence))
    if policy.least_log_density is not None:
        rules.append(DensityFloor(policy.least_log_density))
    return rules
