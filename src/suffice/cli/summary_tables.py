"""The parts of a summary as tables on the terminal."""

from collections.abc import Sequence

from suffice.cli.score_table import ScoreColumn, draw_score_table
from suffice.cli.show import Page
from suffice.report.decisions import probability
from suffice.report.summary import (
    CalibrationPart,
    ClassQuality,
    ConfusionPart,
    DecidedShare,
    Judged,
    MeanScore,
    Summary,
)

_MAX_CLASSES, _MAX_COLUMNS = 12, 30


def draw_classes(page: Page, summary: Summary) -> None:
    data = summary.data
    page.heading(f"{len(data.classes)} classes")
    shown = data.classes[:_MAX_CLASSES]
    page.table(
        ["class", f"of {data.judged_rows:,} rows" if data.is_sample else "rows", "share"],
        [(c.label, f"{c.rows:,}", f"{c.share:.1%}") for c in shown],
        right=(1, 2),
    )
    if len(data.classes) > len(shown):
        page.line(f"… and {len(data.classes) - len(shown)} more")


def draw_columns(page: Page, summary: Summary) -> None:
    sample = f" (of a sample of {summary.data.judged_rows:,} rows)" if summary.data.is_sample else ""
    page.heading(f"Columns: kinds and families{sample}")
    shown = summary.columns[:_MAX_COLUMNS]
    page.table(
        ["column", "kind", "family", "missing", "off by", "why"],
        [
            (
                c.name,
                c.kind,
                c.family,
                f"{c.missing:,}" if c.missing else "",
                f"{c.fit.distance:.2f}" if c.fit else "",
                c.why,
            )
            for c in shown
        ],
        right=(3, 4),
    )
    if len(summary.columns) > len(shown):
        page.line(f"… and {len(summary.columns) - len(shown)} more (--json has them all)")
    for one in summary.left_out:
        page.line(f"excluded: {one.name} ({one.why})")


def draw_quality(page: Page, summary: Summary) -> None:
    page.heading(f"Quality on held-out rows ({summary.judged_by})")
    draw_scores(page, summary.quality)
    page.line(f"calibration: {summary.calibration.verdict} (error {summary.calibration.error:.3f})")


def draw_scores(page: Page, judged: Sequence[Judged]) -> None:
    columns = [
        ScoreColumn("log-loss", [_pair(q.log_loss) for q in judged]),
        ScoreColumn("Brier score", [_pair(q.brier) for q in judged]),
        ScoreColumn("accuracy", [_pair(q.accuracy) for q in judged]),
        ScoreColumn("AUC", [_pair(q.auc) for q in judged]),
    ]
    if any(q.behind for q in judged):
        columns.append(ScoreColumn("behind this model", [_pair(q.behind) for q in judged], short="behind"))
    draw_score_table(page, "", [q.name for q in judged], columns, spare=("Brier score", "AUC"))


def _pair(found: MeanScore | None) -> tuple[float, float] | None:
    return None if found is None else (found.value, found.error)


def draw_class_quality(page: Page, classes: Sequence[ClassQuality]) -> None:
    page.heading("By class")
    shown = classes[:_MAX_CLASSES]
    page.table(
        ["class", "rows", "precision", "recall", "F1", "AUC", "average precision"],
        [
            (c.label, f"{c.rows:,}", *(_known(v) for v in (c.precision, c.recall, c.f1, c.auc, c.average_precision)))
            for c in shown
        ],
        right=range(1, 7),
    )
    if len(classes) > len(shown):
        page.line(f"… and {len(classes) - len(shown)} more (--json has them all)")


def _known(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def draw_calibration(page: Page, part: CalibrationPart) -> None:
    page.heading("Calibration: predicted probability and observed accuracy")
    page.table(
        ["predicted", "observed", "95 % interval", "rows"],
        [(f"{b.predicted:.3f}", f"{b.observed:.3f}", f"{b.low:.3f} to {b.high:.3f}", f"{b.rows:,}") for b in part.bins],
        right=(0, 1, 2, 3),
    )
    page.line(part.verdict)


def draw_confusion(page: Page, part: ConfusionPart) -> None:
    page.heading("Confusion matrix")
    if len(part.classes) <= _MAX_CLASSES:
        page.table(
            ["true class", *(str(c) for c in part.classes)],
            [(c, *(f"{n:,}" for n in row)) for c, row in zip(part.classes, part.rows, strict=True)],
            right=range(1, len(part.classes) + 1),
        )
        return
    page.table(
        ["true class", "predicted", "rows"], [(m.truth, m.answer, f"{m.rows:,}") for m in part.mixups], right=(2,)
    )
    more = _wrong(part) - sum(m.rows for m in part.mixups)
    page.line(f"… and {more:,} rows in other pairs of {len(part.classes)} classes (--json has them all)")


def _wrong(part: ConfusionPart) -> int:
    return sum(n for i, row in enumerate(part.rows) for j, n in enumerate(row) if i != j)


def draw_reject(page: Page, workloads: Sequence[DecidedShare]) -> None:
    page.heading("Error rate with a reject option")
    page.table(
        ["decided", "error rate", "least probability"],
        [(f"{w.decided:.1%}", f"{w.errors:.2%}", probability(w.least_probability, 3)) for w in workloads],
        right=(0, 1, 2),
    )
