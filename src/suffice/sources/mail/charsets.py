"""Bytes to characters, also under a wrong charset declaration."""

import codecs
import re

from suffice.sources.mail.notes import MailNotes

_NAME = re.compile(r"[A-Za-z0-9_.:+-]{1,40}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_FOR_MAIL = frozenset(
    {"base64", "bz2", "hex", "quopri", "rot13", "rot-13", "uu", "zlib", "mbcs", "oem", "undefined"}
    | {"idna", "punycode", "raw-unicode-escape", "unicode-escape"}
)
"""Codecs of Python that no text of a message is written in; some would take time by the square of the length."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030"}
"""What is declared as the former is often the latter, which contains it."""


def decode_text(data: bytes, charset: str | None, notes: MailNotes) -> str:
    """The bytes read by their declared charset; if that fails, by UTF-8; if that fails too, as well as it goes.

    >>> notes = MailNotes()
    >>> decode_text(b"na\\xefve", "iso-8859-1", notes), decode_text(b"na\\xc3\\xafve", "x-no-such", notes)
    ('naïve', 'naïve')
    >>> notes.defects
    {'charset'}
    """
    declared = _codec(charset or "us-ascii")
    last = "latin-1" if declared in (None, "ascii") else declared
    for codec, errors in ((declared, "strict"), ("utf-8", "strict"), (last, "replace")):
        try:
            if codec is not None:
                return without_surrogates(data.decode(codec, errors), notes)
        except UnicodeError:
            pass
        notes.defects.add("charset")
    raise AssertionError("the last attempt replaces what it cannot read")


def without_surrogates(text: str, notes: MailNotes) -> str:
    """Half characters, which no UTF-8 can carry, replaced by U+FFFD."""
    if text.isascii():
        return text
    text, found = _SURROGATE.subn("\ufffd", text)
    if found:
        notes.defects.add("charset")
    return text


def _codec(charset: str) -> str | None:
    """Python's name of the charset, None if there is no such thing."""
    if not _NAME.fullmatch(charset):
        return None
    try:
        name = codecs.lookup(charset).name
    except LookupError:
        return None
    return None if name in _NOT_FOR_MAIL else _WIDER.get(name, name)
