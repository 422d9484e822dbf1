"""Conversion of arrays to dtypes and layouts that the kernels support."""

import numpy as np

from suffice.numerics.arrays import AnyArray


def kernel_array(numbers: AnyArray) -> AnyArray:
    """The numbers in native byte order, aligned, with floats of 32 or 64 bits."""
    if not is_aligned(numbers):
        numbers = numbers.copy()
    if numbers.dtype.kind == "f" and numbers.dtype.itemsize not in (4, 8):
        return numbers.astype(np.float32 if numbers.dtype.itemsize == 2 else np.float64)
    return numbers if numbers.dtype.isnative else numbers.astype(numbers.dtype.newbyteorder("="))


def is_aligned(array: AnyArray) -> bool:
    """Whether all cells are aligned to their dtype (fields of packed records are not)."""
    return bool(array.flags.aligned) and not any(step % array.itemsize for step in array.strides)
