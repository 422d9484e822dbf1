"""Warnings of the report."""

from collections.abc import Sequence

import numpy as np

from suffice.evaluate import Assessment, Score
from suffice.report.subject import Subject
from suffice.report.summary import ColumnPart, Leak

_MIN_CLASS_ROWS = 20  # with fewer, scores of the class are uncertain
_MAX_DISTANCE = 0.35  # between the assumed and the observed distribution; by chance, it is exceeded
_MIN_FIT_ROWS = 30  # with so many rows of a class in less than one case of a thousand
_MAX_NAMES = 5
SIGNIFICANT = 2.0  # standard errors of a paired difference


def model_warnings(
    subject: Subject,
    ours: Assessment,
    shares: Assessment | None,
    columns: Sequence[ColumnPart],
    found: Sequence[Leak],
) -> list[str]:
    """Warnings about the rows, about a model hardly better than the class shares, and about columns that may leak the
    target."""
    sentences = []
    labels, counts = np.unique(subject.labels, return_counts=True)
    rows = dict(zip(labels.tolist(), counts.tolist(), strict=True))
    few = [str(label) for label, n in rows.items() if n < _MIN_CLASS_ROWS]
    sample = f" of a sample of {subject.rows.num_rows:,}" if subject.is_sample else ""
    if few:
        sentences.append(
            f"Fewer than {_MIN_CLASS_ROWS} rows{sample} have class {_listed(few)}: its scores are uncertain."
        )
    empty = [name for name in subject.names if subject.features.column(name).null_count == subject.features.num_rows]
    if empty:
        sentences.append(f"All cells of column {_listed(empty)}{sample and f'{sample} rows'} are missing.")
    if shares is not None:
        sentences += _compared_with_shares(ours, shares)
    off = [c.name for c in columns if c.fit and c.fit.distance > _MAX_DISTANCE and rows[c.fit.klass] >= _MIN_FIT_ROWS]
    if off:
        sentences.append(f'The assumed distribution of column {_listed(off)} is far from the observed one ("off by").')
    return [*sentences, *_leakage_warnings(found)]


def _compared_with_shares(ours: Assessment, shares: Assessment) -> list[str]:
    """A warning if the model is no better than the class shares, by paired differences."""
    gain = shares.less(ours)
    if is_positive(gain):
        return []
    worse = is_positive(Score(-gain.value, gain.error))
    if worse and is_positive(ours.less(shares, "accuracy")):
        return [
            "The predictions are good, but the probabilities are worse than the class shares: the model is overconfident."
        ]
    comparison, chance = ("worse", "") if worse else ("no better", ", which is not significant")
    size = f"{'higher' if gain.value < 0 else 'lower'} by {abs(gain.value):.4f} ± {gain.error:.4f}{chance}"
    ranked = ours.auc
    reason = (
        f"The columns do separate the classes (AUC {ranked.value:.3f}): the prior or the probabilities are wrong."
        if is_positive(Score(ranked.value - 0.5, ranked.error))
        else "The columns predict the target poorly."
    )
    return [f"The model is {comparison} than the class shares: its log-loss is {size}. {reason}"]


def is_positive(difference: Score) -> bool:
    """Whether a paired difference is significantly positive; an infinite one is."""
    if not np.isfinite(difference.value):
        return difference.value > 0
    return difference.value > SIGNIFICANT * difference.error


def _leakage_warnings(found: Sequence[Leak]) -> list[str]:
    whole = [one.column for one in found if one.klass is None]
    sentences = []
    if whole:
        sentences.append(
            f"Column {_listed(whole)} alone predicts nearly every class, which may be target leakage. Drop it if it is not"
            " known before the class is."
        )
    part = [one for one in found if one.klass is not None]
    for one in part[:_MAX_NAMES]:
        by = f"column {one.column}" if one.word is None else f"the word {one.word!r} in column {one.column}"
        sentences.append(
            f"{by[0].upper()}{by[1:]} alone separates nearly every row of class {one.klass} from all others, which may be"
            " target leakage."
        )
    if len(part) > _MAX_NAMES:
        sentences.append(f"The same holds for {len(part) - _MAX_NAMES} more columns and classes (--json has them all).")
    return sentences


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MAX_NAMES])
    return shown if len(names) <= _MAX_NAMES else f"{shown} and {len(names) - _MAX_NAMES} more"
