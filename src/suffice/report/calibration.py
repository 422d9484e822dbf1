"""Calibration of the probabilities."""

from suffice.decision import reliability
from suffice.evaluate import Assessment
from suffice.report.summary import Bin, CalibrationPart

_MAX_ERROR_GOOD, _MAX_ERROR_SLIGHT = 0.03, 0.08  # expected calibration error


def calibration_part(assessment: Assessment, bins: int = 10) -> CalibrationPart:
    """Predicted probability of the most probable class against observed accuracy."""
    classes = list(assessment.classes)
    labels = [classes[code] for code in assessment.codes]
    curve = reliability(assessment.posterior, labels, bins=bins, classes=classes)
    found = [
        Bin(predicted=float(p), observed=float(o), low=float(low), high=float(high), rows=int(n))
        for p, o, low, high, n in zip(curve.predicted, curve.observed, curve.low, curve.high, curve.count, strict=True)
    ]
    return CalibrationPart(error=curve.error, verdict=_verdict(curve.error, found), bins=found)


def _verdict(error: float, bins: list[Bin]) -> str:
    total = sum(b.rows for b in bins)
    lean = sum(b.rows * (b.predicted - b.observed) for b in bins) / total
    direction = "overconfident" if lean > 0 else "underconfident"
    if error < _MAX_ERROR_GOOD:
        return "the probabilities are well calibrated"
    size = "slightly" if error < _MAX_ERROR_SLIGHT else "strongly"
    return f"the model is {size} {direction}: its probabilities are off by {error:.1%} on average"
