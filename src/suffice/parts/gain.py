"""The gain of a score of the second stage."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Gain:
    """The mean −log p(class) of so many rows before and after, both estimated from other rows."""

    rows: int
    before: float
    after: float
