"""Scoring of rows that are not stored: score, explain, decide."""

from typing import Any

from suffice.web.api.messages import Decided, Decisions, Explanations, Scores
from suffice.web.api.views import explained, scored
from suffice.web.model_context import ModelContext
from suffice.web.policy import decided

INLINE_ROWS = 32  # up to so many rows, scoring takes less time than starting a thread


def score_rows(service: ModelContext, data: Any) -> Scores:
    """p(class | row) for every row."""
    service.throttle.wait()
    version = service.version
    posterior, density = version.scores(service.columns.table(data.rows))
    service.metrics.scored(len(data.rows))
    names = list(service.label_names)
    results = [scored(names, p, d) for p, d in zip(posterior.tolist(), density.tolist(), strict=True)]
    return Scores(version.number, results)


def explain_rows(service: ModelContext, data: Any) -> Explanations:
    """Evidence by column for one class against another: by default the most probable against the next.

    With ``interactions``, evidence by groups of columns too.
    """
    service.throttle.wait()
    version = service.version
    of = None if data.of is None else service.label(data.of, "of")
    against = None if data.against is None else service.label(data.against, "against")
    table = service.columns.table(data.rows)
    rows = (table.slice(i, i + 1) for i in range(table.rows))  # explained together, each would list the words of all
    found = (version.explained(row, of, against, interactions=data.interactions) for row in rows)
    return Explanations(version.number, [explained(each, 0) for each in found])


def decide_rows(service: ModelContext, data: Any) -> Decisions:
    """The action of least expected cost for every row, which may be to ask a person, under the service's policy or a given
    one."""
    service.throttle.wait()
    version = service.version
    found = decided(version, data.policy or service.policy, service.columns.table(data.rows))
    results = [
        Decided(found.action(i), found.action(i) is None, float(found.decision.risk[i]), service.named(p))
        for i, p in enumerate(found.posterior)
    ]
    return Decisions(version.number, results)
