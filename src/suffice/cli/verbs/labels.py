"""``suffice labels``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json, Store, StoreOf


def labels(
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="A .csv, .parquet or .jsonl file.")],
    model: StoreOf = None,
    store: Store = "",
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write the labelled cases of a service to a file, for training elsewhere.

    \b
      suffice labels --model claims.model -o labelled.csv
      suffice train labelled.csv --target label -o again.model
    """
    from suffice.cli.output_files import check_free, print_written
    from suffice.sources.files.writing import write_tables
    from suffice.web.labelled import labelled_table
    from suffice.web.store.opening import open_store

    check_free(out, force)
    table, target = labelled_table(open_store(store, model))
    print_written(write_tables([table], out), out, f"with labels in column {target!r}", as_json)
