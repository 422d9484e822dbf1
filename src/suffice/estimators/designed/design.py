"""A table as a numeric design matrix."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.columns.kinds import DATES, Kind, Name
from suffice.columns.table import Table
from suffice.estimators.designed.words import WordWeights
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray

_MAX_INDICATORS = 100  # the most frequent levels of a column, with an indicator each
_MAX_DENSE_CELLS = 1 << 24  # of a dense matrix


@dataclass(frozen=True, eq=False)
class Design:
    """Numbers centred and scaled, with zero and an indicator for missing cells; one indicator per level; tf-idf of words."""

    numbers: tuple[Name, ...]
    centre: FloatArray
    scale: FloatArray
    holes: IntArray
    """Mask of the numeric columns with an indicator for missing cells."""
    levels: Mapping[Name, tuple[str, ...]]
    words: Mapping[Name, WordWeights]

    @classmethod
    def of(cls, table: Table) -> "Design":
        """Fit centre, scale, levels and words to these rows."""
        kinds = dict(zip(table.names, table.kinds, strict=True))
        numbers = tuple(n for n in table.names if kinds[n] in (Kind.NUMBER, *DATES, Kind.BOOLEAN))
        values = _values(table, numbers)
        seen = ~np.isnan(values)
        counted = np.maximum(seen.sum(axis=0), 1)
        centre = np.where(seen, values, 0.0).sum(axis=0) / counted
        spread = np.sqrt((np.where(seen, values - centre, 0.0) ** 2).sum(axis=0) / counted)
        return cls(
            numbers,
            centre,
            np.where(spread > 0, spread, 1.0),
            np.flatnonzero(~seen.all(axis=0)),
            {n: _frequent(table, n) for n in table.names if kinds[n] is Kind.CATEGORY},
            {n: WordWeights.of(_strings(table, n)) for n in table.names if kinds[n] is Kind.TEXT},
        )

    def matrix(self, table: Table) -> Any:
        """The design matrix (rows, columns), dense unless it is too wide."""
        values = _values(table, self.numbers)
        missing = np.isnan(values)
        parts: list[Any] = [
            np.where(missing, 0.0, (values - self.centre) / self.scale),
            missing[:, self.holes].astype(np.float64),
            *(_indicators(table, name, levels) for name, levels in self.levels.items()),
        ]
        width = sum(part.shape[1] for part in parts)
        if not self.words and width * table.rows <= _MAX_DENSE_CELLS:
            return np.hstack(parts)
        sparse = [sp.csr_matrix(part) for part in parts if part.shape[1]]
        words = (weights.weighted(_strings(table, name)) for name, weights in self.words.items())
        return sp.hstack([*sparse, *words], format="csr")

    @property
    def width(self) -> int:
        """Number of columns of the matrix."""
        levels = sum(map(len, self.levels.values()))
        words = sum(len(weights.rarity) for weights in self.words.values())
        return len(self.numbers) + len(self.holes) + levels + words


def _values(table: Table, numbers: tuple[Name, ...]) -> FloatArray:
    if not numbers:
        return np.empty((table.rows, 0))
    return np.asarray(table.numbers(list(numbers)).dense, dtype=np.float64)


def _strings(table: Table, name: Name) -> list[str]:
    return ["" if value is None else str(value) for value in table.objects(name).values]


def _frequent(table: Table, name: Name) -> tuple[str, ...]:
    codes, levels = _codes(table, name)
    times = Counter(codes[codes >= 0].tolist())
    return tuple(str(levels[code]) for code, _ in times.most_common(_MAX_INDICATORS))


def _codes(table: Table, name: Name) -> tuple[AnyArray, Any]:
    found = table.levels([name], None, 1)
    return found.codes[:, 0], found.levels[0]


def _indicators(table: Table, name: Name, levels: tuple[str, ...]) -> FloatArray:
    codes, here = _codes(table, name)
    place = {level: j for j, level in enumerate(levels)}
    column = np.array([*(place.get(str(level), -1) for level in here), -1], dtype=np.int64)[codes]
    out = np.zeros((table.rows, len(levels)))
    known = np.flatnonzero(column >= 0)
    out[known, column[known]] = 1.0
    return out
