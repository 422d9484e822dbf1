"""For each rejected row, the missing cell whose measurement saves most."""

from typing import Any

import numpy as np

from suffice.columns.inputs import TableLike
from suffice.columns.missing import is_missing
from suffice.decision.costs import CostsLike
from suffice.decision.decide import Decision
from suffice.decision.value_of import CellValue, value_of
from suffice.errors import DataError
from suffice.sources import open_table


def worth_measuring(decision: Decision, model: Any, rows: TableLike, costs: CostsLike = None) -> list[CellValue | None]:
    """For each row, the missing cell that saves most expected cost, and the saving; None for decided and complete rows, and if
    no cell can change the action.

    Parameters
    ----------
    decision : Decision
        The result of ``decide`` for these rows.
    model : fitted classifier
        A textbook one, as in ``value_of``.
    rows : table
        The rows that were decided.
    costs : array-like, mapping, frame, Costs, Utilities or None, default=None
        As in ``decide``. With a cost of ``REJECT``, the saving is relative to rejection.

    Returns
    -------
    list of CellValue or None
        One entry for each row.

    Examples
    --------
    >>> from suffice import BayesClassifier, Categorical
    >>> from suffice.decision import Chow, decide
    >>> rows = [{"fever": f, "rash": r} for f, r in (("yes", "no"), ("yes", "yes"), ("no", "no"), ("no", "no"))]
    >>> model = BayesClassifier(Categorical()).fit(rows, ["flu", "measles", "well", "well"])
    >>> new = [{"fever": None, "rash": "no"}, {"fever": "yes", "rash": "yes"}]
    >>> decided = decide(model.predict_proba(new), reject=Chow(0.42), classes=model.classes_)
    >>> found = worth_measuring(decided, model, new)
    >>> [cell and cell.column for cell in found], round(found[0].saved, 4)
    (['fever', None], 0.0768)
    """
    table = open_table(rows)
    if table.rows != len(decision.index):
        raise DataError(f"There are {table.rows} rows", f"{len(decision.index)} were decided", "Pass the same rows")
    columns = {name: np.asarray(table.column(name), dtype=object) for name in table.names}
    out: list[CellValue | None] = [None] * table.rows
    for i in np.flatnonzero(decision.rejected).tolist():
        row = {name: cells[i] for name, cells in columns.items()}
        if not any(is_missing(value) for value in row.values()):
            continue
        best = next(iter(value_of(model, row, costs).cells), None)
        out[i] = best if best is not None and best.saved > 0 else None
    return out
