"""Text columns converted to the types of a schema."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import declaring, is_string
from suffice.columns.schema import CellFormat, DateFormat, NumberFormat, Schema, TextFormat, TruthFormat
from suffice.columns.spelled_dates import dates
from suffice.columns.spelled_numbers import numbers


@dataclass(frozen=True)
class Misfit:
    """A cell that its column's format cannot read, with its row counted from 0."""

    row: int
    column: str
    cell: str
    form: CellFormat


def typed(table: Any, schema: Schema) -> tuple[Any, list[Misfit]]:
    """The table with its text columns read by their formats. Cells that cannot be read become missing, and are listed."""
    columns, fields, misfits = [], [], []
    for field, cells in zip(table.schema, table.columns, strict=True):
        name, kind = field.name, schema.declared.kinds.get(field.name)
        form = schema.columns.get(name, TextFormat())
        if is_string(cells.type):
            read, bad = _read(cells, form, schema.declared.missing)
            at = [] if bad is None else np.flatnonzero(bad.to_numpy(zero_copy_only=False)).tolist()
            misfits += [Misfit(row, name, cells[row].as_py(), form) for row in at]
        else:
            read = cells.cast(pa.string()) if kind in ("category", "text") else cells
        columns.append(read)
        fields.append(declaring(field.with_type(read.type), kind))
    return pa.table(columns, pa.schema(fields)), sorted(misfits, key=lambda one: one.row)


def _read(cells: Any, form: CellFormat, missing: tuple[str, ...]) -> tuple[Any, Any]:
    if isinstance(form, NumberFormat):
        return numbers(cells, form, missing)
    if isinstance(form, DateFormat):
        return dates(cells, form, missing)
    if missing:
        away = pc.is_in(pc.utf8_trim_whitespace(cells), value_set=pa.array(missing, cells.type))
        cells = pc.if_else(away, pa.scalar(None, cells.type), cells)
    return _truth(cells) if isinstance(form, TruthFormat) else (cells, None)


def _truth(cells: Any) -> tuple[Any, Any]:
    yes, no = (pc.equal(pc.utf8_lower(cells), word) for word in ("true", "false"))
    bad = pc.fill_null(pc.invert(pc.or_(yes, no)), False)
    return pc.if_else(bad, None, yes), bad if pc.any(bad).as_py() else None
