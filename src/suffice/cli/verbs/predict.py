"""``suffice predict``"""

import sys
from typing import Annotated, Any

import typer

from suffice.cli.options import Encoding, Force, Json, ModelFile, Out, Sources


def predict(
    model: ModelFile,
    rows: Sources,
    out: Out = None,
    keep: Annotated[
        str | None,
        typer.Option("--keep", metavar="A,B", help="Columns to copy; by default those that the model does not use."),
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities/--no-probabilities", help="Also write the probability of every class.")
    ] = True,
    cost: Annotated[
        list[str] | None,
        typer.Option(
            "--cost",
            metavar="TRUE:PREDICTED=COST",
            help="The cost of an error (others cost 1), once for each; or a file with a row for each class and a column for "
            "each action. The prediction is the action of least expected cost.",
        ),
    ] = None,
    reject: Annotated[
        float | None,
        typer.Option(
            "--reject", min=0.0, metavar="COST", help="Reject rows of which every class has a higher expected cost."
        ),
    ] = None,
    at_most_asked: Annotated[
        str | None,
        typer.Option("--at-most-asked", metavar="5%", help="Reject at most this share of rows, those of highest risk."),
    ] = None,
    at_most_wrong: Annotated[
        str | None,
        typer.Option(
            "--at-most-wrong",
            metavar="1%",
            help="Reject as few rows as keep the error rate of the others below this.",
        ),
    ] = None,
    prior: Annotated[
        str | None,
        typer.Option("--prior", metavar="A=1%,B=99%", help="The class frequencies of the population of these rows."),
    ] = None,
    sets: Annotated[
        str | None,
        typer.Option("--sets", metavar="95%", help="A set of classes that contains the true one at this rate."),
    ] = None,
    joint: Annotated[bool, typer.Option("--joint", help="Also write p(row, class); textbook models only.")] = False,
    encoding: Encoding = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Predict the class of each row, in order.

    CSV on standard output, or a .csv, .parquet or .jsonl file. Rejected rows go to a person; their prediction is empty. Limits
    and sets are fitted to the held-out predictions that suffice train stores in the model file.

    \b
      suffice predict claims.model new.csv --keep id -o answers.parquet
      suffice predict claims.model new.csv --cost yes:no=20 --at-most-asked 5% -o answers.csv
      zcat new.csv.gz | suffice predict claims.model - | head
    """
    from suffice.cli.declarations import declared
    from suffice.cli.drift import DriftMonitor
    from suffice.cli.outcome import note
    from suffice.cli.output_files import check_free, print_written
    from suffice.cli.scoring import Scorer
    from suffice.cli.stream import split_first, stream_rows
    from suffice.cli.table_output import print_tables

    if out is not None:
        check_free(out, force)
    chosen = None if keep is None else [name for name in keep.split(",") if name]
    scorer = Scorer.of(model)
    decider = _decider(model, scorer, cost or (), reject, at_most_asked, at_most_wrong, prior, sets)
    source = stream_rows(rows, sys.stdin.buffer, scorer, declared(encoding=encoding))
    monitor = DriftMonitor(scorer, model)
    lists = as_json if out is None else not out.lower().endswith((".csv", ".csv.gz"))
    predictions = scorer.predictions(
        split_first(source.batches()), chosen, probabilities, decider=decider, joint=joint, lists=lists, monitor=monitor
    )
    if out is None:
        print_tables(predictions, as_json)
    else:
        from suffice.sources.files.writing import write_tables

        print_written(write_tables(predictions, out), out, "predicted", as_json)
    for text in [*([] if decider is None else decider.notes), *monitor.notes()]:
        note(text)


def _decider(model: str, scorer: Any, *typed: Any) -> Any:
    """The decider of the options; None, without further imports, if only the most probable class is needed."""
    if not any(one not in (None, ()) for one in typed):
        return None
    from suffice.cli.decisions import Decider, DecisionOptions

    return Decider(model, scorer.classes, scorer.trained_prior, DecisionOptions(*typed))
