"""Packed form of stored rows: cells as codes of one or two bytes where there are few distinct values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.errors import ModelFileError
from suffice.numerics.arrays import AnyArray
from suffice.persist.kinds import SavedKind
from suffice.persist.shapes import wrong

_MOST_DISTINCT = 1 << 16  # distinct numbers of a column up to which codes are stored


class SampleKind(SavedKind):
    """A ``RowSample``."""

    def parts(self, value: Any) -> dict[str, Any]:
        found = super().parts(value)
        found["y"] = narrow(value.y)
        found["weight"] = None if (value.weight == 1).all() else value.weight
        return found

    def built(self, parts: Mapping[str, Any]) -> Any:
        keys, y, weight = (row(parts, name) for name in ("keys", "y", "weight"))
        if keys is None or y is None or keys.dtype != np.uint64 or y.dtype.kind != "u" or len(y) != len(keys):
            raise wrong("sample", "has rows that do not agree")
        if (np.diff(keys.astype(np.float64)) < 0).any() or y.max(initial=0) >= 1 << 31:
            raise wrong("sample", "has rows that are not in order")
        weight = np.ones(len(keys)) if weight is None else weight
        if weight.dtype != np.float64 or len(weight) != len(keys) or not (weight > 0).all():
            raise wrong("sample", "has rows without a weight")
        made = super().built({**parts, "y": y.astype(np.int32), "weight": weight})
        if any(kept is not None and kept.rows != len(keys) for kept in made.cells):
            raise wrong("sample", "has cells of other rows")
        return made


class NumbersKind(SavedKind):
    """A ``StoredNumbers``: the sorted distinct numbers of each column and codes, 0 for a missing cell; or the cells."""

    def parts(self, value: Any) -> dict[str, Any]:
        columns = [_coded(column) for column in value.values.T]
        return {
            "rows": len(value.values),
            "numbers": tuple(n for n, _ in columns),
            "codes": tuple(c for _, c in columns),
        }

    def built(self, parts: Mapping[str, Any]) -> Any:
        if set(parts) != {"rows", "numbers", "codes"}:
            raise wrong("kept numbers", f"has {sorted(parts)}")
        rows, numbers, codes = parts["rows"], parts["numbers"], parts["codes"]
        if not isinstance(rows, int) or not all(isinstance(part, tuple) for part in (numbers, codes)):
            raise wrong("kept numbers", "has no columns")
        _check_room("kept numbers", 8 * rows * len(numbers))
        columns = [_decoded(n, c, rows) for n, c in zip(numbers, codes, strict=True)]
        return self.type(np.column_stack(columns) if columns else np.zeros((rows, 0)))


class LevelsKind(SavedKind):
    """A ``StoredLevels``, a column at a time, 0 for a missing cell."""

    def parts(self, value: Any) -> dict[str, Any]:
        return {"rows": len(value.codes), "codes": tuple(narrow(c + 1) for c in value.codes.T), "levels": value.levels}

    def built(self, parts: Mapping[str, Any]) -> Any:
        rows, codes, levels = (parts.get(name) for name in ("rows", "codes", "levels"))
        if not isinstance(rows, int) or not isinstance(codes, tuple) or not isinstance(levels, tuple):
            raise wrong("kept levels", "has no columns")
        _check_room("kept levels", 4 * rows * len(levels))
        for column, names in zip(codes, levels, strict=True):
            fits = isinstance(column, np.ndarray) and column.shape == (rows,) and column.dtype.kind == "u"
            if not fits or not isinstance(names, tuple) or column.max(initial=0) > len(names):
                raise wrong("kept levels", "has codes without a level")
        stacked = [column.astype(np.int32) - 1 for column in codes]
        return self.type(np.column_stack(stacked) if stacked else np.zeros((rows, 0), np.int32), levels)


class TextsKind(SavedKind):
    """A ``StoredTexts``."""

    def built(self, parts: Mapping[str, Any]) -> Any:
        made = super().built(parts)
        ends, data, codes = made.offsets, made.bytes, made.codes
        _check_room("kept texts", len(data))
        if ends[0] != 0 or ends[-1] != len(data) or (ends[1:] < ends[:-1]).any():
            raise wrong("kept texts", "has texts that do not follow each other")
        if codes.min(initial=-1) < -1 or codes.max(initial=-1) >= len(ends) - 1:
            raise wrong("kept texts", "has rows without a text")
        return made


class TermsKind(SavedKind):
    """A ``StoredTerms``: number of words per row, the words and their counts."""

    def parts(self, value: Any) -> dict[str, Any]:
        sizes = np.diff(value.indptr)
        return {"sizes": narrow(sizes), "columns": narrow(value.columns), "counts": narrow(value.counts)}

    def built(self, parts: Mapping[str, Any]) -> Any:
        sizes, columns, counts = (row(parts, name) for name in ("sizes", "columns", "counts"))
        if sizes is None or columns is None or counts is None or len(parts) > 3:
            raise wrong("kept terms", f"has {sorted(parts)}")
        if any(part.dtype.kind != "u" or part.max(initial=0) >= 1 << 31 for part in (sizes, columns, counts)):
            raise wrong("kept terms", "has cells that are no counts")
        _check_room("kept terms", 8 * (len(sizes) + len(columns)))
        indptr = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        if indptr[-1] != len(columns) or len(counts) != len(columns) or not counts.all():
            raise wrong("kept terms", "has rows that do not agree")
        return self.type(indptr, columns.astype(np.int32), counts.astype(np.int32))


def _check_room(name: str, size: int) -> None:
    """Refuse a sample with too many cells, since codes expand to cells."""
    from suffice.statistics.row_sample import MOST_BYTES  # imported late: it loads text, which few files need

    if not 0 <= size <= MOST_BYTES:
        raise wrong(name, f"unfolds to {size:,} bytes")


def narrow(codes: AnyArray) -> AnyArray:
    """Non-negative integers in the narrowest type."""
    most = int(codes.max(initial=0))
    return codes.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32)


def _coded(column: AnyArray) -> tuple[AnyArray, AnyArray]:
    found, code = np.unique(column, return_inverse=True)
    found = found[~np.isnan(found)]
    if len(found) >= min(_MOST_DISTINCT, len(column) // 2):
        return np.ascontiguousarray(column), np.zeros(0, np.uint8)
    return found, narrow(np.where(np.isnan(column), 0, code + 1))


def _decoded(numbers: Any, codes: Any, rows: int) -> AnyArray:
    if not all(isinstance(part, np.ndarray) and part.ndim == 1 for part in (numbers, codes)):
        raise wrong("kept numbers", "has columns that are no arrays")
    if numbers.dtype != np.float64 or np.isinf(numbers).any():
        raise wrong("kept numbers", "has cells that are no numbers")
    if not len(codes) and len(numbers) == rows:
        return np.asarray(numbers)
    if codes.dtype.kind != "u" or len(codes) != rows or codes.max(initial=0) > len(numbers):
        raise wrong("kept numbers", "has codes without a number")
    return np.asarray(np.append(np.nan, numbers)[codes])


def row(parts: Mapping[str, Any], name: str) -> AnyArray | None:
    found = parts.get(name)
    if found is None:
        return None
    if not isinstance(found, np.ndarray) or found.ndim != 1:
        raise ModelFileError(f"{name!r} in the model file is no row of numbers", "no model that was saved is like that")
    return found
