"""Conversion of a message to a row."""

import os
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from suffice.errors import DataError
from suffice.sources.mail.addresses import domain, one_address
from suffice.sources.mail.body import Body
from suffice.sources.mail.caps import Caps
from suffice.sources.mail.charsets import without_surrogates
from suffice.sources.mail.envelope import hour_and_zone, is_from_list, mailer, recipients
from suffice.sources.mail.fields import Mail
from suffice.sources.mail.notes import MailNotes
from suffice.sources.mail.parts import MailPart, walk
from suffice.sources.mail.words import as_one_token, header_words, prefixed_words

_ONCE = ("from", "subject", "date", "message-id", "content-type")


def read_mail(source: bytes | str | os.PathLike[str], caps: Caps | None = None) -> Mail:
    """The fields of one message.

    ``source`` is the message as bytes, the path of its file (a ``Path``), or its text. Bytes are preferable, since they are
    decoded by the declared charset; text is not decoded again. Malformed content is read as far as possible and named in
    ``defects``; content beyond ``caps`` is dropped and named in ``truncated``. Nothing is executed, fetched or written.

    Parameters
    ----------
    source : bytes, str or path
        The message.
    caps : Caps or None, default=None
        Limits on what is read; None is ``Caps()``.

    Returns
    -------
    Mail
        Its fields.

    Examples
    --------
    >>> mail = read_mail(b"From: Ann <ann@example.org>\\nSubject: =?utf-8?q?Caf=C3=A9=3F?=\\n\\nSee http://example.com/menu")
    >>> mail["subject"], mail["sender_domain"], mail["link_domains"]
    ('Café?', 'example.org', 'example.com')
    >>> mail["header_words"]
    'subject_café from_ann from_ann from_example from_org header_from header_subject type_text_plain link_example link_com'
    """
    caps, notes = caps or Caps(), MailNotes()
    data = _bytes(source, caps, notes)
    parts = walk(data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n"), caps, notes)
    body = Body(caps, notes)
    types: list[str] = []
    files: list[MailPart] = []
    message = next(parts)
    header = message.header
    for part in chain([message], parts):
        types.append(part.type)
        if part.is_text:
            body.add(part, decoded=isinstance(source, str))
        if part.is_file:
            files.append(part)
    if any(len(header.fields.get(name, ())) > 1 for name in _ONCE):
        notes.defects.add("repeated")
    sender, reply_to = one_address(header.text("from")), one_address(header.text("reply-to"))
    hour, time_zone = hour_and_zone(header)
    words = [
        *header_words(header),
        *(as_one_token("type", kind) for kind in types),
        *prefixed_words("filename", " ".join(part.header.file_name() for part in files)),
        *prefixed_words("link", " ".join(body.hosts)),
    ]
    return Mail(
        subject=header.text("subject"),
        body=body.text,
        header_words=" ".join(words),
        sender_domain=domain(sender),
        recipients=recipients(header),
        reply_to_differs=None if sender is None else reply_to not in (None, sender),
        hops=len(header.fields.get("received", ())),
        mailing_list=is_from_list(header),
        mailer=mailer(header),
        hour=hour,
        time_zone=time_zone,
        charset=body.charset,
        html_share=body.html_share,
        links=len(body.hosts),
        link_domains=_distinct(body.hosts),
        attachments=len(files),
        attachment_types=_distinct(part.type for part in files),
        parts=len(types),
        size=len(data),
        truncated=_distinct(notes.truncated),
        defects=_distinct(notes.defects),
    )


def _bytes(source: bytes | str | os.PathLike[str], caps: Caps, notes: MailNotes) -> bytes:
    """The bytes of a message; text is encoded as UTF-8."""
    if isinstance(source, os.PathLike):
        with Path(source).open("rb") as file:
            data = file.read(caps.message + 1)
    elif isinstance(source, str):
        data = without_surrogates(source, notes).encode()
    elif isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    else:
        raise DataError(
            f"A message is of type {type(source).__name__}",
            "bytes, text or a path is needed",
            "Give the path as a Path",
        )
    if len(data) > caps.message:
        notes.truncated.add("message")
    return data[: caps.message]


def _distinct(names: Iterable[str]) -> str:
    return " ".join(sorted(set(names)))
