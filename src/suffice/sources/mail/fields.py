"""The columns of a message."""

from typing import TypedDict


class Mail(TypedDict):
    """The columns of a message: plain values, None where the message has no such field.

    ``BayesClassifier().fit`` takes a list of them.
    """

    subject: str | None
    body: str
    """The text of all parts, alternatives included, without HTML tags."""
    header_words: str
    """Words prefixed with their field: ``subject_free``, ``from_ann``, ``filename_pdf``, ``link_example``, and the
    names of the fields present: ``header_x_mailer``."""
    sender_domain: str | None
    recipients: int | None
    """Number of distinct addresses in To and Cc."""
    reply_to_differs: bool | None
    """Whether Reply-To differs from the sender."""
    hops: int
    """Number of Received fields."""
    mailing_list: bool
    mailer: str | None
    """The program that wrote the message, without its version."""
    hour: int | None
    """Hour of the day in the Date field, in the sender's time zone."""
    time_zone: str | None
    charset: str | None
    """Charset of the first text part that declares one."""
    html_share: float | None
    """The share of the text that came from HTML."""
    links: int
    link_domains: str
    """The distinct hosts of the links, sorted."""
    attachments: int
    """Number of parts that are not text, have a file name, or are declared attachments."""
    attachment_types: str
    parts: int
    size: int
    """Size in bytes, at most ``Caps.message``."""
    truncated: str
    """Names of the exceeded ``Caps``; empty for most messages."""
    defects: str
    """Repaired defects: base64, boundary, charset, encoding, header, parameter, repeated, type."""
