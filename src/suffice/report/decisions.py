"""Costs of decisions, and error rates with a reject option."""

from typing import Any

import numpy as np

from suffice.decision import cost_curve, risk_coverage
from suffice.evaluate import Assessment, confusion
from suffice.numerics.arrays import IntArray
from suffice.report.summary import ConfusionPart, DecidedShare, DecisionPart, ErrorPrice, Mixup

_DECIDED_SHARES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.5)
_RATIOS = (1.0, 5.0, 20.0)
_PRICED_CLASSES = 12  # the most frequent
_MAX_CONFUSIONS = 15


def decision_part(assessment: Assessment) -> DecisionPart:
    """Confusion matrix, error rates with rejection, and costs, from held-out posteriors."""
    classes = list(assessment.classes)
    labels = [classes[code] for code in assessment.codes]
    predictions = [classes[code] for code in assessment.posterior.argmax(axis=1)]
    table = confusion(labels, predictions, classes)
    count = table.count[:, : len(classes)]
    return DecisionPart(
        confusion=ConfusionPart(classes=classes, rows=count.tolist(), mixups=_mixups(count, classes)),
        reject=_reject(assessment, labels),
        prices=_prices(assessment, labels),
    )


def probability(value: float, digits: int) -> str:
    """A rounded probability; values below 1 are not rounded to 1.

    >>> probability(0.98765, 3), probability(0.99999, 3), probability(1.0, 3)
    ('0.988', '>0.999', '1.000')
    """
    text = f"{value:.{digits}f}"
    return f">0.{'9' * digits}" if value < 1 and text.startswith("1") else text


def _mixups(count: IntArray, classes: list[Any]) -> list[Mixup]:
    """Pairs of true and predicted class, the most frequent confusions first."""
    wrong = np.where(np.eye(len(classes), dtype=bool), 0, count)
    order = np.argsort(-wrong, axis=None, kind="stable")[:_MAX_CONFUSIONS]
    pairs = [divmod(int(place), len(classes)) for place in order]
    return [Mixup(truth=classes[i], answer=classes[j], rows=int(wrong[i, j])) for i, j in pairs if wrong[i, j]]


def _reject(assessment: Assessment, labels: list[object]) -> list[DecidedShare]:
    curve = risk_coverage(assessment.posterior, labels, classes=list(assessment.classes))
    found = []
    for share in _DECIDED_SHARES:
        at = int(np.searchsorted(curve.coverage, share - 1e-12))
        found.append(
            DecidedShare(
                decided=float(curve.coverage[at]),
                errors=float(curve.cost[at]),
                least_probability=float(1.0 - curve.threshold[at]),
            )
        )
    return found


def _prices(assessment: Assessment, labels: list[object]) -> list[ErrorPrice]:
    """Cost per row, in units of the cost of a false positive."""
    found = []
    classes = list(assessment.classes)
    common = sorted(classes, key=lambda one: -labels.count(one))[:_PRICED_CLASSES]
    for label in classes[1:] if len(classes) == 2 else common:
        share = float(np.mean([one == label for one in labels]))
        if not 0 < share < 1:
            continue
        curve = cost_curve(assessment.posterior, labels, label, classes=classes, points=2001)
        for ratio in _RATIOS:
            unit = share * ratio + (1.0 - share)
            cost = float(np.interp(share * ratio / unit, curve.weight, curve.cost)) * unit
            found.append(ErrorPrice(of=label, ratio=ratio, cost=cost, never=share * ratio, always=1.0 - share))
    return found
