"""Validation of the shapes of arrays from a file."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from suffice.errors import ModelFileError
from suffice.numerics.arrays import AnyArray

Shape: TypeAlias = str | tuple[str, str]
"""``"ck"`` is an array of finite doubles with axes of c and k cells. A letter is the same length in all arrays of a record:
c is the number of classes and k that of columns; ``_`` is any length. ``"n:i8"`` has another dtype.
``("c", "_k")`` is a tuple of c such arrays."""

Sizes: TypeAlias = dict[str, int]


def axis_lengths(value: Any, shapes: Mapping[str, Shape]) -> Sizes:
    """The length of each letter. Raises if arrays are inconsistent."""
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
            raise invalid_field(name, f"is not a tuple of arrays but a {type(part).__name__}")
        _check_equal(name, count, len(part), sizes)
        for one in part:
            _measure(one, name, each, sizes)
    return sizes


def invalid_field(name: str, how: str) -> ModelFileError:
    return ModelFileError(f"{name!r} in the model file {how}", "it is damaged, or was not written by suffice")


def _measure(array: Any, name: str, shape: str, sizes: Sizes) -> None:
    letters, _, cells = shape.partition(":")
    if isinstance(array, np.ndarray):
        values = array
    elif isinstance(array, (sp.csr_array, sp.csr_matrix)):
        _check_sparse(array, name)
        values = array.data
    else:
        raise invalid_field(name, f"is not an array but a {type(array).__name__}")
    if array.ndim != len(letters) or values.dtype != np.dtype(cells or "f8"):
        raise invalid_field(name, f"has {array.ndim} axes of {values.dtype}")
    for letter, length in zip(letters, array.shape, strict=True):
        _check_equal(name, letter, length, sizes)
    if values.dtype.kind == "f" and values.size and not (np.isfinite(values.min()) and np.isfinite(values.max())):
        raise invalid_field(name, "is not finite")


def _check_equal(name: str, letter: str, length: int, sizes: Sizes) -> None:
    if letter != "_" and sizes.setdefault(letter, length) != length:
        raise invalid_field(name, f"has an axis of {length} where others have {sizes[letter]}")


def _check_sparse(table: Any, name: str) -> None:
    """Raise for invalid sparse indices, which kernels do not check."""
    indptr: AnyArray = table.indptr
    if indptr.ndim != 1 or len(indptr) != table.shape[0] + 1 or table.indices.shape != table.data.shape:
        raise invalid_field(name, "has rows of different lengths")
    if table.indices.dtype.kind != "i" or indptr.dtype.kind != "i":
        raise invalid_field(name, "has indices that are not integers")
    if indptr[0] != 0 or indptr[-1] != len(table.data) or (indptr[1:] < indptr[:-1]).any():
        raise invalid_field(name, "has row offsets that are not in order")
    if len(table.indices) and not 0 <= table.indices.min() <= table.indices.max() < table.shape[1]:
        raise invalid_field(name, "has cells outside its shape")
