"""Missing cells of a row whose measurement saves expected cost under a policy."""

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.columns.missing import is_missing
from suffice.columns.table import Table
from suffice.decision import REJECT, Costs, value_of
from suffice.errors import SufficeError
from suffice.families.class_prior import Given
from suffice.web.policy import Policy, cost_table, given_prior
from suffice.web.version import Version

_MAX_SUGGESTIONS = 5


def worth_asking(version: Version, policy: Policy, table: Table) -> dict[str, Any] | None:
    """The missing cells that save most expected cost, with the saving, or why it is not computed; None for a complete row."""
    row = {name: np.asarray(table.column(name), dtype=object)[0] for name in version.model.names}
    if not any(is_missing(value) for value in row.values()):
        return None
    model, prior = version.model, given_prior(version, policy)
    if prior is not None:
        model = replace(model, prior=Given(dict(zip(model.classes, prior.tolist(), strict=True))))
    costs, classes = cost_table(version, policy), list(model.classes)
    actions = list(classes)
    if policy.ask is not None and REJECT not in classes:
        costs = np.column_stack([costs, np.full(len(classes), policy.ask)])
        actions.append(REJECT)
    try:
        found = value_of(model, row, Costs(costs, classes=classes, actions=actions))
    except SufficeError as error:
        return {"cells": [], "why_not": str(error)}
    return {"cells": [(str(cell.column), cell.saved) for cell in found.cells[:_MAX_SUGGESTIONS]], "why_not": None}
