"""The verdict: target, quality, calibration and next steps."""

import shlex
from collections.abc import Sequence

from suffice.evaluate import Assessment
from suffice.report.model_warnings import is_positive
from suffice.report.subject import Subject
from suffice.report.summary import CalibrationPart, DecisionPart, Judged, Leak

_MAX_NAMES = 4  # of classes
_MAX_CALIBRATION_ERROR = 0.08  # of probabilities that can be trusted
_DECIDED_SHARE = 0.9  # of the rows; the others go to a person


def verdict(
    subject: Subject,
    quality: Sequence[Judged],
    calibration: CalibrationPart,
    logistic: Assessment | None,
    ours: Assessment,
) -> list[str]:
    """One sentence each on target, quality, calibration and the comparison with logistic regression."""
    classes = [str(c) for c in subject.estimator.classes_.tolist()]
    named = ", ".join(classes[:_MAX_NAMES]) + (
        f" and {len(classes) - _MAX_NAMES} more" if len(classes) > _MAX_NAMES else ""
    )
    columns = f"{len(subject.names):,} column{'' if len(subject.names) == 1 else 's'}"
    learned = subject.total if subject.learned is None else subject.learned
    sentences = [f"The model predicts {subject.target} ({named}) from {columns}, trained on {learned:,} rows."]
    if learned != subject.total:
        sentences.append(
            f"This report uses {subject.total:,} rows: quality is that of models with the same settings trained on parts of"
            " them. suffice evaluate scores the model itself."
        )
    by_name = {q.name: q for q in quality}
    model, shares = quality[0], by_name.get("prior-only")
    if shares is not None:
        less = 1.0 - model.log_loss.value / shares.log_loss.value if shares.log_loss.value else 0.0
        sentences.append(
            f"On held-out rows, its accuracy is {model.accuracy.value:.1%}; always predicting the most frequent class gives"
            f" {shares.accuracy.value:.1%}. Its log-loss is {model.log_loss.value:.3f}, that of the class"
            f" shares {shares.log_loss.value:.3f}: {abs(less):.0%} {'less' if less >= 0 else 'more'}."
        )
    if logistic is not None:
        sentences.append(_compared_with_logistic(ours, logistic))
    trusted = calibration.error < _MAX_CALIBRATION_ERROR
    size = calibration.verdict.replace("the probabilities", "they")
    sentences.append(
        f"Its probabilities {'can' if trusted else 'cannot'} be trusted: {size}"
        f" (expected calibration error {calibration.error:.3f})."
    )
    return sentences


def _compared_with_logistic(ours: Assessment, logistic: Assessment) -> str:
    ahead, behind = logistic.less(ours), ours.less(logistic)
    size = f"log-loss {abs(ahead.value):.4f} ± {ahead.error:.4f}"
    if is_positive(ahead):
        return f"It is better than logistic regression: {size} lower on the same rows."
    if is_positive(behind):
        return f"It is worse than logistic regression: {size} higher on the same rows."
    return (
        "It does not differ significantly from logistic regression: the log-losses differ by"
        f" {abs(ahead.value):.4f} ± {ahead.error:.4f} on the same rows."
    )


def _drop_option(columns: Sequence[str]) -> str:
    """The option of ``suffice train``; commas in names would end them in ``--drop``."""
    if any("," in name for name in columns):
        return " ".join(f"--kind {shlex.quote(f'{name}=ignore')}" for name in columns)
    return f"--drop {shlex.quote(','.join(columns))}"


def next_steps(
    subject: Subject,
    ours: Assessment,
    logistic: Assessment | None,
    decisions: DecisionPart,
    found: Sequence[Leak],
    mistakes: int,
) -> list[str]:
    """Recommended next steps, the most urgent first."""
    sentences = []
    if found:
        columns = list(dict.fromkeys(one.column for one in found if one.word is None))
        if columns:
            sentences.append(
                f"Check whether {', '.join(columns)} is known before {subject.target}; if not, train again with"
                f" {_drop_option(columns)}."
            )
    if logistic is not None and is_positive(ours.less(logistic)):
        sentences.append("Try other models: suffice compare ROWS --target COLUMN.")
    everything = decisions.reject[0].errors
    part = next((w for w in decisions.reject if w.decided <= _DECIDED_SHARE + 0.005), None)
    if part is not None and part.errors < everything:
        sentences.append(
            f"Leave the least certain rows to a person: with {part.decided:.0%} of rows decided, the error rate falls from"
            f" {everything:.1%} to {part.errors:.1%}."
        )
    if mistakes:
        sentences.append(
            "Check the errors at the end of this page: some may be wrong labels. suffice audit ROWS lists more."
        )
    return [*sentences, "Predict new rows: suffice predict MODEL NEW_ROWS."]
