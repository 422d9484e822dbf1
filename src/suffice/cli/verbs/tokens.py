"""``suffice tokens``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json, ModelFile, Out, Sources


def tokens(
    model: ModelFile,
    rows: Sources,
    key: Annotated[
        str, typer.Option("--key", metavar="COLUMN", help="A column that identifies rows, to join tokens on.")
    ] = "id",
    out: Out = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write the tokens of texts as a table, for the query of suffice sql.

    A row for each distinct token of a text, with its key and count: CSV on standard output, or a .csv, .parquet or .jsonl file.

    \b
      suffice tokens mail.model new.csv --key id -o tokens.parquet
    """
    from collections.abc import Iterator
    from typing import Any

    from suffice.cli.model_summary import model_of
    from suffice.cli.output_files import check_free, print_written
    from suffice.cli.rows import open_rows
    from suffice.cli.table_output import print_tables
    from suffice.sql import tokens as tokens_of

    if out is not None:
        check_free(out, force)
    found = model_of(model)
    source = open_rows(rows, schema=found.schema)

    def tables() -> Iterator[Any]:
        for batch in source.batches():
            yield tokens_of(found, batch, key)

    if out is None:
        print_tables(tables(), as_json)
        return
    from suffice.sources.files.writing import write_tables

    print_written(write_tables(tables(), out), out, "written", as_json)
