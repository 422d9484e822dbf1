"""The summands of a log joint by name, each an expression per class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from suffice.families.assignment import Block
from suffice.families.base import AnyDensities, Weighed
from suffice.families.forms import ColumnDensity
from suffice.sql.cells import CellSteps
from suffice.sql.expressions import total
from suffice.sql.log_densities import log_densities


@dataclass(frozen=True)
class SqlPiece:
    """A name, and an expression for each class."""

    name: str
    scores: Sequence[str]


def block_pieces(block: Block, density: AnyDensities, cells: CellSteps, *, apart: bool) -> list[SqlPiece] | None:
    """The summands of a block, ``apart`` by column where columns are independent; None if it has no form in SQL."""
    plain, weight = (density.density, density.weight) if isinstance(density, Weighed) else (density, None)
    if not apart or not isinstance(plain, ColumnDensity):
        scores = log_densities(density, block.columns, cells)
        return None if scores is None else [SqlPiece(", ".join(map(str, block.columns)), scores)]
    out = []
    for j, name in enumerate(block.columns):
        column: AnyDensities = plain.column(j)
        scores = log_densities(column if weight is None else Weighed(column, weight), [name], cells)
        if scores is None:
            return None
        out.append(SqlPiece(str(name), scores))
    return out


def by_name(pieces: Iterable[SqlPiece]) -> list[SqlPiece]:
    """Pieces of equal name summed: the evidence of a missing cell belongs to its column."""
    named: dict[str, list[Sequence[str]]] = {}
    for piece in pieces:
        named.setdefault(piece.name, []).append(piece.scores)
    return [SqlPiece(name, [total(each) for each in zip(*scores, strict=True)]) for name, scores in named.items()]
