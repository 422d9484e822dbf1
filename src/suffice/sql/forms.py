"""Log densities of common form, as SQL expressions."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.blocks import starts
from suffice.columns.kinds import Name
from suffice.families.count_table import CountTableDensity
from suffice.families.forms import LevelTable, LinearDensity, QuadraticDensity, StepDensity, StudentDensity
from suffice.families.histogram import Bins
from suffice.families.log_normal import LogNormalDensity
from suffice.families.pooled_categorical import PooledTable
from suffice.families.prefixes import PrefixScores
from suffice.families.tails import POWER
from suffice.numerics.arrays import FloatArray
from suffice.sql.cells import CellSteps
from suffice.sql.expressions import literal, total
from suffice.sql.log_densities import log_densities, sum_over_cells


@log_densities.register
def linear(density: LinearDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    return sum_over_cells(density, [_linear(density, j, cells.number(name), cells) for j, name in enumerate(names)])


def _linear(density: LinearDensity, j: int, x: str, cells: CellSteps) -> list[str | None]:
    out: list[str | None] = []
    for constant, slope in zip(density.constant[:, j], density.slope[:, j], strict=True):
        if np.isneginf(slope):  # 0 · −inf is 0 here
            out.append(
                f"CASE WHEN {x} = 0 THEN {literal(constant)} WHEN {x} <> 0 THEN {cells.dialect.literal(slope)} END"
            )
        else:
            out.append(f"({literal(constant)} + {literal(slope)} * {x})" if constant or slope else None)
    return out


@log_densities.register
def _(density: StepDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    at, spelled = literal(density.threshold), cells.dialect.literal
    terms = []
    for j, name in enumerate(names):
        x = cells.number_or_boolean(name)
        pairs = zip(density.above[:, j], density.below[:, j], strict=True)
        terms.append(
            [f"CASE WHEN {x} > {at} THEN {spelled(a)} WHEN {x} <= {at} THEN {spelled(b)} END" for a, b in pairs]
        )
    return sum_over_cells(density, terms)


@log_densities.register
def _(density: QuadraticDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    return _symmetric(density, [cells.number(name) for name in names])


@log_densities.register
def _(density: StudentDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    return _symmetric(density, [cells.number(name) for name in names])


def _symmetric(density: QuadraticDensity | StudentDensity, xs: Sequence[str]) -> list[str]:
    each = range(density.n_classes)
    return sum_over_cells(density, [[_symmetric_term(density, c, j, x) for c in each] for j, x in enumerate(xs)])


def _symmetric_term(density: QuadraticDensity | StudentDensity, c: int, j: int, x: str) -> str | None:
    constant, deviation = density.constant[c, j], f"({x} - {literal(density.centre[c, j])})"
    if not constant and not density.curvature[c, j]:
        return None
    squares = f"{literal(density.curvature[c, j])} * {deviation} * {deviation}"
    if isinstance(density, StudentDensity):
        return f"({literal(constant)} - {literal(density.power[c, j])} * ln(1e0 + {squares}))"
    return f"({literal(constant)} - {squares})"


@log_densities.register
def _(density: LogNormalDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    logs = [f"ln({cells.number(name)})" for name in names]
    assert isinstance(density.of_log, (QuadraticDensity, StudentDensity))
    scores = _symmetric(density.of_log, logs)
    jacobian = total([f"COALESCE({log}, 0e0)" for log in logs])
    return [f"({score} - {jacobian})" for score in scores]


@log_densities.register
def _(density: LevelTable, names: Sequence[Name], cells: CellSteps) -> list[str]:
    terms: list[list[str | None]] = []
    start = starts(density.levels)
    for j, (name, levels) in enumerate(zip(names, density.levels, strict=True)):
        if not len(levels):
            continue
        table = density.table[:, start[j] : start[j + 1]]
        if isinstance(density, PooledTable):
            table = table + density.columns[j].log_mass
        place = cells.level_index(name, levels)
        known = [cells.dialect.lookup(place, row) for row in table]
        unseen = (
            _by_prefix(density.prefixes[j], cells.level(name, levels)[0], cells)
            if isinstance(density, PooledTable)
            else None
        )
        terms.append([f"COALESCE({a}, {b})" for a, b in zip(known, unseen, strict=True)] if unseen else list(known))
    return sum_over_cells(density, terms)


def _by_prefix(prefixes: Sequence[PrefixScores], cell: str, cells: CellSteps) -> list[str] | None:
    """For each class, the value of the longest known prefix of a cell; NULL if there is none."""
    by_length = []
    for prefix in reversed(prefixes):
        spelled = [cells.dialect.text(p) if cells.dialect.can_store(p) else None for p in prefix.spelled]
        by_length.append(
            [level_case(f"SUBSTR({cell}, 1, {prefix.length})", spelled, row, cells) for row in prefix.table]
        )
    return [", ".join(terms) for terms in zip(*by_length, strict=True)] or None


def level_case(cell: str, spelled: Sequence[str | None], values: FloatArray, cells: CellSteps) -> str:
    """The value of a cell's level; NULL for an unknown level."""
    pairs = zip(spelled, values, strict=True)
    choices = " ".join(f"WHEN {s} THEN {cells.dialect.literal(v)}" for s, v in pairs if s is not None)
    return f"CASE {cell} {choices} END" if choices else "NULL"


@log_densities.register
def _(density: CountTableDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    terms = []
    for j, name in enumerate(names):
        x, last = cells.number(name), density.size - 1
        column = []
        for row in density.log_theta[:, j]:
            values = [cells.dialect.literal(v) for v in row]
            few = " ".join(f"WHEN {x} = {literal(k)} THEN {v}" for k, v in enumerate(values[:-1]))
            column.append(f"CASE WHEN {x} >= {literal(last)} THEN {values[-1]} {few} END")
        terms.append(column)
    return sum_over_cells(density, terms)


@log_densities.register
def _(density: Bins, names: Sequence[Name], cells: CellSteps) -> list[str]:
    terms: list[list[str | None]] = []
    for j, (name, cuts) in enumerate(zip(names, density.cuts, strict=True)):
        table = density.table[:, density.start[j] : density.start[j + 1]]
        if not table.shape[1]:
            continue
        number = cells.number(name)
        place = cells.interval(number, cuts)
        log_mass = density.columns[j].log_mass if density.tails else 0.0
        terms.append([cells.dialect.lookup(place, row) for row in table + log_mass])
        if density.tails:
            terms.append([_tail(density, j, number)] * len(table))
    return sum_over_cells(density, terms)


def _tail(density: Bins, j: int, number: str) -> str:
    """The log density of a column beyond its outermost bins."""
    tails, log_mass = density.tails[j], density.columns[j].log_mass
    assert tails is not None
    cases = []
    for tail, inside in zip(tails, log_mass[[0, -1]], strict=True):
        edge, scale, start = literal(tail.edge), literal(tail.scale), literal(tail.log_height - inside)
        over, away = (">=", f"({number} - {edge})") if tail.sign > 0 else ("<", f"({edge} - {number})")
        cases.append(f"WHEN {number} {over} {edge} THEN {start} - {literal(POWER)} * ln(1e0 + {away} / {scale})")
    return f"CASE {' '.join(cases)} END"
