"""Defects and truncations met while a message is read."""

from dataclasses import dataclass, field


@dataclass
class MailNotes:
    """``truncated`` names the caps that were exceeded, ``defects`` the kinds of malformed content."""

    truncated: set[str] = field(default_factory=set)
    defects: set[str] = field(default_factory=set)
