"""Defects and truncations of a message."""

from dataclasses import dataclass, field


@dataclass
class MailNotes:
    """The names of the exceeded caps, and the kinds of malformed content."""

    truncated: set[str] = field(default_factory=set)
    defects: set[str] = field(default_factory=set)
