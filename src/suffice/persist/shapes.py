"""Required shapes of the arrays of a record, so that values from a file are safe to compute with."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from suffice.errors import ModelFileError
from suffice.numerics.arrays import AnyArray

Shape: TypeAlias = str | tuple[str, str]
"""``"ck"``: an array of finite doubles with an axis of c and one of k cells; a letter stands for one length in all arrays of
a record, c for the number of classes and k for that of columns, ``_`` for any length. ``"n:i8"`` has cells of another type.
``("c", "_k")`` is a tuple of c such arrays."""

Sizes: TypeAlias = dict[str, int]


def measured(value: Any, shapes: Mapping[str, Shape]) -> Sizes:
    """The length of each letter; inconsistent arrays are refused."""
    sizes: Sizes = {}
    for name, shape in shapes.items():
        part = getattr(value, name)
        if part is None:
            continue
        if isinstance(shape, str):
            _measure(part, name, shape, sizes)
            continue
        count, each = shape
        if not isinstance(part, tuple):
            raise wrong(name, f"is no tuple of arrays but a {type(part).__name__}")
        _agree(name, count, len(part), sizes)
        for one in part:
            _measure(one, name, each, sizes)
    return sizes


def wrong(name: str, how: str) -> ModelFileError:
    return ModelFileError(f"{name!r} in the model file {how}", "no model that was saved is like that")


def _measure(array: Any, name: str, shape: str, sizes: Sizes) -> None:
    letters, _, cells = shape.partition(":")
    if isinstance(array, np.ndarray):
        values = array
    elif isinstance(array, (sp.csr_array, sp.csr_matrix)):
        _check_sparse(array, name)
        values = array.data
    else:
        raise wrong(name, f"is no array but a {type(array).__name__}")
    if array.ndim != len(letters) or values.dtype != np.dtype(cells or "f8"):
        raise wrong(name, f"has {array.ndim} axes of {values.dtype}")
    for letter, length in zip(letters, array.shape, strict=True):
        _agree(name, letter, length, sizes)
    if values.dtype.kind == "f" and values.size and not (np.isfinite(values.min()) and np.isfinite(values.max())):
        raise wrong(name, "is not finite")


def _agree(name: str, letter: str, length: int, sizes: Sizes) -> None:
    if letter != "_" and sizes.setdefault(letter, length) != length:
        raise wrong(name, f"has an axis of {length} where others have {sizes[letter]}")


def _check_sparse(table: Any, name: str) -> None:
    """Refuse invalid sparse indices, which kernels do not check."""
    ends: AnyArray = table.indptr
    if ends.ndim != 1 or len(ends) != table.shape[0] + 1 or table.indices.shape != table.data.shape:
        raise wrong(name, "has rows that do not agree")
    if table.indices.dtype.kind != "i" or ends.dtype.kind != "i":
        raise wrong(name, "has places that are no whole numbers")
    if ends[0] != 0 or ends[-1] != len(table.data) or (ends[1:] < ends[:-1]).any():
        raise wrong(name, "has rows that do not follow each other")
    if len(table.indices) and not 0 <= table.indices.min() <= table.indices.max() < table.shape[1]:
        raise wrong(name, "has cells outside")
