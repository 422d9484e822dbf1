"""Packed form of stored rows: cells are codes of one or two bytes if there are few distinct values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.numerics.arrays import AnyArray
from suffice.persist.kinds import SavedKind
from suffice.persist.shapes import invalid_field

_MAX_DISTINCT = 1 << 16  # distinct numbers of a column up to which codes are stored


class SampleKind(SavedKind):
    """A ``RowSample``."""

    def to_fields(self, value: Any) -> dict[str, Any]:
        found = super().to_fields(value)
        found["y"] = narrowest(value.y)
        found["weight"] = None if (value.weight == 1).all() else value.weight
        return found

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        keys, y, weight = (vector(parts, name) for name in ("keys", "y", "weight"))
        if keys is None or y is None or keys.dtype != np.uint64 or y.dtype.kind != "u" or len(y) != len(keys):
            raise invalid_field("sample", "has fields of different lengths")
        if (np.diff(keys.astype(np.float64)) < 0).any() or y.max(initial=0) >= 1 << 31:
            raise invalid_field("sample", "has unsorted rows")
        weight = np.ones(len(keys)) if weight is None else weight
        if weight.dtype != np.float64 or len(weight) != len(keys) or not (weight > 0).all():
            raise invalid_field("sample", "has rows without a positive weight")
        made = super().from_fields({**parts, "y": y.astype(np.int32), "weight": weight})
        if any(kept is not None and kept.rows != len(keys) for kept in made.cells):
            raise invalid_field("sample", "has cells of another number of rows")
        return made


class NumbersKind(SavedKind):
    """A ``StoredNumbers``: for each column the sorted distinct numbers and codes, 0 for a missing cell; or its cells."""

    def to_fields(self, value: Any) -> dict[str, Any]:
        columns = [_encode(column) for column in value.values.T]
        return {
            "rows": len(value.values),
            "numbers": tuple(n for n, _ in columns),
            "codes": tuple(c for _, c in columns),
        }

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        if set(parts) != {"rows", "numbers", "codes"}:
            raise invalid_field("kept numbers", f"has {sorted(parts)}")
        rows, numbers, codes = parts["rows"], parts["numbers"], parts["codes"]
        if not isinstance(rows, int) or not all(isinstance(part, tuple) for part in (numbers, codes)):
            raise invalid_field("kept numbers", "has no columns")
        _check_size("kept numbers", 8 * rows * len(numbers))
        columns = [_decode(n, c, rows) for n, c in zip(numbers, codes, strict=True)]
        return self.type(np.column_stack(columns) if columns else np.zeros((rows, 0)))


class LevelsKind(SavedKind):
    """A ``StoredLevels``: codes by column, 0 for a missing cell."""

    def to_fields(self, value: Any) -> dict[str, Any]:
        return {
            "rows": len(value.codes),
            "codes": tuple(narrowest(c + 1) for c in value.codes.T),
            "levels": value.levels,
        }

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        rows, codes, levels = (parts.get(name) for name in ("rows", "codes", "levels"))
        if not isinstance(rows, int) or not isinstance(codes, tuple) or not isinstance(levels, tuple):
            raise invalid_field("kept levels", "has no columns")
        _check_size("kept levels", 4 * rows * len(levels))
        for column, names in zip(codes, levels, strict=True):
            fits = isinstance(column, np.ndarray) and column.shape == (rows,) and column.dtype.kind == "u"
            if not fits or not isinstance(names, tuple) or column.max(initial=0) > len(names):
                raise invalid_field("kept levels", "has codes without a level")
        decoded = [column.astype(np.int32) - 1 for column in codes]
        return self.type(np.column_stack(decoded) if decoded else np.zeros((rows, 0), np.int32), levels)


class TextsKind(SavedKind):
    """A ``StoredTexts``."""

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        made = super().from_fields(parts)
        offsets, data, codes = made.offsets, made.bytes, made.codes
        _check_size("kept texts", len(data))
        if offsets[0] != 0 or offsets[-1] != len(data) or (offsets[1:] < offsets[:-1]).any():
            raise invalid_field("kept texts", "has text offsets that are not in order")
        if codes.min(initial=-1) < -1 or codes.max(initial=-1) >= len(offsets) - 1:
            raise invalid_field("kept texts", "has rows without a text")
        return made


class TermsKind(SavedKind):
    """A ``StoredTerms``: the number of words of each row, the words and their counts."""

    def to_fields(self, value: Any) -> dict[str, Any]:
        sizes = np.diff(value.indptr)
        return {"sizes": narrowest(sizes), "columns": narrowest(value.columns), "counts": narrowest(value.counts)}

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        sizes, columns, counts = (vector(parts, name) for name in ("sizes", "columns", "counts"))
        if sizes is None or columns is None or counts is None or len(parts) > 3:
            raise invalid_field("kept terms", f"has {sorted(parts)}")
        if any(part.dtype.kind != "u" or part.max(initial=0) >= 1 << 31 for part in (sizes, columns, counts)):
            raise invalid_field("kept terms", "has cells that are not counts")
        _check_size("kept terms", 8 * (len(sizes) + len(columns)))
        indptr = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        if indptr[-1] != len(columns) or len(counts) != len(columns) or not counts.all():
            raise invalid_field("kept terms", "has fields of different lengths, or zero counts")
        return self.type(indptr, columns.astype(np.int32), counts.astype(np.int32))


def _check_size(name: str, size: int) -> None:
    """Raise if a sample would expand to too many cells."""
    from suffice.statistics.row_sample import MAX_BYTES  # imported late: it loads text, which few files need

    if not 0 <= size <= MAX_BYTES:
        raise invalid_field(name, f"expands to {size:,} bytes")


def narrowest(codes: AnyArray) -> AnyArray:
    """Non-negative integers in the narrowest dtype."""
    most = int(codes.max(initial=0))
    return codes.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32)


def _encode(column: AnyArray) -> tuple[AnyArray, AnyArray]:
    found, code = np.unique(column, return_inverse=True)
    found = found[~np.isnan(found)]
    if len(found) >= min(_MAX_DISTINCT, len(column) // 2):
        return np.ascontiguousarray(column), np.zeros(0, np.uint8)
    return found, narrowest(np.where(np.isnan(column), 0, code + 1))


def _decode(numbers: Any, codes: Any, rows: int) -> AnyArray:
    if not all(isinstance(part, np.ndarray) and part.ndim == 1 for part in (numbers, codes)):
        raise invalid_field("kept numbers", "has columns that are not arrays")
    if numbers.dtype != np.float64 or np.isinf(numbers).any():
        raise invalid_field("kept numbers", "has cells that are not finite numbers")
    if not len(codes) and len(numbers) == rows:
        return np.asarray(numbers)
    if codes.dtype.kind != "u" or len(codes) != rows or codes.max(initial=0) > len(numbers):
        raise invalid_field("kept numbers", "has codes without a number")
    return np.asarray(np.append(np.nan, numbers)[codes])


def vector(parts: Mapping[str, Any], name: str) -> AnyArray | None:
    found = parts.get(name)
    if found is None:
        return None
    if not isinstance(found, np.ndarray) or found.ndim != 1:
        raise invalid_field(name, "is not a one-dimensional array")
    return found
