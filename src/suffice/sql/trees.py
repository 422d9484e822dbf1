"""Levels conditional on a parent column: one table per level of the parent, and one for a missing parent."""

from collections.abc import Sequence

from suffice.columns.blocks import starts
from suffice.columns.kinds import Name
from suffice.families.one_dependence.tan import TANDensity
from suffice.sql.cells import CellSteps
from suffice.sql.forms import level_case
from suffice.sql.log_densities import log_densities, sum_over_cells


@log_densities.register
def _(density: TANDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    read = [cells.level(name, levels) if levels else None for name, levels in zip(names, density.levels, strict=True)]
    start = starts(density.levels)
    terms: list[list[str | None]] = []
    for j, parent in enumerate(density.parents.tolist()):
        child, above = read[j], read[parent] if parent >= 0 else None
        if child is None:
            continue
        tables = density.log_given[:, start[j] : start[j + 1]]
        column: list[str | None] = []
        for c in range(density.n_classes):
            alone = level_case(*child, tables[-1, :, c], cells)
            if above is None:
                column.append(alone)
                continue
            cell, spelled = above
            given = zip(spelled, tables[start[parent] : start[parent + 1], :, c], strict=True)
            cases = " ".join(f"WHEN {s} THEN {level_case(*child, row, cells)}" for s, row in given if s is not None)
            column.append(f"CASE {cell} {cases} ELSE {alone} END" if cases else alone)
        terms.append(column)
    return sum_over_cells(density, terms)
