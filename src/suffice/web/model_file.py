"""The model file of the writer: written every so many labels or seconds, with retries after failures."""

import logging
import os
import time
from pathlib import Path

from suffice.errors import SufficeError
from suffice.web.store.snapshots import digest
from suffice.web.store.stores import Stores
from suffice.web.version import Version

_log = logging.getLogger("suffice.web")
_SHORTEST_DELAY, _LONGEST_DELAY = 1.0, 60.0  # seconds between a failure and the retry


class ModelFile:
    """``number`` is the version in the file; −1 if there is none."""

    def __init__(self, path: Path, stores: Stores, *, labels: int, seconds: float) -> None:
        self.number = -1
        self.snapshots = self.failures = 0
        self._path, self._stores = path, stores
        self._labels, self._seconds = labels, seconds
        self._tried_at, self._delay = time.monotonic(), 0.0

    def find(self) -> None:
        """Look up the version of the file."""
        number = self._stores.snapshots.version_of(self._path) if self._path.exists() else None
        self.number = -1 if number is None else number

    @property
    def is_resting(self) -> bool:
        """Whether a write failed recently, so that the next one has to wait."""
        return time.monotonic() - self._tried_at < self._delay

    def is_due(self, version: Version) -> bool:
        since = version.number - self.number
        if since <= 0 or self.is_resting:
            return False
        return self._delay > 0 or since >= self._labels or time.monotonic() - self._tried_at >= self._seconds

    def save(self, version: Version) -> None:
        """Write a version. A failure is counted, and logged unless the previous write failed too."""
        self._tried_at = time.monotonic()
        try:
            self._write(version)
        except (OSError, SufficeError) as error:
            if not self._delay:
                _log.warning("The model file cannot be written (%s); the service continues and tries again", error)
            self.failures += 1
            self._delay = min(max(_SHORTEST_DELAY, 2 * self._delay), _LONGEST_DELAY)
            return
        if self._delay:
            _log.warning("The model file can be written again")
        self._delay = 0.0

    def _write(self, version: Version) -> None:
        """The digest is stored before the file is replaced, so a crash in between leaves the old file, whose digest is
        stored too."""
        if version.number == self.number and self._path.exists():
            return
        beside = self._path.with_name(f".{self._path.name}.next")
        version.saved(beside)
        with self._stores.database.transaction():
            self._stores.snapshots.record(digest(beside), version.number)
        os.replace(beside, self._path)
        self.number = version.number
        self.snapshots += 1
