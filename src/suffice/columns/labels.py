"""Labels to class codes."""

from collections.abc import Hashable
from typing import TypeAlias

import numpy as np

from suffice.errors import DataError
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, CodeArray

Label: TypeAlias = Hashable

_WIDEST = 1 << 16


def encode_labels(y: AnyArray, threads: int = 1) -> tuple[tuple[Label, ...], CodeArray]:
    """The distinct labels in order, and each row's place among them.

    >>> encode_labels(np.array(["spam", "ham", "spam"]))
    (('ham', 'spam'), array([1, 0, 1], dtype=int32))
    """
    if y.dtype.kind in "iub" and y.dtype != np.uint64 and len(y):
        return _encode_integers(y, threads)
    if y.dtype.kind == "f":
        _refuse(np.isnan(y))
        found, codes = np.unique(y, return_inverse=True)
        return tuple(found.tolist()), codes.astype(np.int32)
    values = y.tolist()
    if y.dtype == object:
        _refuse(np.fromiter((v is None or v != v for v in values), dtype=bool, count=len(values)))
    try:
        classes = sorted(set(values))
    except TypeError:
        kinds = sorted({type(v).__name__ for v in values})
        raise DataError(
            f"The labels mix {' and '.join(kinds)}",
            "labels of one model must be of one kind, so that they can be put in order",
            "Convert them all to text, or all to numbers",
        ) from None
    place = {label: i for i, label in enumerate(classes)}
    return tuple(classes), np.fromiter((place[v] for v in values), dtype=np.int32, count=len(values))


def _encode_integers(y: AnyArray, threads: int) -> tuple[tuple[Label, ...], CodeArray]:
    """Integers close together are their own codes. The range is guessed from the first rows, so that one read will do."""
    low, high = int(y[:1000].min()), int(y[:1000].max())
    codes, seen = kernels.lookup(y, low, high - low + 1, threads) if high - low < _WIDEST else (y, np.ones(1, bool))
    if seen[-1]:  # some lie outside
        lows, highs = kernels.int_range(y[:, None], threads)
        low, high = int(lows[0]), int(highs[0])
        if high - low >= _WIDEST:
            found, inverse = np.unique(y, return_inverse=True)
            return tuple(found.tolist()), inverse.astype(np.int32)
        codes, seen = kernels.lookup(y, low, high - low + 1, threads)
    present = seen[:-1]
    classes = (np.flatnonzero(present) + low).tolist()
    if y.dtype == bool:
        classes = [bool(c) for c in classes]
    if not present.all():
        codes = (np.cumsum(present) - 1).astype(np.int32)[codes]
    return tuple(classes), codes


def _refuse(missing: AnyArray) -> None:
    if missing.any():
        raise DataError(
            f"{int(missing.sum())} of the labels are missing (NaN or None)",
            "every row needs a label",
            "Drop those rows, or label them",
        )
