"""What went wrong while a message was read, kept beside what could be read."""

from dataclasses import dataclass, field


@dataclass
class MailNotes:
    """``truncated`` names the caps that were met, ``defects`` what was broken."""

    truncated: set[str] = field(default_factory=set)
    defects: set[str] = field(default_factory=set)
