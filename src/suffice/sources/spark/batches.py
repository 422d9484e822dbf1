"""Batch sizes for fast transfer of rows to Python, set while a job runs."""

import gc
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from pyspark.sql.types import BooleanType, DateType, NumericType, TimestampNTZType, TimestampType

_LENGTH, _SIZE = "spark.sql.execution.arrow.maxRecordsPerBatch", "spark.sql.execution.arrow.maxBytesPerBatch"
_ROW_BATCHES = {_LENGTH: "4000", _SIZE: str((1 << 31) - 1)}  # the maximum, with which Spark does not measure sizes
_CELL_BATCHES = {_LENGTH: "1"}
_FIXED = (NumericType, BooleanType, DateType, TimestampType, TimestampNTZType)


def short_batches(frame: Any) -> AbstractContextManager[None]:
    """Within this context, jobs send the rows of the frame in batches of a few thousand.

    With a limit in bytes, which is the default, Spark measures all columns after each row to find the size of the
    batch, which takes longer than writing the row. If all types are of fixed width, the number of rows is limited
    instead; otherwise the settings are not changed.
    """
    if all(isinstance(field.dataType, _FIXED) for field in frame.schema.fields):
        return _set(frame.sparkSession, _ROW_BATCHES)
    return nullcontext()


def single_cells(frame: Any) -> AbstractContextManager[None]:
    """Within this context, jobs send large cells one by one: a buffer for several is copied each time it grows."""
    return _set(frame.sparkSession, _CELL_BATCHES)


def freeze_loaded_objects() -> None:
    """Exempt loaded objects from garbage collection, which PySpark runs after every task; once per worker."""
    if not gc.get_freeze_count():
        gc.freeze()


_changed = threading.Condition()
_shared: dict[int, "_SharedSettings"] = {}  # by session


class _SharedSettings:
    """Settings of a session, the number of contexts that use them, and the previous values."""

    def __init__(self, session: Any, settings: Mapping[str, str]) -> None:
        self.session, self.settings, self.users = session, settings, 1
        self.before = {name: session.conf.get(name, None) for name in settings}
        for name, value in settings.items():
            session.conf.set(name, value)

    def restore(self) -> None:
        for name, value in self.before.items():
            if value is None:
                self.session.conf.unset(name)
            else:
                self.session.conf.set(name, value)


@contextmanager
def _set(session: Any, settings: Mapping[str, str]) -> Iterator[None]:
    """Set options of the session. Threads with the same settings share them; others wait."""
    key = id(session)
    with _changed:
        _changed.wait_for(lambda: key not in _shared or _shared[key].settings is settings)
        if key in _shared:
            _shared[key].users += 1
        else:
            _shared[key] = _SharedSettings(session, settings)
    try:
        yield
    finally:
        with _changed:
            _shared[key].users -= 1
            if not _shared[key].users:
                _shared.pop(key).restore()
                _changed.notify_all()
