"""``suffice compare``"""

from typing import TYPE_CHECKING, Annotated

import typer

from suffice.cli.options import Encoding, Folds, Json, Kinds, Missing, Seed, Sources, Target

if TYPE_CHECKING:
    from suffice.cli.model_comparison import ModelComparison
    from suffice.cli.show import Page


def compare(
    rows: Sources,
    target: Target = None,
    models: Annotated[
        str | None,
        typer.Option("--models", "-m", metavar="A,B", help="Models to compare; those of scikit-learn by class name."),
    ] = None,
    folds: Folds = 5,
    seed: Seed = 0,
    missing: Missing = None,
    encoding: Encoding = None,
    kind: Kinds = None,
    as_json: Json = False,
) -> None:
    """Compare models on the same folds.

    The models of suffice train (bayes, naive, lda, qda, logistic, and for texts text-multinomial, text-bernoulli and
    text-complement), the class shares (prior-only), k-nn, and classifiers of scikit-learn given by name.

    \b
      suffice compare claims.csv --target fraud
      suffice compare claims.csv -t fraud -m bayes,logistic,RandomForestClassifier
    """
    from suffice.cli.declarations import declared
    from suffice.cli.model_comparison import compare_models
    from suffice.cli.progress import progress
    from suffice.cli.rows import open_rows
    from suffice.cli.show import show

    names = [name for name in (models or "").split(",") if name]
    declaration = declared(missing, encoding, kind)
    with progress() as show_step:
        comparison = compare_models(
            open_rows(rows, declaration), target, names, declaration, folds, seed, rows, show_step
        )
    show(comparison, as_json, _draw)


def _draw(page: "Page", comparison: "ModelComparison") -> None:
    from suffice.cli.score_table import ScoreColumn, draw_score_table

    part = "" if comparison.rows == comparison.judged_rows else f", a sample of {comparison.judged_rows:,}"
    page.line(
        f"{comparison.rows:,} rows{part}, target {comparison.target}, {comparison.folds} folds; best log-loss first"
    )
    lines = [line for line in comparison.models if not line.failed]
    columns = [
        ScoreColumn("log-loss", [line.log_loss for line in lines]),
        ScoreColumn("Brier score", [line.brier for line in lines]),
        ScoreColumn("accuracy", [line.accuracy for line in lines]),
        ScoreColumn("fit", seconds=[line.fit_seconds for line in lines]),
        ScoreColumn("predict", seconds=[line.predict_seconds for line in lines]),
    ]
    draw_score_table(page, "model", [line.name for line in lines], columns, spare=("predict", "fit", "Brier score"))
    for line in comparison.models:
        if line.failed:
            page.warning(f"{line.name} could not be fitted: {line.failed}")
    best = next((line for line in comparison.models if line.train and not line.failed), None)
    if best is not None:
        which = "the best" if best is comparison.models[0] else f"{best.name}, the best model of suffice train"
        page.heading(f"To train {which}")
        page.line(f"  {best.train}")
