"""The checkpoint of a stream: the estimator and its position."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from suffice.statistics import Tally


class Position(NamedTuple):
    """How much of a stream was learned."""

    batches: int = 0
    rows: int = 0


@dataclass(frozen=True, eq=False)
class Pane:
    """The sum over one batch within a window."""

    rows: int
    tally: Tally


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """An estimator with the position it belongs to, kept together, so that neither is ever saved without the other."""

    estimator: Any
    batches: int = 0
    rows: int = 0
    panes: tuple[Pane, ...] = ()

    @property
    def position(self) -> Position:
        return Position(self.batches, self.rows)
