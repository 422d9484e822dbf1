"""Summary of a model and its rows."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec
import numpy as np

from suffice.evaluate import Assessment
from suffice.evaluate.description import informative_missing_columns
from suffice.report.calibration import calibration_part
from suffice.report.classes import class_parts
from suffice.report.columns import MAX_FITS, column_parts, left_out_parts
from suffice.report.decisions import decision_part
from suffice.report.drivers import drivers
from suffice.report.importance import importance
from suffice.report.judging import Judging
from suffice.report.leakage import leaking_columns
from suffice.report.missing_cells import columns_missing_by_class
from suffice.report.mistakes import mistakes
from suffice.report.model_warnings import model_warnings
from suffice.report.quality import cross_validated, judged, peers, peers_on, posteriors_of_test_rows
from suffice.report.remarks import remarks
from suffice.report.subject import Subject
from suffice.report.summary import ClassShare, DataPart, Reproduce, Summary
from suffice.report.verdict import next_steps, verdict

_NAME_OF_MODEL = "this model"


def summarise(
    subject: Subject,
    *,
    folds: int = 5,
    seed: int = 0,
    judging: Judging | None = None,
    commands: Sequence[str] = (),
    warnings: Sequence[str] = (),
    progress: Callable[[str], object] | None = None,
) -> tuple[Summary, Assessment]:
    """Summarise a model: the summary, and the held-out posteriors that it is computed from.

    ``seed`` determines the folds and is recorded in the summary. ``judging`` replaces ``folds`` and ``seed``.

    Parameters
    ----------
    subject : Subject
        The model and its rows.
    folds : int, default=5
        Number of folds.
    seed : int, default=0
        Seed of the folds.
    judging : Judging or None, default=None
        Replaces folds and seed.
    commands : sequence of str, default=()
        Commands that reproduce the report.
    warnings : sequence of str, default=()
        Warnings to list.
    progress : callable or None, default=None
        Called with the name of each step.

    Returns
    -------
    tuple of Summary and Assessment
        The summary and the scored rows.
    """
    show_step = progress or (lambda what: None)
    by = Judging(folds, seed) if judging is None else judging
    if by.test is not None:
        answered, rows = (
            posteriors_of_test_rows(subject, by.test),
            replace(subject, rows=by.test.rows, numbers=by.test.numbers),
        )
        entries = peers_on(subject, by.test, show_step)
    else:
        split = by.split(subject)
        show_step("cross-validating")
        answered, rows = (
            cross_validated(subject, split),
            subject.take(split.held_out_rows) if split.is_ordered else subject,
        )
        entries = peers(subject, split, show_step)
    ours = answered.assessment
    others = {e.name: e.assessment for e in entries if e.assessment is not None}
    quality = [judged(_NAME_OF_MODEL, ours), *(judged(name, other, ours) for name, other in others.items())]
    show_step("columns")
    strongest, texts, driver_rows = drivers(subject)
    losses, loss_rows = importance(rows, answered, [d.name for d in strongest])
    columns = column_parts(subject, _important(subject, [d.name for d in strongest]))
    calibration, decisions = calibration_part(ours), decision_part(ours)
    found, wrong = leaking_columns(subject), mistakes(rows, answered)
    logistic = others.get("logistic")
    summary = Summary(
        data=_data(subject),
        columns=columns,
        left_out=left_out_parts(subject),
        judged_by=_judged_by(by, subject),
        quality=quality,
        classes=class_parts(ours),
        calibration=calibration,
        decisions=decisions,
        drivers=[msgspec.structs.replace(d, loss=losses.get(d.name)) for d in strongest],
        driver_rows=driver_rows,
        loss_rows=loss_rows,
        texts=texts,
        mistakes=wrong,
        verdict=verdict(subject, quality, calibration, logistic, ours),
        next_steps=next_steps(subject, ours, logistic, decisions, found, len(wrong)),
        leaks=found,
        warnings=[
            *warnings,
            *(f"{e.name} could not be fitted: {e.failed}" for e in entries if e.failed),
            *model_warnings(subject, ours, others.get("prior-only"), columns, found),
        ],
        reproduce=Reproduce(commands=list(commands), versions=_versions(), folds=by.folds, seed=by.seed),
    )
    return summary, ours


def _judged_by(by: Judging, subject: Subject) -> str:
    sampled = by.test is None and subject.is_sample
    return f"{by}, on a sample of {len(subject.labels):,} rows" if sampled else str(by)


def _important(subject: Subject, features: Sequence[str]) -> list[str]:
    """The columns whose fit is measured: the most important ones, then the first ones."""
    names = set(subject.names)
    first = [name for name in features if name in names]
    return [*first, *(name for name in subject.names if name not in set(first))][:MAX_FITS]


def _data(subject: Subject) -> DataPart:
    labels, counts = np.unique(subject.labels, return_counts=True)
    here = dict(zip(labels.tolist(), counts.tolist(), strict=True))
    judged_rows = len(subject.labels)
    return DataPart(
        source=subject.source,
        target=subject.target,
        rows=subject.total + subject.unlabelled,
        unlabelled=subject.unlabelled,
        judged_rows=judged_rows,
        columns=len(subject.names),
        missing_cells=sum(subject.features.column(name).null_count for name in subject.names),
        informative_missing=[str(name) for name in informative_missing_columns(subject.model)]
        if subject.has_densities
        else [],
        missing_by_class=columns_missing_by_class(subject),
        reading=list(subject.schema.remarks) if subject.schema else [],
        remarks=remarks(subject),
        classes=[
            ClassShare(label=label, rows=int(n), share=int(n) / judged_rows)
            for label, n in sorted(here.items(), key=lambda item: -item[1])
        ],
    )


@cache
def _versions() -> dict[str, str]:
    found: dict[str, Any] = {"python": platform.python_version()}
    for package in ("suffice", "numpy", "scipy", "scikit-learn", "pyarrow"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
