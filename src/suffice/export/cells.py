"""Cells in the scoring form: columns, codings, and normal scores."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from suffice.columns.kinds import Level
from suffice.numerics.arrays import CodeArray, FloatArray, SingleArray

Takes: TypeAlias = Literal["numbers", "amounts", "positive", "counts", "levels", "ordinals"]
"""Domains of columns: finite numbers, numbers ≥ 0, numbers > 0, integers ≥ 0; levels; or levels numbered 0, 1, 2, …"""


@dataclass(frozen=True)
class Column:
    """A column of the rows to score, with its levels if it is a category."""

    name: str
    takes: Takes
    levels: tuple[Level, ...] = ()


# — codings: maps of cells to small integers —


@dataclass(frozen=True, eq=False)
class Cuts:
    """The number of sorted ``cuts`` ≤ x."""

    column: int
    cuts: FloatArray
    missing: int = -1


@dataclass(frozen=True, eq=False)
class Places:
    """A code for each level of the column; ``unknown`` for any other level."""

    column: int
    codes: CodeArray
    unknown: int = -1
    missing: int = -1


@dataclass(frozen=True, eq=False)
class Prefixes:
    """The code of an unknown level: the index of its longest prefix in ``spelled``, of ``lengths`` characters. Prefixes are
    numbered by length; −1 for any other cell."""

    column: int
    lengths: tuple[int, ...]
    spelled: tuple[tuple[str, ...], ...]


Coding: TypeAlias = Cuts | Places | Prefixes


# — normal scores: maps of cells to standardised numbers in single precision, none of them missing —


@dataclass(frozen=True, eq=False)
class Polyline:
    """Piecewise linear between the knots ``at``, constant beyond them; zero for a missing cell."""

    column: int
    at: FloatArray
    height: FloatArray


@dataclass(frozen=True, eq=False)
class CodeScores:
    """A row of scores for each code; the last is for code −1."""

    coding: int
    rows: SingleArray


Scores: TypeAlias = tuple[Polyline | CodeScores, ...]
