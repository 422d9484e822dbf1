"""Pickled values sent to another process of the service through a private pipe."""

import pickle
from dataclasses import is_dataclass
from typing import IO, Any


def send(value: Any, pipe: IO[bytes]) -> None:
    """Write a value for ``pickle.load`` at the other end."""
    _Pickler(pipe, pickle.HIGHEST_PROTOCOL).dump(value)
    pipe.flush()


class _Pickler(pickle.Pickler):
    """Copies the state of an object before pickling, since readers may fill its cached properties meanwhile."""

    def reducer_override(self, value: Any) -> Any:
        if not is_dataclass(value) or isinstance(value, type):
            return NotImplemented
        reduced = value.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        if isinstance(reduced, tuple) and len(reduced) > 2 and isinstance(reduced[2], dict):
            return (*reduced[:2], dict(reduced[2]), *reduced[3:])
        return reduced
