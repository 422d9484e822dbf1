"""The model file of the writer: written after a number of labels or seconds, with retries after failures."""

import logging
import os
import time
from pathlib import Path

from suffice.errors import SufficeError
from suffice.web.store.snapshots import digest
from suffice.web.store.stores import Stores
from suffice.web.version import Version

_log = logging.getLogger("suffice.web")
_MIN_RETRY_SECONDS, _MAX_RETRY_SECONDS = 1.0, 60.0  # delay doubles after each failure


class ModelFile:
    """``number`` is the version in the file; −1 if there is none."""

    def __init__(self, path: Path, stores: Stores, *, labels: int, seconds: float) -> None:
        self.number = -1
        self.snapshots = self.failures = 0
        self._path, self._stores = path, stores
        self._labels, self._seconds = labels, seconds
        self._tried_at, self._delay = time.monotonic(), 0.0

    def read_version(self) -> None:
        """Read the version of the file from the store."""
        number = self._stores.snapshots.version_of(self._path) if self._path.exists() else None
        self.number = -1 if number is None else number

    @property
    def is_backing_off(self) -> bool:
        """Whether the last write failed and the delay before the next one has not passed."""
        return time.monotonic() - self._tried_at < self._delay

    def is_due(self, version: Version) -> bool:
        since = version.number - self.number
        if since <= 0 or self.is_backing_off:
            return False
        return self._delay > 0 or since >= self._labels or time.monotonic() - self._tried_at >= self._seconds

    def save(self, version: Version) -> None:
        """Write a version. A failure is counted, and logged unless the previous write failed too."""
        self._tried_at = time.monotonic()
        try:
            self._write(version)
        except (OSError, SufficeError) as error:
            if not self._delay:
                _log.warning("The model file cannot be written (%s); the service continues and retries", error)
            self.failures += 1
            self._delay = min(max(_MIN_RETRY_SECONDS, 2 * self._delay), _MAX_RETRY_SECONDS)
            return
        if self._delay:
            _log.warning("The model file can be written again")
        self._delay = 0.0

    def _write(self, version: Version) -> None:
        """The digest is stored before the file is replaced, so that after a crash in between the digest of the old file is
        on record too."""
        if version.number == self.number and self._path.exists():
            return
        temporary = self._path.with_name(f".{self._path.name}.next")
        version.saved(temporary)
        with self._stores.database.transaction():
            self._stores.snapshots.record(digest(temporary), version.number)
        os.replace(temporary, self._path)
        self.number = version.number
        self.snapshots += 1
