"""Metrics of the service beside those of requests, for Prometheus."""

from suffice.web.metrics import Sample
from suffice.web.progress import progress
from suffice.web.service import Service


def samples(service: Service) -> list[Sample]:
    """Gauges and counters of the model, the cases, the files and the background fits."""
    cases, version, learning = service.stores.cases, service.version, progress(service)
    counts, files = cases.counts(), service.model_file
    found: list[Sample] = [
        ("suffice_model_version", "gauge", "Journal entries learned by the model.", version.number),
        ("suffice_cases", "gauge", "Stored cases.", counts["cases"]),
        ("suffice_cases_labelled", "gauge", "Cases with a label.", counts["labelled"]),
        (
            "suffice_cases_retired",
            "gauge",
            "Cases whose label is not a class of the model.",
            cases.retired(version.classes),
        ),
        ("suffice_cases_asked", "gauge", "Cases not decided at arrival.", counts["asked"]),
        ("suffice_snapshots_total", "counter", "Model files written.", files.snapshots),
        ("suffice_snapshot_failures_total", "counter", "Failed attempts to write the model file.", files.failures),
        (
            "suffice_erasure_pending",
            "gauge",
            "Files that may still contain erased rows.",
            len(service.writer.pending),
        ),
        ("suffice_weights_version", "gauge", "Version at which weights were fitted.", learning.fitted_at),
        ("suffice_weights_pending", "gauge", "Rows learned since weights were fitted.", learning.pending),
        ("suffice_fits_served_total", "counter", "Fits of weights that were served.", learning.served),
        ("suffice_fits_refused_total", "counter", "Fits rejected as worse than the current weights.", learning.refused),
        ("suffice_fits_failed_total", "counter", "Fits of weights that failed.", learning.failed),
    ]
    if service.mail is not None:
        found += [
            ("suffice_mails_total", "counter", "Messages added as cases.", service.mail.added),
            ("suffice_mails_refused_total", "counter", "Messages skipped.", service.mail.skipped),
        ]
    if learning.followed is not None:
        found.append(
            ("suffice_weights_followed_seconds", "gauge", "Time of the last fit of weights.", learning.followed)
        )
    if learning.latest_loss is not None:
        found.append(
            ("suffice_log_loss", "gauge", "Mean log-loss of the latest labels before learning.", learning.latest_loss)
        )
    return found
