"""Quality by class: precision, recall, F1, AUC, and thinned curves."""

import numpy as np

from suffice.evaluate import Assessment, Ranking, confusion
from suffice.evaluate.ranking import ranked
from suffice.numerics.arrays import FloatArray
from suffice.report.summary import ClassQuality, RankingPart

_MAX_CLASSES = 12  # with curves
_CURVE_POINTS = 101  # of a curve


def class_parts(assessment: Assessment) -> list[ClassQuality]:
    """Quality of each class, the most frequent first."""
    classes = list(assessment.classes)
    labels = [classes[code] for code in assessment.codes]
    table = confusion(labels, [classes[code] for code in assessment.posterior.argmax(axis=1)], classes)
    rows = table.count.sum(axis=1)
    found = []
    order = np.argsort(-rows, kind="stable").tolist()
    drawn = {1} if len(classes) == 2 else set(order[:_MAX_CLASSES])
    for c in order:
        some = 0 < rows[c] < rows.sum()
        curve = ranked(assessment.codes == c, assessment.log_posterior[:, c], classes[c]) if some else None
        found.append(
            ClassQuality(
                label=classes[c],
                rows=int(rows[c]),
                precision=_known(table.precision, c),
                recall=_known(table.recall, c),
                f1=_known(table.f1, c),
                auc=None if curve is None else curve.auc,
                average_precision=None if curve is None else curve.average_precision,
                ranking=None if curve is None or c not in drawn else _thinned(curve),
            )
        )
    return found


def _known(values: FloatArray, c: int) -> float | None:
    return None if np.isnan(values[c]) else float(values[c])


def _thinned(curve: Ranking) -> RankingPart:
    """The points of a curve at evenly spaced shares of rows."""
    share = curve.predicted_positive_rate
    at = np.unique(np.searchsorted(share, np.linspace(0, 1, _CURVE_POINTS)).clip(max=len(share) - 1))
    return RankingPart(
        predicted_positive_rate=share[at].tolist(),
        recall=curve.recall[at].tolist(),
        false_positive_rate=curve.false_positive_rate[at].tolist(),
        precision=curve.precision[at].tolist(),
        lift=curve.lift[at].tolist(),
        threshold=np.exp(curve.threshold[at]).tolist(),
    )
