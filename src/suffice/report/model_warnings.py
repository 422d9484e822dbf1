"""Warnings of the report."""

from collections.abc import Sequence

import numpy as np

from suffice.evaluate import Assessment, Score
from suffice.report.subject import Subject
from suffice.report.summary import ColumnPart, Giveaway

_FEWEST_CLASS_ROWS = 20  # below, scores of the class are uncertain
_LARGEST_DISTANCE = 0.35  # between the assumed and the observed distribution, which chance gives
_FEWEST_FIT_ROWS = 30  # of a class less often than once in a thousand times
_MAX_NAMES = 5
SIGNIFICANT = 2.0  # standard errors of a paired difference


def model_warnings(
    subject: Subject,
    ours: Assessment,
    shares: Assessment | None,
    columns: Sequence[ColumnPart],
    found: Sequence[Giveaway],
) -> list[str]:
    """Warnings about the rows, about a model hardly better than the class shares, and about columns that may leak the
    target."""
    said = []
    labels, counts = np.unique(subject.labels, return_counts=True)
    rows = dict(zip(labels.tolist(), counts.tolist(), strict=True))
    few = [str(label) for label, n in rows.items() if n < _FEWEST_CLASS_ROWS]
    sample = f" of a sample of {subject.rows.num_rows:,}" if subject.is_sample else ""
    if few:
        said.append(
            f"Fewer than {_FEWEST_CLASS_ROWS} rows{sample} have class {_listed(few)}: scores of such a class are uncertain."
        )
    empty = [name for name in subject.names if subject.features.column(name).null_count == subject.features.num_rows]
    if empty:
        said.append(f"Nothing is known of column {_listed(empty)}: all cells{sample and f'{sample} rows'} are missing.")
    if shares is not None:
        said += _beside_shares(ours, shares)
    off = [
        c.name
        for c in columns
        if c.fit and c.fit.distance > _LARGEST_DISTANCE and rows[c.fit.klass] >= _FEWEST_FIT_ROWS
    ]
    if off:
        said.append(f'The assumed distribution of column {_listed(off)} is far from the observed one ("off by").')
    return [*said, *_leakage_warnings(found)]


def _beside_shares(ours: Assessment, shares: Assessment) -> list[str]:
    """A warning if the model is no better than the class shares, by paired differences."""
    gain = shares.less(ours)
    if is_positive(gain):
        return []
    worse = is_positive(Score(-gain.value, gain.error))
    if worse and is_positive(ours.less(shares, "accuracy")):
        return [
            "The predictions are good, but the probabilities are worse than the class shares: the model is overconfident."
        ]
    beside, chance = ("worse", "") if worse else ("no better", ", which may be chance")
    away = f"{'higher' if gain.value < 0 else 'lower'} by {abs(gain.value):.4f} ± {gain.error:.4f}{chance}"
    ranked = ours.auc
    why = (
        f"The columns do separate the classes (AUC {ranked.value:.3f}): the prior or the probabilities are off."
        if is_positive(Score(ranked.value - 0.5, ranked.error))
        else "The columns predict the target poorly."
    )
    return [f"The model is {beside} than the shares of the classes: its log-loss is {away}. {why}"]


def is_positive(difference: Score) -> bool:
    """Whether a paired difference is significantly above 0; an infinite one counts as such."""
    if not np.isfinite(difference.value):
        return difference.value > 0
    return difference.value > SIGNIFICANT * difference.error


def _leakage_warnings(found: Sequence[Giveaway]) -> list[str]:
    whole = [one.column for one in found if one.klass is None]
    said = []
    if whole:
        said.append(
            f"Column {_listed(whole)} alone predicts nearly every class: does it give the target away? Drop it if it is not"
            " known before the class is."
        )
    part = [one for one in found if one.klass is not None]
    for one in part[:_MAX_NAMES]:
        by = f"column {one.column}" if one.word is None else f"the word {one.word!r} in column {one.column}"
        said.append(
            f"{by[0].upper()}{by[1:]} alone separates nearly every row of class {one.klass} from all others: does it give that"
            " class away?"
        )
    if len(part) > _MAX_NAMES:
        said.append(f"So do {len(part) - _MAX_NAMES} more columns and classes (--json has them all).")
    return said


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MAX_NAMES])
    return shown if len(names) <= _MAX_NAMES else f"{shown} and {len(names) - _MAX_NAMES} more"
