"""``suffice train``"""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from suffice.cli.options import Encoding, Folds, Force, Group, Json, Kinds, Missing, Out, Seed, Sources, Target, Time

Kind = Literal["naive", "weighted", "additive", "full"]
ModelName = Literal["bayes", "naive", "weighted", "additive", "full", "logistic", "lda", "qda"]
Rule = Literal["mean", "map", "mle", "predictive"]

if TYPE_CHECKING:
    from suffice.cli.show import Page
    from suffice.cli.train_options import TrainOptions
    from suffice.report import Summary


def train(
    rows: Sources,
    target: Target = None,
    out: Out = None,
    drop: Annotated[str | None, typer.Option("--drop", metavar="A,B", help="Columns to exclude.")] = None,
    model: Annotated[
        ModelName | None,
        typer.Option(
            "--model",
            help="The model: the textbook's (naive); with a weight per column (weighted); with pairs and correlated normals "
            "too (additive); with forests and Fourier features too (full, also called bayes, the default). Or numbers with a "
            "shared covariance (lda) or one per class (qda), and other columns as in the textbook; or logistic regression on "
            "numbers, levels and words (logistic).",
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option("--family", metavar="COLUMN=FAMILY", help="The family of a column, such as age=Gaussian."),
    ] = None,
    estimate: Annotated[
        Rule | None,
        typer.Option("--estimate", help="The estimation rule, for families that have one."),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option("--alpha", min=0.0, metavar="A", help="Pseudo-counts of levels and words.")
    ] = None,
    prior: Annotated[
        str | None, typer.Option("--prior", metavar="A=1%,B=99%", help="Class prior; also mle or uniform.")
    ] = None,
    class_weight: Annotated[
        str | None,
        typer.Option("--class-weight", metavar="A=1,B=10", help="Weights of the rows by class; also balanced."),
    ] = None,
    test: Annotated[
        list[str] | None, typer.Option("--test", metavar="ROWS", help="Evaluate on these rows instead of by folds.")
    ] = None,
    group: Group = None,
    time: Time = None,
    naive: Annotated[bool, typer.Option("--naive", hidden=True)] = False,
    missing: Missing = None,
    encoding: Encoding = None,
    kind: Kinds = None,
    folds: Folds = 5,
    seed: Seed = 0,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Train a classifier and report its quality.

    Without --out no file is written; the summary is the same.

    \b
      suffice train claims.csv --target fraud -o claims.model
      suffice train "select * from 'visits/*.parquet' where year = 2024" -t churned
      suffice train mails/                # a folder for each class: mails/ham, mails/spam
      suffice train visits.csv -t ill --group patient --model lda
    """
    import warnings

    from suffice.cli.declarations import declared
    from suffice.cli.evaluation import load_test_rows
    from suffice.cli.held_out_rows import check_one_split, store_held_out
    from suffice.cli.loaded_rows import load_rows, target_of
    from suffice.cli.model_fit import dropped_columns, fit_loaded
    from suffice.cli.outcome import warning_text
    from suffice.cli.output_files import check_free
    from suffice.cli.progress import progress
    from suffice.cli.rows import open_rows
    from suffice.cli.show import show
    from suffice.cli.train_options import TrainOptions
    from suffice.errors import ParameterError
    from suffice.report import Subject, summarise
    from suffice.report.judging import Judging

    if naive and model not in (None, "naive"):
        raise ParameterError(f"--naive is given with --model {model}", "one of them is enough", "Omit --naive")
    check_one_split({"--test": test, "--group": group, "--time": time})
    if out is not None:
        check_free(out, force)
    declaration = declared(missing, encoding, kind)
    options = TrainOptions("naive" if naive else model, family or (), estimate, alpha, prior, class_weight)
    with progress() as show_step, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        show_step("reading")
        found = load_rows(open_rows(rows, declaration), seed=seed)
        label = target_of(target, found.sample)
        show_step("fitting")
        dropped = dropped_columns(
            drop, declaration, found.sample, label, [name for name in (group, time) if name is not None]
        )
        estimator = fit_loaded(_estimator(options, found.sample, label, dropped), found, label, dropped)
        known, numbers = found.labelled(label)
        total = found.labels(label)
        name, unlabelled = " ".join(rows), found.total - total
        subject = Subject(estimator, known, label, total, name, tuple(dropped), numbers, unlabelled)
        judging = Judging(
            folds, seed, group, time, None if test is None else load_test_rows(estimator, test, label, seed)
        )
        notes = [
            warning_text(w.message)
            for w in caught
            if issubclass(w.category, UserWarning) and "identifies the row" not in str(w.message)
        ]
        summary, assessment = summarise(
            subject,
            judging=judging,
            commands=[_command()],
            warnings=list(dict.fromkeys(notes)),
            progress=show_step,
        )
        if out is not None:
            store_held_out(estimator, assessment, seed)
            estimator.save(out)
    show(summary, as_json, lambda page, s: draw(page, s, out, shlex.join(rows)))


def _estimator(options: "TrainOptions", sample: Any, label: str, dropped: list[str]) -> Any:
    import numpy as np

    from suffice.cli.train_options import build_estimator
    from suffice.sources import open_table

    table = open_table(sample.drop_columns([label, *dropped]))
    kinds = {str(name): kind for name, kind in zip(table.names, table.kinds, strict=True)}
    classes = [c for c in sample.column(label).unique().to_pylist() if c is not None]
    return build_estimator(options, kinds, np.asarray(classes).tolist())


def _command() -> str:
    return shlex.join(["suffice", *sys.argv[1:]])


def draw(page: "Page", summary: "Summary", out: str | None, rows: str) -> None:
    """One screen."""
    from suffice.cli.summary_tables import draw_classes, draw_columns, draw_quality
    from suffice.errors import quoted

    data = summary.data
    sample = f" of a sample of {data.judged_rows:,} rows" if data.is_sample else ""
    missing = f"{data.missing_cells:,} cell{'' if data.missing_cells == 1 else 's'}{sample} missing"
    columns = f"{data.columns} column{'' if data.columns == 1 else 's'}"
    more = f" with a class, {data.unlabelled:,} without" if data.unlabelled else ""
    page.line(f"{data.rows - data.unlabelled:,} rows{more}, {columns}, target {data.target}, {missing}")
    if data.informative_missing:
        page.line(f"missing cells count as evidence in {quoted(data.informative_missing, most=10)}")
    for remark in data.reading:
        page.line(f"read: {remark}")
    for remark in data.remarks:
        page.line(remark)
    draw_classes(page, summary)
    draw_columns(page, summary)
    draw_quality(page, summary)
    for text in summary.warnings:
        page.warning(text)
    page.heading("Next")
    if out is None:
        page.line("  nothing was written; add -o FILE to save the model")
        return
    name = shlex.quote(out)
    page.line(f"  {out} is written")
    if any(column.family for column in summary.columns):  # not for logistic regression
        page.line(f"  suffice report {name} {rows} --target {shlex.quote(data.target)} -o report.html")
    page.line(f"  suffice predict {name} NEW_ROWS")
