"""How rows reach Python quickly: in short batches, whose size Spark does not work out anew after every row."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.sql.types import BooleanType, DateType, NumericType, TimestampNTZType, TimestampType

_SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4000",  # they fit into the cache of a core
    "spark.sql.execution.arrow.maxBytesPerBatch": str((1 << 31) - 1),  # no limit, which is then not looked at
}
_FIXED = (NumericType, BooleanType, DateType, TimestampType, TimestampNTZType)

_lock = threading.Lock()
_borrowed: dict[int, tuple[int, dict[str, str | None]]] = {}  # by session: by how many, and what was set before


@contextmanager
def short_batches(frame: Any) -> Iterator[None]:
    """Jobs that are run in here send the rows of the frame in short batches.

    With a limit in bytes, as it is there by default, Spark goes through all columns after each row to see how large the
    batch has become, which takes longer than writing the row. Where no cell is longer than a number, the number of rows is
    limit enough; else the settings are left alone.
    """
    if not all(isinstance(field.dataType, _FIXED) for field in frame.schema.fields):
        yield
        return
    session = frame.sparkSession
    _borrow(session)
    try:
        yield
    finally:
        _give_back(session)


def _borrow(session: Any) -> None:
    """The settings are those of the session, and other threads may be counting too: the last one puts them back."""
    with _lock:
        users, before = _borrowed.get(id(session), (0, {}))
        if not users:
            before = {name: session.conf.get(name, None) for name in _SETTINGS}
            for name, value in _SETTINGS.items():
                session.conf.set(name, value)
        _borrowed[id(session)] = (users + 1, before)


def _give_back(session: Any) -> None:
    with _lock:
        users, before = _borrowed.pop(id(session))
        if users > 1:
            _borrowed[id(session)] = (users - 1, before)
            return
        for name, value in before.items():
            if value is None:
                session.conf.unset(name)
            else:
                session.conf.set(name, value)


def settle() -> None:
    """In a worker, once: PySpark collects garbage after every task, and what is loaded by now need not be gone through."""
    if not gc.get_freeze_count():
        gc.freeze()
