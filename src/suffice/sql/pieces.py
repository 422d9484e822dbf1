"""What is added up to a log joint: pieces by name, each an expression a class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from suffice.families.assignment import Assigned
from suffice.families.base import Density, Weighed
from suffice.families.forms import ColumnDensity
from suffice.sql.cells import Cells
from suffice.sql.expressions import total
from suffice.sql.log_densities import log_densities


@dataclass(frozen=True)
class Piece:
    """A name, and an expression for each class."""

    name: str
    scores: Sequence[str]


def block_pieces(block: Assigned, density: Density, cells: Cells, *, apart: bool) -> list[Piece] | None:
    """What a block adds, ``apart`` by column where its columns are independent; None if there is no form of it in SQL."""
    plain, weight = (density.density, density.weight) if isinstance(density, Weighed) else (density, None)
    if not apart or not isinstance(plain, ColumnDensity):
        scores = log_densities(density, block.columns, cells)
        return None if scores is None else [Piece(", ".join(map(str, block.columns)), scores)]
    out = []
    for j, name in enumerate(block.columns):
        column: Density = plain.column(j)
        scores = log_densities(column if weight is None else Weighed(column, weight), [name], cells)
        if scores is None:
            return None
        out.append(Piece(str(name), scores))
    return out


def by_name(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces of one name as their sum: that a cell is missing stands with what its column says."""
    named: dict[str, list[Sequence[str]]] = {}
    for piece in pieces:
        named.setdefault(piece.name, []).append(piece.scores)
    return [Piece(name, [total(each) for each in zip(*scores, strict=True)]) for name, scores in named.items()]
