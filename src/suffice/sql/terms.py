"""The terms of a log joint, each with a name and an expression per class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from suffice.families.assignment import Block
from suffice.families.base import AnyDensities, WeightedDensity
from suffice.families.forms import ColumnDensity
from suffice.sql.cells import CellSteps
from suffice.sql.expressions import total
from suffice.sql.log_densities import log_densities


@dataclass(frozen=True)
class SqlTerm:
    """A summand of the log joint: its name, and its expression for each class."""

    name: str
    scores: Sequence[str]


def block_terms(block: Block, density: AnyDensities, cells: CellSteps, *, by_column: bool) -> list[SqlTerm] | None:
    """The terms of a block, one per column if ``by_column`` and columns are independent; None without a form in SQL."""
    unweighted, weight = (density.density, density.weight) if isinstance(density, WeightedDensity) else (density, None)
    if not by_column or not isinstance(unweighted, ColumnDensity):
        scores = log_densities(density, block.columns, cells)
        return None if scores is None else [SqlTerm(", ".join(map(str, block.columns)), scores)]
    out = []
    for j, name in enumerate(block.columns):
        column: AnyDensities = unweighted.column(j)
        scores = log_densities(column if weight is None else WeightedDensity(column, weight), [name], cells)
        if scores is None:
            return None
        out.append(SqlTerm(str(name), scores))
    return out


def sum_by_name(terms: Iterable[SqlTerm]) -> list[SqlTerm]:
    """Terms of equal name summed: a missing indicator is evidence of its column."""
    named: dict[str, list[Sequence[str]]] = {}
    for term in terms:
        named.setdefault(term.name, []).append(term.scores)
    return [SqlTerm(name, [total(each) for each in zip(*scores, strict=True)]) for name, scores in named.items()]
