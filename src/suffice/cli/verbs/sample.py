"""``suffice sample``"""

import sys
from typing import Annotated

import typer

from suffice.cli.options import Force, Json, ModelFile, Out, Seed


def sample(
    model: ModelFile,
    n: Annotated[int, typer.Option("-n", min=1, metavar="N", help="Number of rows.")] = 10,
    out: Out = None,
    seed: Seed = 0,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Sample rows from a model.

    With their classes: CSV on standard output, or a .csv, .parquet or .jsonl file.

    \b
      suffice sample claims.model -n 1000 -o invented.csv
    """
    import numpy as np
    import pyarrow as pa

    from suffice.cli.model_summary import model_of
    from suffice.cli.output_files import check_free, print_written
    from suffice.cli.texts import sampling_todo
    from suffice.errors import NoSamplesError
    from suffice.sources.files.lines import csv_lines, json_lines
    from suffice.sources.files.writing import write_tables

    if out is not None:
        check_free(out, force)
    found = model_of(model)
    try:
        columns, codes = found.sample(n, np.random.default_rng(seed))
    except NoSamplesError as error:
        raise NoSamplesError(error.found, error.allowed, sampling_todo(found) or error.todo) from error
    labels = [found.classes[code] for code in codes]
    table = pa.table({**{str(name): pa.array(cells.tolist()) for name, cells in columns.items()}, "class": labels})
    if out is not None:
        write_tables([table], out)
        print_written(n, out, "sampled", as_json)
        return
    sys.stdout.buffer.write(json_lines(table) if as_json else csv_lines(table, header=True))
