"""Conversion of text columns to other types, with the cells that cannot be converted."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.missing import TOKENS

_PARTS = 16  # of a column that is searched for cells that cannot be converted


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
    best, refused = types[0], list(range(len(text)))
    for kind in reversed(types):  # from the type that converts most
        found = list(islice(_refused(text, kind), len(refused) + 1))
        if len(found) <= len(refused):
            best, refused = kind, found
    bad = np.zeros(len(text), bool)
    bad[refused] = True
    return pc.if_else(pa.array(bad), pa.scalar(None, text.type), text).cast(best), pa.array(bad)


def _refused(text: Any, kind: Any, start: int = 0) -> Iterator[int]:
    """The indices of cells that cannot be converted; parts without such a cell are converted at once."""
    try:
        text.cast(kind)
    except pa.ArrowInvalid:
        if len(text) == 1:
            yield start
            return
        step = max(1, len(text) // _PARTS)
        for first in range(0, len(text), step):
            yield from _refused(text[first : first + step], kind, start + first)
