"""The checkpoint of a stream: the estimator and its position."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from suffice.statistics import Tally


class Position(NamedTuple):
    """The number of batches and rows of a stream that were learned."""

    batches: int = 0
    rows: int = 0


@dataclass(frozen=True, eq=False)
class Pane:
    """The tally of one batch within a window."""

    rows: int
    tally: Tally


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """An estimator with its position in the stream, saved together in one file."""

    estimator: Any
    batches: int = 0
    rows: int = 0
    panes: tuple[Pane, ...] = ()

    @property
    def position(self) -> Position:
        return Position(self.batches, self.rows)
