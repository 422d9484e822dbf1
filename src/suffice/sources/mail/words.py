"""Words of the header, prefixed with their field, so that they differ from words of the body."""

import re

from suffice.sources.mail.headers import Header

_WORD = re.compile(r"\w+")
_FIELDS = (
    "subject", "from", "to", "cc", "reply-to", "sender", "organization", "x-mailer", "user-agent", "list-id", "x-priority",
)  # fmt: skip
"""Fields written by the sender. Fields added by servers (Received …) describe the mailbox more than the message."""


def marked(mark: str, text: str) -> list[str]:
    """The words of a text, each with a prefix. The underscore keeps prefix and word in one token.

    >>> marked("subject", "Free for all")
    ['subject_free', 'subject_for', 'subject_all']
    """
    return [f"{mark}_{word}" for word in _WORD.findall(text.lower())]


def as_one_word(mark: str, name: str) -> str:
    """A name of several pieces as one token.

    >>> as_one_word("type", "text/plain")
    'type_text_plain'
    """
    return "_".join([mark, *_WORD.findall(name.lower())])


def header_words(header: Header) -> list[str]:
    """The words of the fields written by the sender, and the names of all fields."""
    words = [word for name in _FIELDS for word in marked(name.replace("-", "_"), header.texts(name))]
    return words + [as_one_word("header", name) for name in header.fields]
