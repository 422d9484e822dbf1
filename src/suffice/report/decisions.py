"""What deciding costs, and what is gained by leaving the unsure rows to a person."""

import numpy as np

from suffice.decision import cost_curve, risk_coverage
from suffice.evaluate import Assessment, confusion
from suffice.report.summary import ConfusionPart, DecisionPart, ErrorPrice, Workload

_SHARES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.5)
_RATIOS = (1.0, 5.0, 20.0)
_MOST_CLASSES = 12  # whose errors are priced


def decision_part(assessment: Assessment) -> DecisionPart:
    """From answers to rows that were left out."""
    classes = list(assessment.classes)
    labels = [classes[code] for code in assessment.codes]
    answers = [classes[code] for code in assessment.posterior.argmax(axis=1)]
    table = confusion(labels, answers, classes)
    return DecisionPart(
        confusion=ConfusionPart(classes=classes, rows=table.count[:, : len(classes)].tolist()),
        reject=_reject(assessment, labels),
        prices=_prices(assessment, labels),
    )


def _reject(assessment: Assessment, labels: list[object]) -> list[Workload]:
    curve = risk_coverage(assessment.posterior, labels, classes=list(assessment.classes))
    found = []
    for share in _SHARES:
        at = int(np.searchsorted(curve.coverage, share - 1e-12))
        found.append(
            Workload(
                decided=float(curve.coverage[at]),
                errors=float(curve.cost[at]),
                least_probability=float(1.0 - curve.threshold[at]),
            )
        )
    return found


def _prices(assessment: Assessment, labels: list[object]) -> list[ErrorPrice]:
    """Costs a row, in units of a false alarm."""
    found = []
    classes = list(assessment.classes)
    for label in classes[1:] if len(classes) == 2 else classes[:_MOST_CLASSES]:
        share = float(np.mean([one == label for one in labels]))
        if not 0 < share < 1:
            continue
        curve = cost_curve(assessment.posterior, labels, label, classes=classes, points=2001)
        for ratio in _RATIOS:
            unit = share * ratio + (1.0 - share)
            cost = float(np.interp(share * ratio / unit, curve.weight, curve.cost)) * unit
            found.append(ErrorPrice(of=label, ratio=ratio, cost=cost, never=share * ratio, always=1.0 - share))
    return found
