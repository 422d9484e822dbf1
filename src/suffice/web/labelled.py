"""Labelled cases as a table for training elsewhere."""

import json
from typing import Any

import pyarrow as pa

from suffice.web.store.stores import Stores

_BATCH_CASES = 500  # cases read per query


def labelled_table(stores: Stores) -> tuple[Any, str]:
    """An Arrow table of the labelled cases with the label in the last column, and the name of that column.

    The name is ``label``, with underscores appended while a column has that name.
    """
    cases = list(stores.cases.all_labelled(_BATCH_CASES))
    rows = [case.row for case in cases]
    names = dict.fromkeys(name for row in rows for name in row)
    target = "label"
    while target in names:
        target += "_"
    columns = {name: _array([row.get(name) for row in rows]) for name in names}
    return pa.table({**columns, target: _array([case.label for case in cases])}), target


def _array(cells: list[Any]) -> Any:
    """An array of numbers, text or booleans; of text if types are mixed."""
    try:
        return pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if c is None else c if isinstance(c, str) else json.dumps(c) for c in cells])
