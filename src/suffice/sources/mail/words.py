"""Words of the header, prefixed with their field to distinguish them from words of the body."""

import re

from suffice.sources.mail.headers import Header

_WORD = re.compile(r"\w+")
_FIELDS = (
    "subject", "from", "to", "cc", "reply-to", "sender", "organization", "x-mailer", "user-agent", "list-id", "x-priority",
)  # fmt: skip
"""Fields written by the sender. Fields added by servers (Received …) depend on the mailbox more than on the message."""


def prefixed_words(prefix: str, text: str) -> list[str]:
    """The words of a text, each with a prefix and an underscore, which makes them one token.

    >>> prefixed_words("subject", "Free for all")
    ['subject_free', 'subject_for', 'subject_all']
    """
    return [f"{prefix}_{word}" for word in _WORD.findall(text.lower())]


def as_one_token(prefix: str, name: str) -> str:
    """A name of several words as one token.

    >>> as_one_token("type", "text/plain")
    'type_text_plain'
    """
    return "_".join([prefix, *_WORD.findall(name.lower())])


def header_words(header: Header) -> list[str]:
    """The words of the fields written by the sender, and the names of all fields."""
    words = [word for name in _FIELDS for word in prefixed_words(name.replace("-", "_"), header.texts(name))]
    return words + [as_one_token("header", name) for name in header.fields]
