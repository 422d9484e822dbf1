"""Decoding of bytes, including those with a wrongly declared charset."""

import codecs
import re

from suffice.sources.mail.notes import MailNotes

_NAME = re.compile(r"[A-Za-z0-9_.:+-]{1,40}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_OTHER_CODECS = frozenset(
    {"base64", "bz2", "hex", "quopri", "rot13", "rot-13", "uu", "zlib", "mbcs", "oem", "undefined"}
    | {"idna", "punycode", "raw-unicode-escape", "unicode-escape"}
)
"""Python codecs that are not charsets of mail; some take quadratic time."""
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030"}
"""Charsets that are often declared instead of a superset, which is used for decoding."""


def decode_text(data: bytes, charset: str | None, notes: MailNotes) -> str:
    """Decode bytes by the declared charset, else as UTF-8, else by the charset (or Latin-1) with replacements.

    >>> notes = MailNotes()
    >>> decode_text(b"na\\xefve", "iso-8859-1", notes), decode_text(b"na\\xc3\\xafve", "x-no-such", notes)
    ('naïve', 'naïve')
    >>> notes.defects
    {'charset'}
    """
    declared = _codec(charset or "us-ascii")
    fallback = "latin-1" if declared in (None, "ascii") else declared
    for codec, errors in ((declared, "strict"), ("utf-8", "strict"), (fallback, "replace")):
        try:
            if codec is not None:
                return without_surrogates(data.decode(codec, errors), notes)
        except UnicodeError:
            pass
        notes.defects.add("charset")
    raise AssertionError("the last attempt replaces invalid bytes")


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
    return None if name in _OTHER_CODECS else _SUPERSETS.get(name, name)
