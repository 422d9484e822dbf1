"""The row of a case: every column with its value, in the order of the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from suffice.web.columns import Columns
from suffice.web.pages.highlight import TextPiece


@dataclass(frozen=True)
class Field:
    """A column and its value; a text is split into pieces, coloured if evidence is shown."""

    name: str
    value: str
    pieces: tuple[TextPiece, ...] | None = None


def record(columns: Columns, row: dict[str, Any], coloured: dict[str, tuple[TextPiece, ...]]) -> list[list[Field]]:
    """Fields in order; consecutive fields other than texts form a group, each text its own."""
    fields = []
    for column in columns.columns:
        cell = row.get(column.key)
        if column.kind == "text":
            plain = (TextPiece(str(cell)),) if cell else ()
            fields.append(Field(column.key, "", coloured.get(column.key, plain)))
        else:
            fields.append(Field(column.key, shown_cell(cell)))
    return [list(group) for _, group in groupby(fields, key=_place)]


def _place(field: Field) -> str | None:
    return None if field.pieces is None else field.name


def shown_cell(cell: Any) -> str:
    """A value as displayed."""
    if cell is None:
        return "missing"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.12g}" if isinstance(cell, float) else str(cell)


def ignored_cells(stored: dict[str, Any], row: dict[str, Any]) -> Sequence[Field]:
    """Stored cells of a case that the model does not use."""
    return [Field(key, shown_cell(cell)) for key, cell in stored.items() if cell is not None and row.get(key) != cell]
