"""Conversion of text columns to the types of a schema."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import is_string, with_declared_kind
from suffice.columns.date_formats import parse_dates
from suffice.columns.number_formats import parse_numbers
from suffice.columns.schema import BooleanFormat, CellFormat, DateFormat, NumberFormat, Schema, TextFormat


@dataclass(frozen=True)
class InvalidCell:
    """A cell that is invalid in the format of its column; rows are counted from 0."""

    row: int
    column: str
    cell: str
    form: CellFormat


def apply_schema(table: Any, schema: Schema) -> tuple[Any, list[InvalidCell]]:
    """The table with its text columns parsed by their formats. Invalid cells become missing, and are listed."""
    columns, fields, invalid = [], [], []
    for field, cells in zip(table.schema, table.columns, strict=True):
        name, kind = field.name, schema.declared.kinds.get(field.name)
        form = schema.columns.get(name, TextFormat())
        if is_string(cells.type):
            parsed, bad = _parsed(cells, form, schema.declared.missing)
            at = [] if bad is None else np.flatnonzero(bad.to_numpy(zero_copy_only=False)).tolist()
            invalid += [InvalidCell(row, name, cells[row].as_py(), form) for row in at]
        else:
            parsed = cells.cast(pa.string()) if kind in ("category", "text") else cells
        columns.append(parsed)
        fields.append(with_declared_kind(field.with_type(parsed.type), kind))
    return pa.table(columns, pa.schema(fields)), sorted(invalid, key=lambda cell: cell.row)


def _parsed(cells: Any, form: CellFormat, missing: tuple[str, ...]) -> tuple[Any, Any]:
    if isinstance(form, NumberFormat):
        return parse_numbers(cells, form, missing)
    if isinstance(form, DateFormat):
        return parse_dates(cells, form, missing)
    if missing:
        is_token = pc.is_in(pc.utf8_trim_whitespace(cells), value_set=pa.array(missing, cells.type))
        cells = pc.if_else(is_token, pa.scalar(None, cells.type), cells)
    return _booleans(cells) if isinstance(form, BooleanFormat) else (cells, None)


def _booleans(cells: Any) -> tuple[Any, Any]:
    yes, no = (pc.equal(pc.utf8_lower(cells), word) for word in ("true", "false"))
    bad = pc.fill_null(pc.invert(pc.or_(yes, no)), False)
    return pc.if_else(bad, None, yes), bad if pc.any(bad).as_py() else None
