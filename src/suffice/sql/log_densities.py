"""log p(cells | class) as an expression. Missing cells are NULL, and add nothing."""

from collections.abc import Sequence
from functools import singledispatch

from suffice.columns.blocks import BlockData
from suffice.columns.kinds import Name
from suffice.families.base import AnyDensities, Weighed
from suffice.sql.cells import Cells
from suffice.sql.expressions import literal, total


@singledispatch
def log_densities(density: AnyDensities, names: Sequence[Name], cells: Cells) -> list[str] | None:
    """log p(the cells of these columns | class), an expression a class; None if there is no form of it in SQL."""
    return None


@log_densities.register(Weighed)
def _(density: Weighed[BlockData], names: Sequence[Name], cells: Cells) -> list[str] | None:
    scores = log_densities(density.density, names, cells)
    if scores is None or density.weight == 1.0:
        return scores
    # zero times −∞ is nothing
    return [f"{literal(density.weight)} * {each}" if density.weight else "0e0" for each in scores]


def by_cell(density: AnyDensities, terms: Sequence[Sequence[str | None]]) -> list[str]:
    """A sum over the cells that are there; ``terms[column][class]`` is None where nothing is said."""
    return [
        total([f"COALESCE({column[c]}, 0e0)" for column in terms if column[c] is not None])
        for c in range(density.n_classes)
    ]
