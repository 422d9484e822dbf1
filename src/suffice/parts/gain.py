"""What a score of the second stage adds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Gain:
    """The mean −log p(class) of so many rows before and after, both estimated from other rows."""

    rows: int
    before: float
    after: float
