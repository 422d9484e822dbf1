"""Recipients, date and mailer of a message, from its header."""

import re

from suffice.sources.mail.addresses import addresses
from suffice.sources.mail.headers import Header

_TIME = re.compile(r"\b([01]?\d|2[0-3]):[0-5]\d(?::\d\d)?(?:\s+([+-]\d{4}|[A-Z]{1,5})\b)?", re.IGNORECASE)
_VERSION = re.compile(r"(?:\bv(?:er|ersion)?\.?\s*)?[\d/(\[{<]")


def recipients(header: Header) -> int | None:
    """The number of distinct addresses in To and Cc."""
    if "to" not in header.fields and "cc" not in header.fields:
        return None
    return len(addresses(header.texts("to", "cc")))


def is_from_list(header: Header) -> bool:
    """Whether the header declares a mailing list or bulk mail."""
    return header.token("precedence") in ("bulk", "list") or any(name.startswith("list-") for name in header.fields)


def mailer(header: Header) -> str | None:
    """The program that wrote the message, without its version, in lower case.

    >>> from suffice.sources.mail.notes import MailNotes
    >>> mailer(Header({"x-mailer": ["Microsoft Outlook Express 6.00.2600"]}, MailNotes()))
    'microsoft outlook express'
    """
    name = header.text("x-mailer") or header.text("user-agent")
    return (_VERSION.split(name.lower(), maxsplit=1)[0].rstrip(" -,.:;") or None) if name else None


def hour_and_zone(header: Header) -> tuple[int | None, str | None]:
    """Hour of the day and time zone of the Date field.

    >>> from suffice.sources.mail.notes import MailNotes
    >>> hour_and_zone(Header({"date": ["Thu, 22 Aug 2002 18:26:25 +0700"]}, MailNotes()))
    (18, '+0700')
    """
    found = _TIME.search(header.text("date") or "")
    if found is None:
        return None, None
    return int(found[1]), found[2].upper() if found[2] else None
