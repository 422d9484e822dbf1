"""Decoding of quoted-printable and base64, intact or damaged."""

import binascii
import string

from suffice.sources.mail.notes import MailNotes

_WHITE = b" \t\r\n"
_BASE64_DIGITS = string.ascii_letters.encode() + string.digits.encode() + b"+/"
_FOREIGN = bytes(set(range(256)) - set(_BASE64_DIGITS))
_AS_IT_IS = frozenset(["", "7bit", "8bit", "binary"])


def unpack(data: bytes, encoding: str, notes: MailNotes) -> bytes:
    """The bytes decoded from their transfer encoding; unchanged if the encoding is unknown."""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding == "base64":
        return unpack_base64(data, notes)
    if not is_plain(encoding):
        notes.defects.add("encoding")
    return data


def is_plain(encoding: str) -> bool:
    """Whether the encoding is the identity."""
    return encoding in _AS_IT_IS


def unpack_base64(data: bytes, notes: MailNotes) -> bytes:
    """All whole bytes up to the padding; other characters are ignored.

    >>> unpack_base64(b"aGVs bG8", MailNotes())
    b'hello'
    """
    front, padding, behind = data.partition(b"=")
    digits = front.translate(None, _FOREIGN)
    whole = len(digits) - (len(digits) % 4 == 1)
    behind = padding + behind.translate(None, _WHITE)
    if len(digits) < len(front.translate(None, _WHITE)) or (len(digits) + len(behind)) % 4 or behind.strip(b"="):
        notes.defects.add("base64")
    return binascii.a2b_base64(digits[:whole] + b"=" * (-whole % 4))
