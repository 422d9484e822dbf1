"""``suffice predict``"""

import sys
from typing import Annotated, Any

import typer

from suffice.cli.options import Force, Json, ModelFile, Out, Sources


def predict(
    model: ModelFile,
    rows: Sources,
    out: Out = None,
    keep: Annotated[
        str | None,
        typer.Option(
            "--keep", metavar="A,B", help="Columns that go along; by default those the model does not look at."
        ),
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities/--no-probabilities", help="Beside the answer, p of every class.")
    ] = True,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Answer rows, in their order.

    CSV on standard output, or a .csv, .parquet or .jsonl file.

    \b
      suffice predict claims.model new.csv --keep id -o answers.parquet
      zcat new.csv.gz | suffice predict claims.model - | head
    """
    from suffice.cli.scoring import Scorer
    from suffice.cli.stream import some_first, stream_rows
    from suffice.cli.writing import announce, check_free

    if out is not None:
        check_free(out, force)
    chosen = None if keep is None else [name for name in keep.split(",") if name]
    scorer = Scorer(model)
    source = stream_rows(rows, sys.stdin.buffer, scorer.takes)
    answers = scorer.answers(some_first(source.batches()), chosen, probabilities)
    if out is None:
        _print(answers, as_json)
        return
    from suffice.sources.files.writing import write_tables

    announce(write_tables(answers, out), out, "answered", as_json)


def _print(answers: Any, as_json: bool) -> None:
    """A run of rows as soon as it is answered."""
    from suffice.sources.files.lines import csv_lines, json_lines

    header = True
    for table in answers:
        sys.stdout.buffer.write(json_lines(table) if as_json else csv_lines(table, header=header))
        sys.stdout.buffer.flush()
        header = False
