"""Batch sizes for fast transfer of rows to Python, set while a job runs."""

import gc
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from pyspark.sql.types import BooleanType, DateType, NumericType, TimestampNTZType, TimestampType

_LENGTH, _SIZE = "spark.sql.execution.arrow.maxRecordsPerBatch", "spark.sql.execution.arrow.maxBytesPerBatch"
_ROW_BATCHES = {_LENGTH: "4000", _SIZE: str((1 << 31) - 1)}  # the latter is no limit, and is then not looked at
_CELL_BATCHES = {_LENGTH: "1"}
_FIXED = (NumericType, BooleanType, DateType, TimestampType, TimestampNTZType)


def short_batches(frame: Any) -> AbstractContextManager[None]:
    """Jobs that are run in here send the rows of the frame in batches of a few thousand.

    With a limit in bytes, as it is there by default, Spark goes through all columns after each row to see how large the
    batch has become, which takes longer than writing the row. Where no cell is longer than a number, the number of rows is
    limit enough; else the settings are left alone.
    """
    if all(isinstance(field.dataType, _FIXED) for field in frame.schema.fields):
        return _set(frame.sparkSession, _ROW_BATCHES)
    return nullcontext()


def single_cells(frame: Any) -> AbstractContextManager[None]:
    """Jobs that are run in here send large cells one by one: a buffer for several is grown, and so copied, again and again."""
    return _set(frame.sparkSession, _CELL_BATCHES)


def settle() -> None:
    """In a worker, once: PySpark collects garbage after every task, and what is loaded by now need not be gone through."""
    if not gc.get_freeze_count():
        gc.freeze()


_changed = threading.Condition()
_held: dict[int, "_Held"] = {}  # by session


class _Held:
    """Settings of a session, by how many they are wanted, and what was there before."""

    def __init__(self, session: Any, settings: Mapping[str, str]) -> None:
        self.session, self.settings, self.users = session, settings, 1
        self.before = {name: session.conf.get(name, None) for name in settings}
        for name, value in settings.items():
            session.conf.set(name, value)

    def put_back(self) -> None:
        for name, value in self.before.items():
            if value is None:
                self.session.conf.unset(name)
            else:
                self.session.conf.set(name, value)


@contextmanager
def _set(session: Any, settings: Mapping[str, str]) -> Iterator[None]:
    """Settings are those of the session, and other threads may count too: with the same ones together, else in turn."""
    key = id(session)
    with _changed:
        _changed.wait_for(lambda: key not in _held or _held[key].settings is settings)
        if key in _held:
            _held[key].users += 1
        else:
            _held[key] = _Held(session, settings)
    try:
        yield
    finally:
        with _changed:
            _held[key].users -= 1
            if not _held[key].users:
                _held.pop(key).put_back()
                _changed.notify_all()
