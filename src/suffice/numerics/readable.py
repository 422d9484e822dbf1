"""Arrays in a form that the kernels read."""

import numpy as np

from suffice.numerics.arrays import AnyArray


def readable(numbers: AnyArray) -> AnyArray:
    """Numbers in a form that the kernels read: native, aligned, of 32 or 64 bits if they are floats."""
    if not is_plain(numbers):
        numbers = numbers.copy()
    if numbers.dtype.kind == "f" and numbers.dtype.itemsize not in (4, 8):
        return numbers.astype(np.float32 if numbers.dtype.itemsize == 2 else np.float64)
    return numbers if numbers.dtype.isnative else numbers.astype(numbers.dtype.newbyteorder("="))


def is_plain(array: AnyArray) -> bool:
    """Whether its cells lie where a pointer to their type can go (not so in a field of packed records)."""
    return bool(array.flags.aligned) and not any(step % array.itemsize for step in array.strides)
