"""Conversion of text columns to other types, with the cells that cannot be converted."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.missing import MISSING_TOKENS

_SEARCH_PARTS = 16  # parts into which cells are split in the search for those that cannot be converted


def without_tokens(cells: Any, missing: Sequence[str]) -> Any:
    """Trimmed cells, null where a cell is one of ``MISSING_TOKENS`` or ``missing``."""
    text = pc.utf8_trim_whitespace(cells)
    is_token = pc.is_in(pc.utf8_lower(text), value_set=pa.array(MISSING_TOKENS, text.type))
    if missing:
        is_token = pc.or_(is_token, pc.is_in(text, value_set=pa.array(missing, text.type)))
    return pc.if_else(is_token, pa.scalar(None, text.type), text)


def cast_cells(text: Any, types: Sequence[Any]) -> tuple[Any, Any]:
    """The cells in the first type that can represent all; otherwise in the type that can represent most, with a mask of
    the other cells."""
    for kind in types:
        try:
            return text.cast(kind), None
        except pa.ArrowInvalid:
            continue
    best, unconvertible = types[0], list(range(len(text)))
    for kind in reversed(types):  # from the most general type
        found = list(islice(_unconvertible(text, kind), len(unconvertible) + 1))
        if len(found) <= len(unconvertible):
            best, unconvertible = kind, found
    bad = np.zeros(len(text), bool)
    bad[unconvertible] = True
    return pc.if_else(pa.array(bad), pa.scalar(None, text.type), text).cast(best), pa.array(bad)


def _unconvertible(text: Any, kind: Any, start: int = 0) -> Iterator[int]:
    """The indices of cells that cannot be converted, by recursive splitting."""
    try:
        text.cast(kind)
    except pa.ArrowInvalid:
        if len(text) == 1:
            yield start
            return
        step = max(1, len(text) // _SEARCH_PARTS)
        for first in range(0, len(text), step):
            yield from _unconvertible(text[first : first + step], kind, start + first)
