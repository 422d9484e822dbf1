"""Values as bytes in which arrays can be used where they lie.

These are pickles: they travel between the processes of one session, which sends functions the same way.
"""

import pickle
from typing import Any

import numpy as np

_ALIGN = 64  # bytes: where Arrow puts its buffers, and the kernels like to find numbers


def packed(value: Any) -> bytes:
    """The sizes of the pieces, the value without its arrays, and those, each from a round place on."""
    arrays: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    pieces = [memoryview(head), *(array.raw() for array in arrays)]
    sizes = np.array([len(pieces), *(piece.nbytes for piece in pieces)], dtype=np.int64)
    return b"".join(
        part for piece in (memoryview(sizes.tobytes()), *pieces) for part in (piece, _padding(piece.nbytes))
    )


def unpacked(data: Any) -> Any:
    """The value of what ``packed`` has written, in a process of this very session. ``data`` must stay as it is.

    >>> unpacked(packed({"a": np.arange(3)}))
    {'a': array([0, 1, 2])}
    """
    whole = memoryview(data)
    count = int(np.frombuffer(whole, np.int64, 1)[0])
    sizes = np.frombuffer(whole, np.int64, count, offset=8).tolist()
    pieces = []
    start = _round(8 * (count + 1))
    for size in sizes:
        pieces.append(whole[start : start + size])
        start += _round(size)
    return pickle.loads(pieces[0], buffers=pieces[1:])


def _round(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN


def _padding(size: int) -> bytes:
    return bytes(_round(size) - size)
