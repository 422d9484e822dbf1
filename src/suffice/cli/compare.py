"""``suffice compare``"""

from typing import TYPE_CHECKING, Annotated

import typer

from suffice.cli.options import Folds, Json, Seed, Sources, Target

if TYPE_CHECKING:
    from suffice.cli.contest import Board
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
    as_json: Json = False,
) -> None:
    """Hold models against each other on the same folds.

    Ours, logistic regression, k-NN, and any classifier of scikit-learn that is named.

    \b
      suffice compare claims.csv --target fraud
      suffice compare claims.csv -t fraud -m bayes,logistic,RandomForestClassifier
    """
    from suffice.cli.contest import contest
    from suffice.cli.progress import progress
    from suffice.cli.rows import open_rows
    from suffice.cli.show import show

    names = [name for name in (models or "").split(",") if name]
    with progress() as say:
        board = contest(open_rows(rows), target, names, folds, seed, " ".join(rows), say)
    show(board, as_json, _draw)


def _draw(page: "Page", board: "Board") -> None:
    from suffice.cli.show import score

    part = "" if board.rows == board.judged_rows else f", a sample of {board.judged_rows:,}"
    page.line(f"{board.rows:,} rows{part}, target {board.target}, {board.folds} folds; best log-loss first")
    page.table(
        ["model", "log-loss", "Brier score", "accuracy", "fit", "predict"],
        [
            (
                line.name,
                *(score(*found) for found in (line.log_loss, line.brier, line.accuracy) if found is not None),
                f"{line.fit_seconds:.3f} s",
                f"{line.predict_seconds:.3f} s",
            )
            for line in board.models
            if not line.failed
        ],
        right=(1, 2, 3, 4, 5),
    )
    for line in board.models:
        if line.failed:
            page.warning(f"{line.name} gave up: {line.failed}")
