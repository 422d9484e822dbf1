"""Encodings of text files: detected from the first bytes, and converted to UTF-8."""

import codecs
import shutil
import tempfile
from typing import IO, Any

import pyarrow as pa

from suffice.errors import DataError, ParameterError

UTF_8 = "utf-8"
WESTERN = "cp1252"  # the Windows superset of ISO 8859-1
_INSPECTED_BYTES = 1 << 26
_CHUNK_BYTES = 1 << 20
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHER_CODECS = ("idna", "punycode", "raw-unicode-escape", "unicode-escape")  # for host names and source code
_MIN_ZERO_SHARE = 0.25  # of zero bytes at even or odd offsets of UTF-16 text that is mostly ASCII


def encoding_of(path: str, fallback: str | None = None) -> str:
    """The encoding of a file, by byte-order mark, zero bytes or valid UTF-8; otherwise ``fallback`` or Windows-1252."""
    head, cut = _head(path)
    return encoding_of_bytes(head, repr(path), fallback, cut=cut)


def check_decodes(path: str, encoding: str) -> str:
    """The declared encoding. Raises if the first bytes of the file are invalid in it."""
    head, cut = _head(path)
    if not _decodes(head, encoding, cut):
        raise _wrong_encoding(path, encoding)
    return encoding


def is_mixed(path: str) -> bool:
    """Whether a file that is not UTF-8 has lines that are valid non-ASCII UTF-8."""
    head, _ = _head(path)
    return any(not line.isascii() and _decodes(line, UTF_8, cut=False) for line in head.splitlines())


def encoding_of_bytes(head: bytes, name: str, fallback: str | None = None, *, cut: bool = True) -> str:
    """The encoding of a text that begins with ``head``, which may be ``cut`` within a character.

    >>> encoding_of_bytes("Zürich".encode("utf-16-le"), "x"), encoding_of_bytes("Zürich".encode("latin-1"), "x")
    ('utf-16-le', 'cp1252')
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return encoding
    some = head[:4096]
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if (
            len(some) > 3
            and some[start::2].count(0) > _MIN_ZERO_SHARE * len(some[start::2])
            and not some[1 - start :: 2].count(0)
        ):
            return encoding
    for encoding in (UTF_8, fallback or WESTERN):
        if _decodes(head, encoding, cut):
            return encoding
    raise DataError(
        f"The text of {name} is neither Unicode nor {fallback or 'Windows-1252'}",
        "its encoding is needed",
        "Name it, for example --encoding cp1250 or suffice.rows(path, encoding='cp1250')",
    )


def check_encoding(name: str) -> str:
    """The normalised name of an encoding. Raises if it is unknown."""
    try:
        "".encode(name)  # codecs.lookup also finds codecs that are not text encodings
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        found = None
    if found is None or found in _OTHER_CODECS:
        raise ParameterError(
            f"The encoding is {name!r}",
            "it must be a text encoding of Python, such as 'utf-8', 'utf-16', 'cp1252', 'latin-1', 'iso8859-15', "
            "'cp1251', 'koi8-r', 'shift_jis', 'gb18030' or 'big5'",
        )
    return found


def as_utf8(path: str, encoding: str) -> "IO[bytes]":
    """A temporary file with the same text in UTF-8, deleted when closed."""
    copy = tempfile.NamedTemporaryFile(prefix="suffice-", suffix=".csv")  # noqa: SIM115
    try:
        with open_bytes(path) as stream:
            reader = codecs.getreader(encoding)(stream)
            shutil.copyfileobj(reader, codecs.getwriter(UTF_8)(copy), _CHUNK_BYTES)
    except UnicodeError as error:
        copy.close()
        raise _wrong_encoding(path, encoding, f" ({error})") from None
    copy.flush()
    return copy


def _wrong_encoding(path: str, encoding: str, why: str = "") -> DataError:
    return DataError(
        f"{path!r} is not valid in the encoding {encoding!r}{why}", "", "Name another by --encoding or encoding="
    )


def _head(path: str) -> tuple[bytes, bool]:
    """The first bytes of a file, and whether the file is longer."""
    with open_bytes(path) as stream:
        head = stream.read(_INSPECTED_BYTES)
    return head, len(head) == _INSPECTED_BYTES


def open_bytes(path: str) -> Any:
    """Open a file for reading bytes, decompressed if it is compressed."""
    return pa.input_stream(path, compression="detect")


def _decodes(head: bytes, encoding: str, cut: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(head, not cut)
    except UnicodeDecodeError:
        return False
    return True
