"""Header text in words like ``=?utf-8?q?na=C3=AFve?=`` (RFC 2047)."""

import binascii
import re

from suffice.sources.mail.charsets import decode_text
from suffice.sources.mail.notes import MailNotes
from suffice.sources.mail.transfer import unpack_base64

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bq])\?(.*?)\?=", re.IGNORECASE | re.DOTALL)


def decode_words(value: str, notes: MailNotes) -> str:
    """A field with its encoded words decoded, in one line with single spaces. Malformed words are kept.

    >>> decode_words("=?utf-8?q?na=C3?= =?utf-8?q?=AFve?= =?utf-8?b?", MailNotes())
    'naïve =?utf-8?b?'
    """
    if "=?" not in value:
        return " ".join(value.split())
    end = value.rfind("?=") + 2  # after the last end, unclosed words are not searched
    text: list[str] = []
    charset, data, at = "", b"", 0
    for word in _WORD.finditer(value, 0, end):
        gap, new = value[at : word.start()], word[1].partition("*")[0].lower()
        if gap.strip() or not at:
            text += [decode_text(data, charset, notes), gap]
            data = b""
        elif new != charset:
            text.append(decode_text(data, charset, notes))
            data = b""
        charset, at = new, word.end()
        data += _unpack(word[2], word[3], notes)  # a character may be split over words of one charset
    text += [decode_text(data, charset, notes), value[at:]]
    return " ".join("".join(text).split())


def _unpack(encoding: str, encoded: str, notes: MailNotes) -> bytes:
    raw = encoded.encode()
    return binascii.a2b_qp(raw, header=True) if encoding in "qQ" else unpack_base64(raw, notes)
