"""Defects and truncations met while a message is read."""

from dataclasses import dataclass, field


@dataclass
class MailNotes:
    """``truncated`` names the caps that were met, ``defects`` what was broken."""

    truncated: set[str] = field(default_factory=set)
    defects: set[str] = field(default_factory=set)
