"""Decoding of quoted-printable and base64, including malformed content."""

import binascii
import string

from suffice.sources.mail.notes import MailNotes

_WHITE = b" \t\r\n"
_BASE64_DIGITS = string.ascii_letters.encode() + string.digits.encode() + b"+/"
_NON_DIGITS = bytes(set(range(256)) - set(_BASE64_DIGITS))
_IDENTITIES = frozenset(["", "7bit", "8bit", "binary"])


def unpack(data: bytes, encoding: str, notes: MailNotes) -> bytes:
    """The decoded bytes; unchanged if the transfer encoding is unknown."""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding == "base64":
        return unpack_base64(data, notes)
    if not is_identity(encoding):
        notes.defects.add("encoding")
    return data


def is_identity(encoding: str) -> bool:
    """Whether the encoding is the identity."""
    return encoding in _IDENTITIES


def unpack_base64(data: bytes, notes: MailNotes) -> bytes:
    """All whole bytes up to the padding; characters outside the alphabet are ignored.

    >>> unpack_base64(b"aGVs bG8", MailNotes())
    b'hello'
    """
    front, padding, behind = data.partition(b"=")
    digits = front.translate(None, _NON_DIGITS)
    whole = len(digits) - (len(digits) % 4 == 1)
    behind = padding + behind.translate(None, _WHITE)
    if len(digits) < len(front.translate(None, _WHITE)) or (len(digits) + len(behind)) % 4 or behind.strip(b"="):
        notes.defects.add("base64")
    return binascii.a2b_base64(digits[:whole] + b"=" * (-whole % 4))
