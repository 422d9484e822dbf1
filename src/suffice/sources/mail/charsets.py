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
"""Python codecs that no message text uses; some take quadratic time."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030"}
"""Charsets that are often declared for a superset, which is decoded instead."""


def decode_text(data: bytes, charset: str | None, notes: MailNotes) -> str:
    """Decode bytes by their declared charset, else as UTF-8, else by the charset (or Latin-1) with replacements.

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
    """Text with lone surrogates, which UTF-8 cannot encode, replaced by U+FFFD."""
    if text.isascii():
        return text
    text, found = _SURROGATE.subn("\ufffd", text)
    if found:
        notes.defects.add("charset")
    return text


def _codec(charset: str) -> str | None:
    """Python's name of the charset; None if it is unknown."""
    if not _NAME.fullmatch(charset):
        return None
    try:
        name = codecs.lookup(charset).name
    except LookupError:
        return None
    return None if name in _NOT_FOR_MAIL else _WIDER.get(name, name)
