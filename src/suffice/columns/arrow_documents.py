"""Documents in Arrow buffers, read without a copy."""

from typing import Any

import numpy as np
import pyarrow as pa

from suffice.errors import DataError
from suffice.numerics.text import DocumentViews, Form, view_bytes


def view_arrow(column: Any) -> DocumentViews:
    """Views of a column of text: any object that exports an Arrow array or stream of strings.

    >>> view_arrow(pa.array(["tea", None, "té"])).length.tolist()
    [3, 0, 3]
    """
    if not isinstance(column, pa.ChunkedArray):
        column = pa.chunked_array([pa.array(column)] if hasattr(column, "__arrow_c_array__") else column)
    parts = [_view(chunk) for chunk in column.chunks]
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return DocumentViews(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.uint8), column)
    address, length, form = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("address", "length", "form")
    )
    return DocumentViews(address, length, form, [part.owner for part in parts])


def _view(chunk: Any) -> DocumentViews:
    types, missing = pa.types, chunk.is_null().to_numpy(zero_copy_only=False)
    if types.is_dictionary(chunk.type):
        levels = _view(chunk.dictionary)
        code = chunk.indices.fill_null(0).to_numpy(zero_copy_only=False)
        if not len(levels.length):
            code, levels = np.zeros(len(code), np.int64), _view(pa.array([None], pa.string()))
        form = np.where(missing, np.uint8(Form.MISSING), levels.form[code])
        return DocumentViews(levels.address[code], levels.length[code], form, levels.owner)
    if types.is_null(chunk.type):
        chunk = chunk.cast(pa.string())
    elif types.is_string_view(chunk.type):
        chunk = chunk.cast(pa.large_string())
    elif not types.is_string(chunk.type) and not types.is_large_string(chunk.type):
        raise DataError(f"The documents are of type {chunk.type}", "text is needed", "Convert them to strings")
    _, offsets, data = chunk.buffers()
    width = np.dtype(np.int32 if types.is_string(chunk.type) else np.int64)
    if offsets is None or not len(chunk):
        starts = np.zeros(len(chunk) + 1, width)
    else:
        starts = np.frombuffer(offsets, width, len(chunk) + 1, chunk.offset * width.itemsize)
    return view_bytes(np.frombuffer(data if data is not None else b"", np.uint8), starts, Form.UTF_8, missing)
