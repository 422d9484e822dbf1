"""The columns of a message."""

from typing import TypedDict


class Mail(TypedDict):
    """The columns of a message: plain values, None where the message does not say.

    ``BayesClassifier().fit`` takes a list of them.
    """

    subject: str | None
    body: str
    """The text of all parts, HTML without its tags; alternatives of one another are all here."""
    header_words: str
    """Words marked with where they stand: ``subject_free``, ``from_ann``, ``filename_pdf``, ``link_example``, and the
    names of the fields present: ``header_x_mailer``."""
    sender_domain: str | None
    recipients: int | None
    """Different addresses in To and Cc."""
    reply_to_differs: bool | None
    """Whether answers go elsewhere than to the sender."""
    hops: int
    """Servers that say to have passed it on."""
    mailing_list: bool
    mailer: str | None
    """The program that wrote it, without its version."""
    hour: int | None
    """Of the day on which it says to have been sent, by the sender's clock."""
    time_zone: str | None
    charset: str | None
    """That of the first text that declares one."""
    html_share: float | None
    """The share of the text that came out of HTML."""
    links: int
    link_domains: str
    """The hosts linked to, each once, in order."""
    attachments: int
    """Parts that are not text, have a file name, or call themselves attachments."""
    attachment_types: str
    parts: int
    size: int
    """In bytes as stored, no more than ``Caps.message``."""
    truncated: str
    """Which caps cut something off (the names of ``Caps``); empty for nearly all."""
    defects: str
    """What was broken and read as well as it goes: base64, boundary, charset, encoding, header, parameter, repeated,
    type."""
