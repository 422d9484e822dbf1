"""The header of a message or of one of its parts."""

import re
from email.message import Message
from email.parser import HeaderParser
from email.policy import compat32

from suffice.sources.mail.caps import Caps
from suffice.sources.mail.charsets import decode_text, without_surrogates
from suffice.sources.mail.encoded_words import decode_words
from suffice.sources.mail.notes import MailNotes

_BLANK_LINE = re.compile(rb"(?:\A|\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)")
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
_PARSER = HeaderParser(policy=compat32)


class Header:
    """Header fields by lower-case name, each a list of values in order."""

    def __init__(self, fields: dict[str, list[str]], notes: MailNotes) -> None:
        self.fields = fields
        self._notes = notes

    def text(self, name: str) -> str | None:
        """The first field of a name, decoded, in one line."""
        values = self.fields.get(name)
        return None if values is None else decode_words(values[0], self._notes)

    def texts(self, *names: str) -> str:
        """All fields of these names, decoded."""
        return ", ".join(decode_words(value, self._notes) for name in names for value in self.fields.get(name, ()))

    def token(self, name: str) -> str:
        """The first token of a field, in lower case; empty if absent."""
        return self.fields.get(name, [""])[0].partition(";")[0].strip().lower()

    def content_type(self, default: str) -> str:
        """The declared content type, or the default if it is absent or malformed."""
        value = self.token("content-type")
        if _TYPE.fullmatch(value):
            return value
        if value:
            self._notes.defects.add("type")
        return default

    def parameter(self, name: str, field: str = "content-type") -> str | None:
        """A parameter of a field, such as ``charset=…``, plain or encoded by RFC 2231."""
        if field not in self.fields:
            return None
        message: Message[str, str] = Message()
        message[field] = self.fields[field][0]
        try:
            value = message.get_param(name, header=field)
        except (TypeError, ValueError):  # from the standard library, for some malformed parameters
            self._notes.defects.add("parameter")
            return None
        if isinstance(value, tuple):
            charset, _, encoded = value
            return decode_text(encoded.encode("latin-1", "replace"), charset, self._notes)
        return None if value is None else without_surrogates(value, self._notes)

    def file_name(self) -> str:
        """The file name of a part; empty if it has none."""
        name = self.parameter("filename", "content-disposition") or self.parameter("name") or ""
        return decode_words(name, self._notes)


def read_header(data: bytes, caps: Caps, notes: MailNotes) -> tuple[Header, bytes]:
    """The header at the start of the bytes, and the body."""
    if data.startswith((b" ", b"\t")):  # a continuation line without a field
        notes.defects.add("header")
        return Header({}, notes), data
    blank = _BLANK_LINE.search(data)
    end = blank.end() if blank else len(data)
    block = data[:end]
    if end > caps.headers:  # up to the last whole line, since a truncated field may be parsed as body
        block = data[: data.rfind(b"\n", 0, caps.headers) + 1 or caps.headers]
    parsed = _PARSER.parsestr(block.decode("latin-1"))  # one character per byte, so that the bytes can be restored
    rest = str(parsed.get_payload())
    if parsed.defects:
        notes.defects.add("header")
    if rest:  # the line belongs to no field, so it starts the body
        body = rest.encode("latin-1") + data[len(block) :]
    else:
        body = data[end:]
        if end > caps.headers:
            notes.truncated.add("headers")
    fields: dict[str, list[str]] = {}
    for name, value in parsed.raw_items():
        fields.setdefault(name.lower(), []).append(_one_line(value, caps, notes))
    return Header(fields, notes), body


def _one_line(value: str, caps: Caps, notes: MailNotes) -> str:
    """A field, unfolded, truncated to its cap, and decoded if it has raw non-ASCII bytes."""
    if len(value) > caps.field:
        notes.truncated.add("field")
        value = value[: caps.field]
    if not value.isascii():
        value = decode_text(value.encode("latin-1"), None, notes)
    return value.replace("\r", "").replace("\n", "")
