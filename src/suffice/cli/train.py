"""``suffice train``"""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from suffice.cli.options import Folds, Force, Json, Out, Seed, Sources, Target

Kind = Literal["naive", "weighted", "additive", "full"]

if TYPE_CHECKING:
    from suffice.cli.show import Page
    from suffice.report import Summary


def train(
    rows: Sources,
    target: Target = None,
    out: Out = None,
    drop: Annotated[str | None, typer.Option("--drop", metavar="A,B", help="Columns to leave out.")] = None,
    model: Annotated[
        Kind | None,
        typer.Option(
            "--model",
            help="What is added up: log densities, as in the textbook (naive); each column's times a weight (weighted); that "
            "and what columns have together (additive); or that, forests and Fourier features (full, the default).",
        ),
    ] = None,
    naive: Annotated[bool, typer.Option("--naive", hidden=True)] = False,
    folds: Folds = 5,
    seed: Seed = 0,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Learn to tell classes apart, and say how well.

    Without --out nothing is written: the screen tells what there would be.

    \b
      suffice train claims.csv --target fraud -o claims.model
      suffice train "select * from 'visits/*.parquet' where year = 2024" -t churned
      suffice train mails/                # a folder for each class: mails/ham, mails/spam
    """
    import warnings

    from suffice.cli.gather import gather, target_of
    from suffice.cli.learning import dropped, fitted
    from suffice.cli.progress import progress
    from suffice.cli.rows import open_rows
    from suffice.cli.show import show
    from suffice.cli.writing import check_free
    from suffice.errors import ParameterError
    from suffice.estimators.bayes import BayesClassifier
    from suffice.report import Subject, summarise

    if naive and model not in (None, "naive"):
        raise ParameterError(f"--naive is given beside --model {model}", "one of them is enough", "Leave --naive out")
    if out is not None:
        check_free(out, force)
    with progress() as say, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        say("reading")
        found = gather(open_rows(rows), seed=seed)
        label = target_of(target, found.sample)
        say("learning")
        wanted = BayesClassifier(model="naive" if naive else model)
        away = dropped(drop, found.sample, label)
        estimator = fitted(wanted, found, label, away)
        subject = Subject(estimator, found.sample, label, found.total, " ".join(rows), tuple(away))
        if out is not None:
            estimator.save(out)
        notes = [
            str(w.message) for w in caught if issubclass(w.category, UserWarning) and "left out" not in str(w.message)
        ]
        summary, _ = summarise(
            subject, folds=folds, seed=seed, commands=[_command()], warnings=list(dict.fromkeys(notes)), progress=say
        )
    show(summary, as_json, lambda page, s: draw(page, s, out, shlex.join(rows)))


def _command() -> str:
    return shlex.join(["suffice", *sys.argv[1:]])


def draw(page: "Page", summary: "Summary", out: str | None, rows: str) -> None:
    """One screen."""
    from suffice.cli.pages import draw_classes, draw_columns, draw_quality
    from suffice.errors import quoted

    data = summary.data
    sample = "" if data.judged_rows == data.rows else f" of a sample of {data.judged_rows:,} rows"
    missing = f"{data.missing_cells:,} cells{sample} missing"
    columns = f"{data.columns} column{'' if data.columns == 1 else 's'}"
    page.line(f"{data.rows:,} rows, {columns}, target {data.target}, {missing}")
    if data.telling_holes:
        page.line(f"missing cells count as evidence in {quoted(data.telling_holes, most=10)}")
    draw_classes(page, summary)
    draw_columns(page, summary)
    draw_quality(page, summary)
    for text in summary.warnings:
        page.warning(text)
    page.heading("Next")
    if out is None:
        page.line("  nothing was written; add -o FILE to keep the model")
        return
    name = shlex.quote(out)
    page.line(f"  {out} is written")
    page.line(f"  suffice report {name} {rows} --target {shlex.quote(data.target)} -o report.html")
    page.line(f"  suffice predict {name} NEW_ROWS")
