"""``suffice ask``"""

from typing import Annotated, Any

import typer

from suffice.cli.options import Json, ModelFile, Sources


def ask(
    model: ModelFile,
    rows: Sources,
    row: Annotated[int, typer.Option("--row", min=1, metavar="N", help="Number of the row, from 1.")] = 1,
    person: Annotated[
        float | None,
        typer.Option("--person", min=0.0, metavar="COST", help="The cost of asking a person; an error costs 1."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the missing cells of a row by the value of measuring them.

    The value is the reduction of the expected cost if the cell is known; an error costs 1. For textbook models.

    \b
      suffice ask claims.model new.csv --row 17
      suffice ask claims.model new.csv --row 17 --person 0.2
    """
    import numpy as np

    from suffice.cli.alignment import aligned
    from suffice.cli.json_output import Measuring, MissingCell
    from suffice.cli.model_summary import model_of
    from suffice.cli.row_explanation import row_of
    from suffice.cli.rows import open_rows
    from suffice.cli.show import show
    from suffice.decision import REJECT, Costs, value_of

    found = model_of(model)
    costs: Any = None
    if person is not None:
        values = np.column_stack([1.0 - np.eye(len(found.classes)), np.full(len(found.classes), person)])
        costs = Costs(values, classes=list(found.classes), actions=[*found.classes, REJECT])
    best = value_of(found, aligned(row_of(open_rows(rows, schema=found.schema), row), found), costs)
    cells = [MissingCell(column=str(c.column), saved=c.saved, exact=c.exact) for c in best.cells]
    show(Measuring(action=best.action, risk=best.risk, cells=cells), as_json, _draw)


def _draw(page: Any, found: Any) -> None:
    page.line(f"{found.action} now, at an expected cost of {found.risk:.4f}")
    page.table(["missing", "expected cost saved"], [(c.column, f"{c.saved:.4f}") for c in found.cells], right=(1,))
