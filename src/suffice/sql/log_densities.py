"""log p(cells | class) as an expression. Missing cells are NULL, and contribute nothing."""

from collections.abc import Sequence
from functools import singledispatch

from suffice.columns.blocks import BlockData
from suffice.columns.kinds import Name
from suffice.families.base import AnyDensities, WeightedDensity
from suffice.sql.cells import CellSteps
from suffice.sql.expressions import literal, total


@singledispatch
def log_densities(density: AnyDensities, names: Sequence[Name], cells: CellSteps) -> list[str] | None:
    """log p(cells of these columns | class), one expression per class; None if the density has no form in SQL."""
    return None


@log_densities.register(WeightedDensity)
def _(density: WeightedDensity[BlockData], names: Sequence[Name], cells: CellSteps) -> list[str] | None:
    scores = log_densities(density.density, names, cells)
    if scores is None or density.weight == 1.0:
        return scores
    # 0 · −∞ is 0 here
    return [f"{literal(density.weight)} * {each}" if density.weight else "0e0" for each in scores]


def sum_over_cells(density: AnyDensities, terms: Sequence[Sequence[str | None]]) -> list[str]:
    """A sum over the present cells; ``terms[column][class]`` is None for a term of zero."""
    return [
        total([f"COALESCE({column[c]}, 0e0)" for column in terms if column[c] is not None])
        for c in range(density.n_classes)
    ]
