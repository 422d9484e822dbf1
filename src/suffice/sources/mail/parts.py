"""The parts of a message, including nested ones."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from suffice.sources.mail.caps import Caps
from suffice.sources.mail.headers import Header, read_header
from suffice.sources.mail.notes import MailNotes
from suffice.sources.mail.transfer import unpack

_REST_OF_LINE = re.compile(rb"[ \t]*(?:\r\n|\r|\n|\Z)")
_MESSAGES = ("message/rfc822", "message/global")


@dataclass(frozen=True)
class MailPart:
    """One part: header, type and encoded bytes. The bytes of a container include those of its parts."""

    header: Header
    type: str
    body: bytes

    @property
    def is_container(self) -> bool:
        return self.type.startswith("multipart/") or self.type in _MESSAGES

    @property
    def encoding(self) -> str:
        """The declared transfer encoding."""
        return self.header.token("content-transfer-encoding")

    @property
    def is_text(self) -> bool:
        return not self.is_container and (self.type.startswith(("text/", "message/")) or self.is_html)

    @property
    def is_html(self) -> bool:
        return self.type in ("text/html", "application/xhtml+xml")

    @property
    def is_file(self) -> bool:
        """Whether the part is a file rather than inline text."""
        attached = self.header.token("content-disposition") == "attachment"
        return not self.is_container and (not self.is_text or attached or bool(self.header.file_name()))

    def unpacked(self, notes: MailNotes) -> bytes:
        return unpack(self.body, self.encoding, notes)


def walk(data: bytes, caps: Caps, notes: MailNotes) -> Iterator[MailPart]:
    """The message and its parts, depth first.

    Parts are split lazily, so a message with a million parts costs no more than ``caps.parts``.
    The standard library's parser has no such limits, and its recursion is as deep as the nesting.
    """
    waiting = [(data, 0, "text/plain")]
    for _ in range(caps.parts):
        if not waiting:
            return
        data, depth, default = waiting.pop()
        header, body = read_header(data, caps, notes)
        part = MailPart(header, header.content_type(default), body)
        nested = _nested(part, caps, notes) if part.is_container else []
        if part.is_container and not nested:
            notes.defects.add("boundary")  # without a boundary, the container is read as one text
            part = MailPart(header, "text/plain", body)
        yield part
        if nested and depth == caps.depth:
            notes.truncated.add("depth")
            continue
        default = "message/rfc822" if part.type == "multipart/digest" else "text/plain"
        waiting += [(piece, depth + 1, default) for piece in reversed(nested)]
    if waiting:
        notes.truncated.add("parts")


def _nested(part: MailPart, caps: Caps, notes: MailNotes) -> list[bytes]:
    if part.type in _MESSAGES:
        return [part.unpacked(notes)]
    return list(islice(_pieces(part, notes), caps.parts))


def _pieces(part: MailPart, notes: MailNotes) -> Iterator[bytes]:
    """The bytes between boundary lines. The line end before a boundary is part of it."""
    boundary = (part.header.parameter("boundary") or "").rstrip().encode()
    if not boundary:
        return
    line_end = b"\n" if b"\n" in part.body else b"\r"
    body, mark = line_end + part.body, line_end + b"--" + boundary
    start, begin = body.find(mark), 0
    while start >= 0:
        behind = start + len(mark)
        closing = body.startswith(b"--", behind)
        line = _REST_OF_LINE.match(body, behind + 2 * closing)
        if line and 0 < begin < start:
            yield body[begin:start].removesuffix(b"\r")
        if line and closing:
            return
        begin = line.end() if line else begin
        start = body.find(mark, behind)
    if begin:
        notes.defects.add("boundary")  # without a closing boundary, the last part may be truncated
        yield body[begin:]
