"""``suffice counted``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json, ModelFile, Sources


def counted(
    model: ModelFile,
    rows: Sources,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write the model.")],
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Build a textbook model from counts of a database.

    MODEL is the model given to `suffice sql --counting`, ROWS is the result of that query. The new model has the families of
    MODEL but none of its counts.

    \b
      suffice train "select * from 'visits.parquet' limit 1000" -t churned --model naive -o like.model
      suffice sql like.model --counting churned --table visits --dialect postgres -o count.sql
      psql --csv -f count.sql > counts.csv
      suffice counted like.model counts.csv -o visits.model
    """
    from suffice.cli.change import changed, draw_change
    from suffice.cli.output_files import check_free
    from suffice.cli.rows import open_rows
    from suffice.cli.show import show
    from suffice.estimators.model_file import load
    from suffice.sql.counting import textbook_families

    check_free(out, force)
    like = load(model)
    made = type(like)(**{**like.get_params(), "families": textbook_families(like.model_)})
    made.fit_counted([row for table in open_rows(rows).batches() for row in table.table.to_pylist()])
    made.save(out)
    show(changed(like, made, int(made.model_.tally.weight.sum()), out), as_json, draw_change)
