"""Intake of mail: a folder or an mbox file is watched, and each new message becomes a case."""

import hashlib
import logging
import re
import threading
from collections.abc import Iterator
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

import msgspec

from suffice.errors import DataError, ParameterError, SufficeError, quoted
from suffice.sources.mail import Caps, Mail, read_mail
from suffice.sources.mail.boxes import mbox_messages, message_files
from suffice.web.columns import Columns
from suffice.web.store import StoreError
from suffice.web.store.cases import CASE_ID
from suffice.web.writer import Writer

_log = logging.getLogger("suffice.web")
_POLL_SECONDS = 2.0  # a file that changed since the last poll is still being written
_Stamp = tuple[int, int]


class MailWatch:
    """A thread that submits messages as cases."""

    def __init__(self, place: Path, columns: Columns, writer: Writer) -> None:
        missing = [key for key in columns.keys if key not in Mail.__annotations__]
        if missing:
            raise ParameterError(
                f"The model has columns {quoted(missing)}",
                f"a message has {quoted(list(Mail.__annotations__), 30)}",
                "Use a model trained on a folder of messages",
            )
        if not place.exists():
            raise ParameterError(f"There is no {str(place)!r}", "a folder of messages or an mbox file can be watched")
        self.added = self.skipped = 0
        self._place, self._columns, self._writer = place, columns, writer
        # of each file: modification time and size, and whether it was read since
        self._stamps: dict[Path, tuple[_Stamp, bool]] = {}
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work, name="suffice-intake", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ending.set()
        self._thread.join()

    # — the thread —

    def _work(self) -> None:
        while not self._ending.is_set():
            try:
                self.poll()
            except StoreError as error:
                _log.warning("The store does not respond (%s); mail will be read later", error)
            except Exception:
                _log.exception("Mail could not be read; trying again")
            self._ending.wait(_POLL_SECONDS)

    def poll(self) -> None:
        """Add the messages of new files that have not changed since the last poll."""
        for path in self._changed():
            for message in self._messages(path):
                if self._ending.is_set():
                    return
                self._submit(message, path)
            self._stamps[path] = self._stamps[path][0], True

    def _changed(self) -> list[Path]:
        """New or modified files that are unchanged since the last poll."""
        files = [self._place] if self._place.is_file() else list(message_files(self._place))
        stamps: dict[Path, tuple[_Stamp, bool]] = {}
        for path in files:
            if path.parent.name == "tmp":  # of a Maildir: delivery is not complete
                continue
            try:
                found = path.stat()
            except FileNotFoundError:
                continue
            stamp = found.st_mtime_ns, found.st_size
            before, was_read = self._stamps.get(path, (None, False))
            stamps[path] = stamp, was_read and before == stamp
        settled = [
            p for p, (stamp, was_read) in stamps.items() if not was_read and self._stamps.get(p, (None,))[0] == stamp
        ]
        self._stamps = stamps
        return settled

    def _messages(self, path: Path) -> Iterator[bytes]:
        if path == self._place:
            try:
                yield from mbox_messages(path, Caps())
            except DataError as error:
                _log.warning("%s", error)
            return
        try:
            with path.open("rb") as file:
                yield file.read(Caps().message + 1)
        except OSError as error:
            _log.warning("%r cannot be read (%s)", str(path), error.strerror)

    def _submit(self, message: bytes, path: Path) -> None:
        digest = hashlib.sha256(message).hexdigest()
        try:
            mail: Any = read_mail(message)
            row = msgspec.convert({key: mail.get(key) for key in self._columns.keys}, self._columns.row_type)
            case = self._writer.submit(
                lambda draft: draft.add_message(_message_id(message, digest), row, digest)
            ).result()
            self.added += case is not None
        except StoreError:
            raise
        except (SufficeError, msgspec.ValidationError) as error:
            _log.warning("A message in %r cannot become a case (%s); it is skipped", str(path), error)
            self.skipped += 1
            self._writer.submit(lambda draft: draft.skip_message(digest)).result()


def _message_id(message: bytes, digest: str) -> str:
    """The Message-ID, or a generated id for a message without a usable one."""
    head = message.partition(b"\r\n\r\n" if b"\r\n\r\n" in message else b"\n\n")[0]
    found = str(BytesHeaderParser().parsebytes(head + b"\n\n").get("message-id", "")).strip()
    return found if re.fullmatch(CASE_ID, found) and found.isascii() else digest[:24]
