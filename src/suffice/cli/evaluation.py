"""Evaluation of a model on labelled rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.cli.alignment import with_class_names
from suffice.cli.drift import DriftMonitor, DriftPart
from suffice.cli.loaded_rows import inferred_target, labelled_rows, load_rows, no_labels_error, target_of
from suffice.cli.rows import open_rows
from suffice.cli.scoring import Scorer
from suffice.columns.arrow_table import ArrowTable
from suffice.columns.schema import Declared
from suffice.errors import DataError, quoted
from suffice.evaluate import Assessment
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.report.calibration import calibration_part
from suffice.report.classes import class_parts
from suffice.report.decisions import decision_part
from suffice.report.judging import TestRows
from suffice.report.quality import judged
from suffice.report.summary import CalibrationPart, ClassQuality, DecisionPart, Judged, SummaryPart


class Evaluation(SummaryPart, frozen=True, kw_only=True):
    """The evaluation of a model on labelled rows."""

    source: str
    target: str
    rows: int
    unlabelled: int
    """Number of further rows, without a class."""
    as_learned: bool
    """Whether the model was trained on as many rows of each class, so possibly on these rows."""
    quality: list[Judged]
    classes: list[ClassQuality]
    calibration: CalibrationPart
    decisions: DecisionPart
    drift: DriftPart
    """Drift of these rows from the training rows."""


def evaluate_rows(path: str, places: Sequence[str], target: str | None, declared: Declared) -> Evaluation:
    """Score the rows in one pass, with only posteriors in memory."""
    scorer = Scorer.of(path)
    monitor = DriftMonitor(scorer, path)
    parts, unlabelled = [], 0
    for table in open_rows(places, declared, scorer.schema).batches():
        rows = with_class_names(table.table, scorer.columns, scorer.classes)
        target = inferred_target(target, rows, scorer.columns, scorer.classes)
        kept = rows.filter(rows.column(target).is_valid())
        unlabelled += rows.num_rows - kept.num_rows
        if kept.num_rows:
            parts.append(_scored(scorer, kept, target))
            monitor.add(ArrowTable(kept), np.exp(parts[-1][0]))
    if not parts:
        raise no_labels_error(target)
    log_posteriors, codes = zip(*parts, strict=True)
    assessment = Assessment(tuple(scorer.classes), np.concatenate(log_posteriors), np.concatenate(codes))
    assert target is not None
    count = np.bincount(assessment.codes, minlength=len(scorer.classes))
    return Evaluation(
        source=" ".join(places),
        target=target,
        rows=len(assessment.codes),
        unlabelled=unlabelled,
        as_learned=scorer.learned == count.tolist(),
        quality=[judged("this model", assessment), judged("prior-only", _shares(assessment))],
        classes=class_parts(assessment),
        calibration=calibration_part(assessment),
        decisions=decision_part(assessment),
        drift=monitor.part(),
    )


def load_test_rows(estimator: Any, places: Sequence[str], target: str, seed: int) -> TestRows:
    """Labelled test rows with the posteriors of a model; a sample if there are very many."""
    scorer = Scorer(getattr(estimator, "model_", None), estimator)
    found = load_rows(open_rows(places, schema=scorer.schema), seed=seed)
    sample = with_class_names(found.sample, scorer.columns, scorer.classes)
    rows, numbers = labelled_rows(sample, found.numbers, target_of(target, sample))
    log_p, codes = _scored(scorer, rows, target)
    assessment = Assessment(tuple(scorer.classes), log_p, codes)
    return TestRows(" ".join(places), rows, assessment, numbers, found.labels(target))


def _scored(scorer: Scorer, rows: Any, target: str) -> tuple[FloatArray, CodeArray]:
    """log p(class | row), and the class code of each row."""
    place = {label: i for i, label in enumerate(scorer.classes)}
    by_text = {str(label): i for i, label in enumerate(scorer.classes)}
    labels = rows.column(target).to_pylist()
    unknown = sorted({str(v) for v in labels if v not in place and str(v) not in by_text})
    if unknown:
        raise DataError(
            f"Column {target!r} holds {quoted(unknown)}", f"the model has the classes {quoted(list(by_text))}"
        )
    codes = [place[v] if v in place else by_text[str(v)] for v in labels]
    return scorer.log_posterior(ArrowTable(rows)), np.array(codes, dtype=np.int32)


def _shares(assessment: Assessment) -> Assessment:
    """The best constant prediction: the class shares of these rows."""
    count = np.bincount(assessment.codes, minlength=len(assessment.classes))
    with np.errstate(divide="ignore"):
        log_p = np.tile(np.log(count / count.sum()), (len(assessment.codes), 1))
    return Assessment(assessment.classes, log_p, assessment.codes)
