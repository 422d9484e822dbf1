"""The dashboard: counts, rate of asking, drift of the cases from the training rows, and
calibration of the probabilities."""

from typing import Any

import msgspec
import numpy as np
from scipy import stats

from suffice.decision import estimate_priors, reliability
from suffice.errors import SufficeError
from suffice.web.agreement import Agreement, agreement
from suffice.web.progress import Progress, progress
from suffice.web.service import Service
from suffice.web.store.cases import Case
from suffice.web.store.receipts import PendingFile

_LATEST_CASES = 2000
_MIN_CASES = 20  # for a comparison


class PriorShare(msgspec.Struct, frozen=True):
    """A class: its share in training, and its estimated share in the latest cases with the standard error."""

    label: str
    trained: float
    estimated: float | None
    standard_error: float | None


class CalibrationBin(msgspec.Struct, frozen=True):
    """Labelled cases with similar probabilities of their most probable class on arrival."""

    predicted: float
    observed: float
    low: float
    high: float
    cases: int


class Dashboard(msgspec.Struct, frozen=True):
    """``prior_p_value`` tests that the prior is that of training; ``drift_p_value`` (Kolmogorov and Smirnov) that the newer
    half of the latest cases is as probable under the model as the older half. Small values indicate drift."""

    version: int
    cases: int
    labelled: int
    retired: int
    """Number of labelled cases whose class is not in the model; they are stored but not learned."""
    asked: int
    waiting: int
    reject_rate: float | None
    class_counts: dict[str, float]
    priors: list[PriorShare]
    prior_p_value: float | None
    calibration: list[CalibrationBin]
    calibration_error: float | None
    right: float | None
    """Share of the labelled cases whose most probable class was their label."""
    drift_p_value: float | None
    pending: list[PendingFile]
    """Files that may still contain erased rows."""
    progress: Progress
    conflicts: int
    """Number of cases with conflicting labels."""
    agreement: Agreement


def dashboard(service: Service) -> Dashboard:
    version = service.version
    names = service.label_names.keys()
    latest = [c for c in service.stores.cases.latest(_LATEST_CASES) if c.posterior.keys() == names]
    labelled = [c for c in service.stores.cases.labelled(_LATEST_CASES) if c.posterior.keys() == names]
    labelled = [c for c in labelled if c.label in version.classes]
    counts = service.stores.cases.counts()
    priors, changed = _priors(service, latest)
    bins, error, right = _calibration(service, labelled)
    return Dashboard(
        version=version.number,
        retired=service.stores.cases.retired(version.classes),
        waiting=service.waiting.queue(version, service.policy).count,
        reject_rate=counts["asked"] / counts["cases"] if counts["cases"] else None,
        class_counts=version.class_counts,
        priors=priors,
        prior_p_value=changed,
        calibration=bins,
        calibration_error=error,
        right=right,
        drift_p_value=_drift(latest),
        pending=service.writer.pending,
        progress=progress(service),
        conflicts=len(service.stores.opinions.in_conflict(_LATEST_CASES)),
        agreement=agreement(service.stores.opinions.counts()),
        **counts,
    )


def _priors(service: Service, latest: list[Case]) -> tuple[list[PriorShare], float | None]:
    trained = service.version.prior
    if len(latest) < _MIN_CASES:
        return [PriorShare(n, p, None, None) for n, p in service.named(trained).items()], None
    contents = [case.content for case in latest]
    try:
        posterior = service.version.posterior(service.columns.restored(contents))
        found = estimate_priors(posterior, trained, classes=list(service.version.classes))
    except SufficeError:
        return [PriorShare(n, p, None, None) for n, p in service.named(trained).items()], None
    columns = (trained, found.priors, found.standard_error)
    rows: list[tuple[Any, ...]] = list(
        zip(service.label_names, *(np.asarray(c).tolist() for c in columns), strict=True)
    )
    return [PriorShare(*row) for row in rows], found.p_value


def _calibration(service: Service, labelled: list[Case]) -> tuple[list[CalibrationBin], float | None, float | None]:
    if not labelled:
        return [], None, None
    classes = list(service.version.classes)
    posterior = np.array([[case.posterior[name] for name in service.label_names] for case in labelled])
    truth = np.array([classes.index(case.label) for case in labelled])
    curve = reliability(posterior, truth, classes=range(len(classes)))
    columns = (curve.predicted, curve.observed, curve.low, curve.high, curve.count)
    bins = [CalibrationBin(*row) for row in zip(*(c.tolist() for c in columns), strict=True)]
    return bins, curve.error, float((posterior.argmax(axis=1) == truth).mean())


def _drift(latest: list[Case]) -> float | None:
    density = [case.log_density for case in latest if case.log_density is not None]
    half = len(density) // 2
    if half < _MIN_CASES:
        return None
    return float(stats.ks_2samp(density[:half], density[half:]).pvalue)
