"""``suffice compare``"""

from typing import TYPE_CHECKING, Annotated

import typer

from suffice.cli.options import Encoding, Folds, Json, Kinds, Missing, Seed, Sources, Target

if TYPE_CHECKING:
    from suffice.cli.model_comparison import Board
    from suffice.cli.show import Page


def compare(
    rows: Sources,
    target: Target = None,
    models: Annotated[
        str | None,
        typer.Option(
            "--models", "-m", metavar="A,B", help="Which; those of scikit-learn by the names of their classes."
        ),
    ] = None,
    folds: Folds = 5,
    seed: Seed = 0,
    missing: Missing = None,
    encoding: Encoding = None,
    kind: Kinds = None,
    as_json: Json = False,
) -> None:
    """Compare models on the same folds.

    Those that suffice train has (bayes, naive, lda, qda, logistic, and for texts text-multinomial, text-bernoulli and
    text-complement), the prior alone (prior-only), k-nn, and any classifier of scikit-learn that is named.

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
    said = declared(missing, encoding, kind)
    with progress() as say:
        board = compare_models(open_rows(rows, said), target, names, said, folds, seed, rows, say)
    show(board, as_json, _draw)


def _draw(page: "Page", board: "Board") -> None:
    from suffice.cli.score_table import ScoreColumn, draw_score_table

    part = "" if board.rows == board.judged_rows else f", a sample of {board.judged_rows:,}"
    page.line(f"{board.rows:,} rows{part}, target {board.target}, {board.folds} folds; best log-loss first")
    lines = [line for line in board.models if not line.failed]
    columns = [
        ScoreColumn("log-loss", [line.log_loss for line in lines]),
        ScoreColumn("Brier score", [line.brier for line in lines]),
        ScoreColumn("accuracy", [line.accuracy for line in lines]),
        ScoreColumn("fit", seconds=[line.fit_seconds for line in lines]),
        ScoreColumn("predict", seconds=[line.predict_seconds for line in lines]),
    ]
    draw_score_table(page, "model", [line.name for line in lines], columns, spare=("predict", "fit", "Brier score"))
    for line in board.models:
        if line.failed:
            page.warning(f"{line.name} could not be fitted: {line.failed}")
    best = next((line for line in board.models if line.train and not line.failed), None)
    if best is not None:
        which = "the best" if best is board.models[0] else f"{best.name}, the best that suffice trains"
        page.heading(f"To train {which}")
        page.line(f"  {best.train}")
