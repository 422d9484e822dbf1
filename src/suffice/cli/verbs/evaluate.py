"""``suffice evaluate``"""

from typing import TYPE_CHECKING, Any

from suffice.cli.options import Encoding, Json, ModelFile, Sources, Target

if TYPE_CHECKING:
    from suffice.cli.show import Page


def evaluate(
    model: ModelFile, rows: Sources, target: Target = None, encoding: Encoding = None, as_json: Json = False
) -> None:
    """Evaluate a model on new labelled rows.

    Predictions are compared with the classes of the rows.

    \b
      suffice evaluate claims.model claims_2025.csv --target fraud
    """
    from suffice.cli.declarations import declared
    from suffice.cli.evaluation import evaluate_rows
    from suffice.cli.show import show

    show(evaluate_rows(model, rows, target, declared(encoding=encoding)), as_json, _draw)


def _draw(page: "Page", found: Any) -> None:
    from suffice.cli.drift import draw_drift
    from suffice.cli.summary_tables import (
        draw_calibration,
        draw_class_quality,
        draw_confusion,
        draw_reject,
        draw_scores,
    )

    page.line(f"{found.rows:,} rows of {found.source}, target {found.target}")
    if found.unlabelled:
        page.line(f"{found.unlabelled:,} further rows have no class")
    if found.as_learned:
        page.warning(
            "The model was trained on as many rows of each class. If these are the same rows, the scores are optimistic; "
            "suffice train reports held-out scores."
        )
    page.heading("Quality")
    draw_scores(page, found.quality)
    draw_class_quality(page, found.classes)
    draw_confusion(page, found.decisions.confusion)
    draw_calibration(page, found.calibration)
    draw_reject(page, found.decisions.reject)
    draw_drift(page, found.drift)
