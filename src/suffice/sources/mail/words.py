"""Words of the header, each marked with the field that it stands in, so that none is taken for a word of the body."""

import re

from suffice.sources.mail.headers import Header

_WORD = re.compile(r"\w+")
_FIELDS = (
    "subject", "from", "to", "cc", "reply-to", "sender", "organization", "x-mailer", "user-agent", "list-id", "x-priority",
)  # fmt: skip
"""Written by the sender. What servers on the way add (Received …) tells more about the mailbox than about the message."""


def marked(mark: str, text: str) -> list[str]:
    """The words of a text behind a mark. The underscore makes one word of both for any tokeniser.

    >>> marked("subject", "Free for all")
    ['subject_free', 'subject_for', 'subject_all']
    """
    return [f"{mark}_{word}" for word in _WORD.findall(text.lower())]


def as_one_word(mark: str, name: str) -> str:
    """A name of several pieces, kept together.

    >>> as_one_word("type", "text/plain")
    'type_text_plain'
    """
    return "_".join([mark, *_WORD.findall(name.lower())])


def header_words(header: Header) -> list[str]:
    """The words of what the sender wrote, and the names of all fields."""
    words = [word for name in _FIELDS for word in marked(name.replace("-", "_"), header.texts(name))]
    return words + [as_one_word("header", name) for name in header.fields]
