"""Cells in the scoring form: columns, codings of cells as small integers, and normal scores."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from suffice.columns.kinds import Level
from suffice.numerics.arrays import CodeArray, FloatArray, SingleArray

Takes: TypeAlias = Literal["numbers", "amounts", "positive", "counts", "levels", "ordinals"]
"""Kinds of columns: finite numbers, numbers ≥ 0, numbers > 0, integers ≥ 0; levels; or levels numbered 0, 1, 2, …"""


@dataclass(frozen=True)
class Column:
    """A column of the rows to score, with the levels of a category."""

    name: str
    takes: Takes
    levels: tuple[Level, ...] = ()


# — codings: a cell to a small integer —


@dataclass(frozen=True, eq=False)
class Cuts:
    """The number of sorted ``cuts`` that are not above a number."""

    column: int
    cuts: FloatArray
    missing: int = -1


@dataclass(frozen=True, eq=False)
class Places:
    """A code for each level of the column; ``unknown`` for any other."""

    column: int
    codes: CodeArray
    unknown: int = -1
    missing: int = -1


@dataclass(frozen=True, eq=False)
class Prefixes:
    """The code of an unknown level: the place of its first characters among ``spelled``, for the greatest
    of some ``lengths`` with a match. Prefixes are numbered length by length; −1 for any other cell."""

    column: int
    lengths: tuple[int, ...]
    spelled: tuple[tuple[str, ...], ...]


Coding: TypeAlias = Cuts | Places | Prefixes


# — normal scores: cells to numbers on one scale, in single precision, none of them missing —


@dataclass(frozen=True, eq=False)
class Polyline:
    """Piecewise linear between the knots ``at``, constant beyond them; zero for a missing cell."""

    column: int
    at: FloatArray
    height: FloatArray


@dataclass(frozen=True, eq=False)
class CodeScores:
    """A row of scores for each code; the last is that of code −1."""

    coding: int
    rows: SingleArray


Scores: TypeAlias = tuple[Polyline | CodeScores, ...]
