"""How a scoring form reads cells: columns, codings that make small integers of them, and normal scores."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from suffice.columns.kinds import Level
from suffice.numerics.arrays import CodeArray, FloatArray, SingleArray

Takes: TypeAlias = Literal["numbers", "amounts", "positive", "counts", "levels", "ordinals"]
"""Finite numbers, those ≥ 0, those > 0, whole ones ≥ 0; levels; or levels that are numbered 0, 1, 2, …"""


@dataclass(frozen=True)
class Column:
    """A column of the rows to score, and for categories the levels it knows."""

    name: str
    takes: Takes
    levels: tuple[Level, ...] = ()


# — codings: a cell to a small integer —


@dataclass(frozen=True, eq=False)
class Cuts:
    """How many of the ordered ``cuts`` are not above a number."""

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
    """Of a level that the column does not know, the place of its first characters among those ``spelled``, for the greatest
    of some ``lengths`` for which they are there. They are numbered length after length; −1 of any other cell."""

    column: int
    lengths: tuple[int, ...]
    spelled: tuple[tuple[str, ...], ...]


Coding: TypeAlias = Cuts | Places | Prefixes


# — normal scores: cells to numbers on one scale, in single precision, none of them missing —


@dataclass(frozen=True, eq=False)
class Polyline:
    """Linear between the knots ``at`` of a number, constant beyond them; zero of a missing cell."""

    column: int
    at: FloatArray
    height: FloatArray


@dataclass(frozen=True, eq=False)
class CodeScores:
    """A row of scores for each code; the last is that of code −1."""

    coding: int
    rows: SingleArray


Scores: TypeAlias = tuple[Polyline | CodeScores, ...]
