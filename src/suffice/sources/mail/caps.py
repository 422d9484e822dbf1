"""Limits on how much of a message is read, since mail is untrusted and of any size."""

from dataclasses import dataclass, fields

from suffice.errors import ParameterError


@dataclass(frozen=True)
class Caps:
    """Limits on one message. Content beyond a limit is dropped, and the limit is named in ``truncated``.

    >>> Caps(parts=10)
    Caps(message=20000000, headers=65536, field=10000, parts=10, depth=20, text=2000000, html=100000)
    """

    message: int = 20_000_000
    """Bytes of the stored message."""
    headers: int = 65_536
    """Bytes of one header, of the message or of a part."""
    field: int = 10_000
    """Characters of one header field."""
    parts: int = 50
    """Number of parts, containers included."""
    depth: int = 20
    """Depth of nested parts."""
    text: int = 2_000_000
    """Characters of decoded text, in all parts together, mark-up included."""
    html: int = 100_000
    """Characters of HTML, in all parts together. The time to parse it can grow with the square of its length."""

    def __post_init__(self) -> None:
        for cap in fields(self):
            value = getattr(self, cap.name)
            if not isinstance(value, int) or value < 1:
                raise ParameterError(f"{cap.name} is {value!r}", "a cap must be an integer ≥ 1")
