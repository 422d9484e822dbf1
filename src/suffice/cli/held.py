"""A model's answers held against the truth."""

import numpy as np

from suffice.cli.gather import guessed_target, with_known_labels
from suffice.cli.scoring import Scorer
from suffice.columns.arrow_table import ArrowTable
from suffice.errors import DataError, quoted
from suffice.evaluate import Assessment
from suffice.report.calibration import calibration_part
from suffice.report.decisions import decision_part
from suffice.report.quality import judged
from suffice.report.summary import CalibrationPart, DecisionPart, Judged, Part
from suffice.sources.source import LocalSource


class Held(Part, frozen=True, kw_only=True):
    """What came of it."""

    source: str
    target: str
    rows: int
    as_learned: bool
    """Whether the model learned as many rows of each class: it may have learned these."""
    quality: list[Judged]
    calibration: CalibrationPart
    decisions: DecisionPart


def held_against(path: str, source: LocalSource, target: str | None, name: str) -> Held:
    """Walks through the rows once; only posteriors are kept."""
    scorer = Scorer(path)
    classes = scorer.classes
    place = {label: i for i, label in enumerate(classes)}
    by_text = {str(label): i for i, label in enumerate(classes)}
    log_posteriors, codes = [], []
    for table in source.batches():
        target = guessed_target(target, table.table, scorer.columns, classes)
        kept = with_known_labels(table.table, target)
        labels = kept.column(target).to_pylist()
        unknown = sorted({str(v) for v in labels if v not in place and str(v) not in by_text})
        if unknown:
            raise DataError(
                f"Column {target!r} holds {quoted(unknown)}", f"the model knows the classes {quoted(list(by_text))}"
            )
        log_posteriors.append(scorer.log_posterior(ArrowTable(kept)))
        codes += [place[v] if v in place else by_text[str(v)] for v in labels]
    assessment = Assessment(tuple(classes), np.concatenate(log_posteriors), np.array(codes, dtype=np.int32))
    assert target is not None
    return Held(
        source=name,
        target=target,
        rows=len(codes),
        as_learned=scorer.learned == np.bincount(assessment.codes, minlength=len(classes)).tolist(),
        quality=[judged("this model", assessment), judged("prior-only", _shares(assessment))],
        calibration=calibration_part(assessment),
        decisions=decision_part(assessment),
    )


def _shares(assessment: Assessment) -> Assessment:
    """Answers with the shares of the classes among these very rows: the best there is without looking."""
    count = np.bincount(assessment.codes, minlength=len(assessment.classes))
    with np.errstate(divide="ignore"):
        log_p = np.tile(np.log(count / count.sum()), (len(assessment.codes), 1))
    return Assessment(assessment.classes, log_p, assessment.codes)
