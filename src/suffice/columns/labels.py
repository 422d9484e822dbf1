"""Labels to class codes."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from suffice.columns.class_codes import ClassCodes
from suffice.columns.inputs import LabelsLike
from suffice.columns.missing import is_missing
from suffice.errors import DataError
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray

Label: TypeAlias = Hashable

_MAX_RANGE = 1 << 16


@dataclass(frozen=True)
class Labels:
    """The sorted distinct labels, the code of each row, and the number of rows of each label."""

    classes: tuple[Label, ...]
    codes: CodeArray
    counts: FloatArray

    @classmethod
    def of(cls, classes: Sequence[Label], codes: CodeArray, threads: int) -> "Labels":
        return cls(tuple(classes), codes, kernels.class_weights(codes, len(classes), None, threads))

    def class_codes(self, weight: FloatArray | None) -> ClassCodes:
        return ClassCodes(self.codes, len(self.classes), weight)

    def weights(self, weight: FloatArray | None, threads: int) -> FloatArray:
        """The weight of each class."""
        return self.counts if weight is None else kernels.class_weights(self.codes, len(self.classes), weight, threads)


def plain_labels(y: LabelsLike) -> Any:
    """Labels as an array; ragged or mixed lists become arrays of objects, which are checked later."""
    if isinstance(y, np.ndarray):
        return y
    if isinstance(y, (list, tuple)) and len({type(v) for v in y}) > 1:
        mixed = np.empty(len(y), dtype=object)
        mixed[:] = y
        numbers = all(isinstance(v, (int, float, np.number, np.bool_)) for v in y)
        return np.asarray(y) if numbers else mixed
    return np.asarray(y)


def encode_labels(y: AnyArray, threads: int = 1) -> Labels:
    """Encode labels of any sortable type.

    >>> encode_labels(np.array(["spam", "ham", "spam"])).classes
    ('ham', 'spam')
    """
    if not y.dtype.isnative:
        y = y.astype(y.dtype.newbyteorder("="))
    if y.strides[0] % max(1, y.itemsize) or not y.flags.aligned:
        y = y.copy()
    if y.dtype.kind in "iub" and y.dtype != np.uint64 and len(y):
        return _encode_integers(y, threads)
    if y.dtype.kind == "f":
        _check_none_missing(np.isnan(y))
        found, inverse = np.unique(y, return_inverse=True)
        return Labels.of(found.tolist(), inverse.astype(np.int32), threads)
    values = y.tolist()
    distinct = _distinct(values)
    if y.dtype == object and any(map(is_missing, distinct)):
        _check_none_missing(np.fromiter(map(is_missing, values), dtype=bool, count=len(values)))
    classes = _sorted_labels(distinct)
    place = {label: i for i, label in enumerate(classes)}
    codes = np.fromiter(map(place.__getitem__, values), dtype=np.int32, count=len(values))
    return Labels.of(classes, codes, threads)


def labels_from_codes(codes: CodeArray, levels: Sequence[Label], threads: int) -> Labels:
    """Labels from codes of levels, which may be unsorted or unused. A negative code is a missing label.

    >>> labels_from_codes(np.array([1, 0, 1], np.int32), ["spam", "ham", "eggs"], 1).classes
    ('ham', 'spam')
    """
    _check_none_missing(codes < 0)
    counts = kernels.class_weights(codes, len(levels), None, threads)
    classes = _sorted_labels([level for level, count in zip(levels, counts, strict=True) if count])
    place = {label: i for i, label in enumerate(classes)}
    moved = np.array([place.get(level, -1) for level in levels], dtype=np.int32)
    of_class = np.zeros(len(classes))
    np.add.at(of_class, moved[counts > 0], counts[counts > 0])
    return Labels(tuple(classes), moved[codes], of_class)


def _distinct(values: Sequence[Label]) -> Collection[Label]:
    try:
        return set(values)
    except TypeError:  # such as lists; sorting raises the error
        return values


def _sorted_labels(values: Collection[Label]) -> list[Label]:
    try:
        return sorted(set(values))  # type: ignore[type-var]
    except TypeError:
        kinds = sorted({type(v).__name__ for v in values})
        raise DataError(
            f"The labels mix {' and '.join(kinds)}",
            "labels of one model must be of one type, so that they can be sorted",
            "Convert them all to text, or all to numbers",
        ) from None


def _encode_integers(y: AnyArray, threads: int) -> Labels:
    """Integers of a narrow range as their own codes. One pass is enough if the first rows have the whole range."""
    low, high = int(y[:1000].min()), int(y[:1000].max())
    found = kernels.lookup(y, low, high - low + 1, threads) if high - low < _MAX_RANGE else None
    if found is None:
        lows, highs = kernels.int_range(y[:, None], threads)
        low, high = int(lows[0]), int(highs[0])
        found = kernels.lookup(y, low, high - low + 1, threads) if high - low < _MAX_RANGE else None
    if found is None:
        values, inverse = np.unique(y, return_inverse=True)
        return Labels.of(values.tolist(), inverse.astype(np.int32), threads)
    codes, counts = found
    present = counts > 0
    classes = (np.flatnonzero(present) + low).tolist()
    if y.dtype == bool:
        classes = [bool(c) for c in classes]
    if not present.all():
        codes = (np.cumsum(present) - 1).astype(np.int32)[codes]
    return Labels(tuple(classes), codes, counts[present].astype(np.float64))


def _check_none_missing(missing: AnyArray) -> None:
    if missing.any():
        raise DataError(
            f"{int(missing.sum())} of the labels are missing (NaN or None)",
            "every row needs a label",
            "Drop those rows, or label them",
        )
