"""Serialisation of values to bytes; arrays are deserialised without a copy.

The bytes are pickles, exchanged only between processes of one session, which sends functions the same way.
"""

import pickle
from typing import Any

import numpy as np

_ALIGN = 64  # bytes, as in buffers of Arrow


def serialised(value: Any) -> bytes:
    """A value as bytes: the sizes of the pieces, the pickle without its arrays, and the arrays, all aligned."""
    arrays: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    pieces = [memoryview(head), *(array.raw() for array in arrays)]
    sizes = np.array([len(pieces), *(piece.nbytes for piece in pieces)], dtype=np.int64)
    return b"".join(
        part for piece in (memoryview(sizes.tobytes()), *pieces) for part in (piece, _padding(piece.nbytes))
    )


def deserialised(data: Any) -> Any:
    """The value of bytes from ``serialised``. ``data`` must not change afterwards.

    >>> deserialised(serialised({"a": np.arange(3)}))
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
