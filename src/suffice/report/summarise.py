"""A model and its rows, summed up."""

import platform
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from suffice.evaluate import Assessment
from suffice.evaluate.description import telling_holes
from suffice.report.calibration import calibration_part
from suffice.report.columns import MOST_FITS, column_parts, left_out_parts
from suffice.report.decisions import decision_part
from suffice.report.drivers import drivers, mistakes
from suffice.report.quality import assessed, fold_of, judged, peers
from suffice.report.subject import Subject
from suffice.report.summary import ClassShare, ColumnPart, DataPart, Judged, Reproduce, Summary

_FEW = 20  # rows of a class, below which little can be said about it
_FAR = 0.35  # from what is assumed to what was seen
_NAME = "this model"


def summarise(
    subject: Subject,
    *,
    folds: int = 5,
    seed: int = 0,
    commands: Sequence[str] = (),
    warnings: Sequence[str] = (),
    progress: Callable[[str], object] | None = None,
) -> tuple[Summary, Assessment]:
    """The summary, and the answers to rows left out that it stands on.

    ``seed`` deals the rows out to the folds; it is written into the summary, so that it can be made again.
    """
    say = progress or (lambda what: None)
    fold = fold_of(subject, folds, seed)
    say("cross-validating")
    assessment = assessed(subject, fold)
    quality = [judged(_NAME, assessment)]
    quality += [judged(e.name, e.assessment) for e in peers(subject, fold, say) if e.assessment is not None]
    say("looking at the columns")
    strongest = drivers(subject)
    calibration = calibration_part(assessment)
    important = _important(subject, [d.name for d in strongest])
    columns = column_parts(subject, important)
    summary = Summary(
        data=_data(subject),
        columns=columns,
        left_out=left_out_parts(subject),
        quality=quality,
        calibration=calibration,
        decisions=decision_part(assessment),
        drivers=strongest,
        mistakes=mistakes(subject, assessment),
        warnings=[*warnings, *_warnings(subject, quality, columns, important)],
        reproduce=Reproduce(commands=list(commands), versions=_versions(), folds=folds, seed=seed),
    )
    return summary, assessment


def _important(subject: Subject, features: Sequence[str]) -> list[str]:
    """The columns whose fit is worth a look: those that drive the answers, then the first ones."""
    names = set(subject.names)
    first = [name for name in features if name in names]
    return [*first, *(name for name in subject.names if name not in set(first))][:MOST_FITS]


def _data(subject: Subject) -> DataPart:
    labels, counts = np.unique(subject.labels, return_counts=True)
    here = dict(zip(labels.tolist(), counts.tolist(), strict=True))
    judged_rows = len(subject.labels)
    return DataPart(
        source=subject.source,
        target=subject.target,
        rows=subject.total,
        judged_rows=judged_rows,
        columns=len(subject.names),
        missing_cells=sum(subject.features.column(name).null_count for name in subject.names),
        telling_holes=[str(name) for name in telling_holes(subject.model)],
        classes=[
            ClassShare(label=label, rows=int(n), share=int(n) / judged_rows)
            for label, n in sorted(here.items(), key=lambda item: -item[1])
        ],
    )


def _warnings(
    subject: Subject, quality: list[Judged], columns: list[ColumnPart], important: Sequence[str]
) -> list[str]:
    found = []
    labels, counts = np.unique(subject.labels, return_counts=True)
    few = [str(label) for label, n in zip(labels.tolist(), counts.tolist(), strict=True) if n < _FEW]
    if few:
        found.append(f"Fewer than {_FEW} rows have class {', '.join(few[:5])}: little can be said about it.")
    empty = [name for name in subject.names if subject.features.column(name).null_count == subject.features.num_rows]
    if empty:
        found.append(f"Nothing is known of column {', '.join(empty[:5])}: all cells are missing.")
    ours, by_name = quality[0], {q.name: q for q in quality}
    prior = by_name.get("prior-only")
    if prior and ours.log_loss.value > prior.log_loss.value - 2 * (ours.log_loss.error + prior.log_loss.error):
        better = ours.accuracy.value > prior.accuracy.value + 2 * (ours.accuracy.error + prior.accuracy.error)
        found.append(
            "The answers are good, but the probabilities are worse than the mere shares of the classes: the model is too sure."
            if better
            else "The model is no better than the shares of the classes: the columns say little about the target."
        )
    off = [c.name for c in columns if c.fit and c.fit.distance > _FAR]
    if off:
        found.append(f'What is assumed of column {", ".join(off[:5])} is far from what was seen ("off by").')
    if ours.accuracy.value > 0.999 and subject.features.num_rows > 100:
        found.append(
            f"Nearly every row is answered right: does a column, {important[0]} perhaps, give the target away?"
        )
    return found


def _versions() -> dict[str, str]:
    found: dict[str, Any] = {"python": platform.python_version()}
    for package in ("suffice", "numpy", "scipy", "scikit-learn", "pyarrow"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
