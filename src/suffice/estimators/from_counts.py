"""A textbook model from counts computed in a database."""

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa

from suffice.columns.table import Table
from suffice.errors import ParameterError
from suffice.families.assignment import Block
from suffice.families.categorical import Categorical
from suffice.model import Model
from suffice.sources.memory import open_table
from suffice.sql.counted import result_rows, tally_of
from suffice.sql.counting import check_counted, check_named


def counted_model(
    families: Any, answer: Any, blocks_of: Callable[[Table], tuple[Block, ...]], settings: dict[str, Any]
) -> tuple[Model, Any]:
    """The model, and the dtype of its labels."""
    if settings["weighing"] != "naive":
        raise ParameterError(
            f"model is {settings['weighing']!r}", "counts without rows make a textbook model", "Set model='naive'"
        )
    check_counted(families)
    rows = result_rows(answer)
    check_named([str(row[1]) for row in rows if row[1] is not None], families)
    table = open_table(_without_rows(families))
    blocks = blocks_of(table)
    tally, dtype = tally_of(rows, blocks)
    return Model.blank(blocks, table, 1, **settings).with_tally(tally), dtype


def _without_rows(families: Mapping[Any, Any]) -> pa.Table:
    """An empty table with columns of these families."""
    kinds = {name: pa.string() if isinstance(each, Categorical) else pa.float64() for name, each in families.items()}
    return pa.table({str(name): pa.array([None], kind) for name, kind in kinds.items()})
