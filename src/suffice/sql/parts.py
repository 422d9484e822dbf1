"""Parts as expressions: missing indicators, correlated normals, and pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from suffice.columns.kinds import Level, Name
from suffice.columns.spelling import level_text
from suffice.errors import NoSqlError
from suffice.families.assignment import Block
from suffice.families.base import AnyDensities, WeightedDensity
from suffice.families.forms import StepDensity
from suffice.numerics.arrays import AnyArray
from suffice.parts.coding import Coding, LevelCodes
from suffice.parts.missing_indicators import MissingIndicators
from suffice.parts.normal_scores import LevelScores, NormalScores, NumberScores
from suffice.parts.normals import CORRELATED, NormalsPart
from suffice.parts.pairs import Pairs
from suffice.parts.part import AnyPart
from suffice.sql.cells import CellSteps
from suffice.sql.expressions import literal, rounded, unless_missing
from suffice.sql.normals import linear_odds, log_normals
from suffice.sql.terms import SqlTerm

_MAX_PRODUCTS = 40_000  # about 5 MB of text
_TO_SINGLE = literal(
    2.0**29 + 1
)  # factor of Veltkamp's splitting, which rounds doubles to the 24 bits of single precision


@dataclass(frozen=True)
class PartColumn:
    """A column that is read by parts: numbers, or levels."""

    name: Name
    levels: Sequence[Level] | None
    is_boolean: bool = False

    def cell(self, cells: CellSteps) -> str:
        if self.levels is not None:
            return cells.level(self.name, self.levels)[0]
        return cells.number_or_boolean(self.name) if self.is_boolean else cells.number(self.name)

    def level_index(
        self, cells: CellSteps, levels: Sequence[Level], others: Sequence[Level], missing: str = "NULL"
    ) -> str:
        """The index of a cell in ``levels``; the next index for all ``others``."""
        assert self.levels is not None
        is_text = all(isinstance(level, str) for level in self.levels)
        known = [level_text(level) if is_text else level for level in (*levels, *others)]
        return cells.level_index(self.name, known, len(levels), missing)


def columns_of(blocks: Sequence[Block], densities: Sequence[AnyDensities]) -> list[PartColumn]:
    """The columns of discretised blocks, in the order of the parts."""
    out = []
    for block, density in zip(blocks, densities, strict=True):
        plain = density.density if isinstance(density, WeightedDensity) else density
        known = plain.known_levels
        for j, name in enumerate(block.columns):
            out.append(PartColumn(name, None if known is None else known.levels[j], isinstance(plain, StepDensity)))
    return out


@singledispatch
def part_terms(part: AnyPart, columns: Sequence[PartColumn], cells: CellSteps) -> list[SqlTerm] | None:
    """The terms of a part; None if it has no form in SQL."""
    return None


@part_terms.register
def _(part: MissingIndicators, columns: Sequence[PartColumn], cells: CellSteps) -> list[SqlTerm]:
    tables = part.table.reshape(part.n_classes, -1, 2).transpose(1, 0, 2)
    return [
        SqlTerm(
            str(columns[j].name),
            [unless_missing(columns[j].cell(cells), rounded(there), rounded(missing)) for there, missing in table],
        )
        for j, table in zip(part.columns, tables, strict=True)
    ]


@part_terms.register
def _(part: NormalsPart, columns: Sequence[PartColumn], cells: CellSteps) -> list[SqlTerm]:
    normals, width = part.discriminant.normals, part.scores.width
    products = 0 if normals.is_shared else part.n_classes * width * (width + 1) // 2
    if products > _MAX_PRODUCTS:
        raise NoSqlError(
            f"The correlated normals have {width} scores and a covariance for each of {part.n_classes} classes",
            f"that is {products:,} products; a query may have {_MAX_PRODUCTS:,}",
            "Fit with model='weighted' (suffice train --model weighted)",
        )
    scores = _normal_scores(part.scores, columns, cells)
    odds = linear_odds(normals, scores) if normals.is_shared else log_normals(normals, scores)
    return [SqlTerm(CORRELATED, [f"{literal(part.weight)} * {each}" for each in odds])]


def _normal_scores(scores: NormalScores, columns: Sequence[PartColumn], cells: CellSteps) -> list[str]:
    """The aliases of all scores, rounded to single precision as in Python."""
    out, first = [], 0
    for block in scores.blocks:
        for j in range(block.columns):
            write = _interpolated if isinstance(block, NumberScores) else _indicators
            out += write(block, j, columns[first + j], cells)  # type: ignore[arg-type]
        first += block.columns
    return out


def _interpolated(block: NumberScores, j: int, column: PartColumn, cells: CellSteps) -> list[str]:
    at, height = block.knots[j]
    if len(at) < 2:
        return []
    x, rise = column.cell(cells), np.diff(height)
    place = cells.interval(x, at[1:-1])
    low, start, width, up = (
        cells.dialect.lookup(place, values, literal) for values in (height[:-1], at[:-1], np.diff(at), rise)
    )
    first, last = literal(height[0]), literal(height[-2] + rise[-1])
    ends = f"WHEN {x} < {literal(at[0])} THEN {first} WHEN {x} >= {literal(at[-1])} THEN {last}"
    high = cells.indices.name(
        f"CASE WHEN {x} IS NULL THEN 0e0 {ends} ELSE {low} + ({x} - {start}) / {width} * {up} END"
    )
    return [cells.scores.name(f"{high} * {_TO_SINGLE} - ({high} * {_TO_SINGLE} - {high})")]


def _indicators(block: LevelScores, j: int, column: PartColumn, cells: CellSteps) -> list[str]:
    table = block.by_level[j]  # the last two rows are for an unknown level and a missing cell
    if not table.shape[1]:
        return []
    code = column.level_index(cells, block.levels[j], block.others[j])
    return [
        cells.scores.name(f"CASE WHEN {code} = {k} THEN {literal(own[k])} {_otherwise(code, own[-2])} END")
        for k, own in enumerate(table.T)
    ]


def _otherwise(code: str, value: float) -> str:
    return f"WHEN {code} IS NULL THEN 0e0 ELSE {literal(value)}"


@part_terms.register
def _(part: Pairs, columns: Sequence[PartColumn], cells: CellSteps) -> list[SqlTerm]:
    tables, scores, _ = part.scored
    out = []
    for k, (i, j) in enumerate(part.columns):
        left, right = (
            _group(part.coding, at, group, columns, cells) for at, group in zip((i, j), part.groups[:, k], strict=True)
        )
        place = cells.indices.name(f"{left} * {part.sizes[k, 1]} + {right}")
        table = scores[tables.start[k] : tables.start[k + 1], : part.n_classes]
        each = [f"COALESCE({cells.dialect.lookup(place, row)}, 0e0)" for row in table.T]
        out.append(SqlTerm(f"{columns[i].name} × {columns[j].name}", each))
    return out


def _group(coding: Coding, at: int, group: AnyArray, columns: Sequence[PartColumn], cells: CellSteps) -> str:
    """The group of a cell; NULL if it is in none."""
    block, j = coding.block_of(at)
    column, has_missing_code = columns[at], at in coding.holes
    size = coding.sizes[at] - has_missing_code
    missing = str(group[size]) if has_missing_code else "NULL"
    if isinstance(block, LevelCodes):
        return column.level_index(cells, block.levels[j], block.others[j], missing)
    ends = np.flatnonzero(np.diff(group[:size]))
    return cells.interval(column.cell(cells), block.cuts[j][ends], missing)
