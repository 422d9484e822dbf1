"""Conversion of text columns to other types, with the cells that cannot be converted."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.missing import TOKENS


def without_tokens(cells: Any, missing: Sequence[str]) -> Any:
    """Cells trimmed, and null where a cell is a missing token: a recognised one, or one of ``missing``."""
    text = pc.utf8_trim_whitespace(cells)
    away = pc.is_in(pc.utf8_lower(text), value_set=pa.array(TOKENS, text.type))
    if missing:
        away = pc.or_(away, pc.is_in(text, value_set=pa.array(missing, text.type)))
    return pc.if_else(away, pa.scalar(None, text.type), text)


def cast_cells(text: Any, types: Sequence[Any]) -> tuple[Any, Any]:
    """The cells in the first type that converts all; else in the type that converts most, with a mask of the others."""
    for kind in types:
        try:
            return text.cast(kind), None
        except pa.ArrowInvalid:
            continue
    cells = text.to_pylist()
    refused = {kind: [cell is not None and not _takes(cell, kind) for cell in cells] for kind in types}
    best = min(types, key=lambda kind: sum(refused[kind]))
    bad = pa.array(refused[best])
    return pc.if_else(bad, pa.scalar(None, text.type), text).cast(best), bad


def _takes(cell: str, kind: Any) -> bool:
    try:
        pa.array([cell]).cast(kind)
    except pa.ArrowInvalid:
        return False
    return True
