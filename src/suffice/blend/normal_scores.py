"""Columns brought to one scale: numbers as normal scores, categories as one column a level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from suffice.columns.kinds import Level
from suffice.families.histogram import Bins
from suffice.families.pooled_categorical import PooledTable
from suffice.numerics.arrays import FloatArray

_KNOTS = 256
_NUMBERS, _COLUMNS = 512, 256  # scores of numbers, and of everything if there are categories
_CELLS = 1 << 24  # of the covariances of all classes: 128 MiB
_ROWS = 2.0  # that a level needs to have a column


@dataclass(frozen=True, eq=False)
class NumberScores:
    """Φ⁻¹ of the rank of a number among all rows, between knots (2, knots); a missing cell is in the middle."""

    knots: tuple[FloatArray, ...]

    @classmethod
    def of(cls, density: Bins) -> "NumberScores":
        return cls(tuple(_knots(*grid) for grid in density.grids))

    def columns(self, block: Any) -> list[FloatArray]:
        x = block.dense
        return [
            np.where(np.isnan(x[:, j]), 0.0, np.interp(x[:, j], *knots))
            for j, knots in enumerate(self.knots)
            if knots.shape[1] > 1
        ]


def _knots(edge: FloatArray, mass: FloatArray) -> FloatArray:
    if len(edge) > 1:
        rank = (np.cumsum(mass) - mass / 2) / mass.sum()
        some = np.unique(np.linspace(0, len(edge) - 1, _KNOTS).astype(np.int64))
        return np.stack([edge[some], special.ndtri(rank[some])])
    return np.zeros((2, 0))


@dataclass(frozen=True, eq=False)
class LevelScores:
    """Whether a cell has a level, standardised; a missing cell, or one with a level never seen, is in the middle."""

    levels: tuple[tuple[Level, ...], ...]
    others: tuple[tuple[Level, ...], ...]
    """Those that were seen but have no score of their own."""
    share: tuple[FloatArray, ...]

    @classmethod
    def of(cls, density: PooledTable, room: int, rows: float) -> "LevelScores":
        often = density.mass >= max([_ROWS, *np.sort(density.mass)[::-1][room : room + 1] + 1e-9])
        levels, others, shares = [], [], []
        for j, names in enumerate(density.levels):
            mass = density.mass[density.start[j] : density.start[j + 1]]
            keep = np.flatnonzero(often[density.start[j] : density.start[j + 1]])
            keep = keep[:-1] if len(keep) == len(names) == 2 else keep  # the other one says the same
            levels.append(tuple(names[int(i)] for i in keep))
            others.append(tuple(v for v in names if v not in set(levels[-1])))
            shares.append(mass[keep] / max(rows, mass.sum()))  # of all rows: that a cell is missing says something too
        return cls(tuple(levels), tuple(others), tuple(shares))

    def columns(self, block: Any) -> list[FloatArray]:
        out = []
        for j, (levels, others, shares) in enumerate(zip(self.levels, self.others, self.share, strict=True)):
            every = block.within(j, [*levels, *others])
            for i, p in enumerate(shares):
                out.append(np.where(every < 0, 0.0, ((every == i) - p) / np.sqrt(p * (1 - p) + 1e-9)))
        return out


@dataclass(frozen=True, eq=False)
class NormalScores:
    """How the cells of some blocks become scores, fixed once so that what is summed of them adds."""

    blocks: tuple[NumberScores | LevelScores, ...]

    @classmethod
    def of(cls, densities: Sequence[Bins | PooledTable], n_classes: int, rows: float) -> "NormalScores":
        """Of the numbers if they are not too many, and of the levels that most rows have."""
        most = int(np.sqrt(_CELLS / n_classes))
        numbers = sum(len(d.cuts) for d in densities if isinstance(d, Bins))
        if numbers > min(_NUMBERS, most):
            return cls(())
        room = max(min(_COLUMNS, most) - numbers, 0)
        return cls(
            tuple(NumberScores.of(d) if isinstance(d, Bins) else LevelScores.of(d, room, rows) for d in densities)
        )

    @property
    def width(self) -> int:
        """How many scores there are."""
        return sum(
            sum(k.shape[1] > 1 for k in b.knots) if isinstance(b, NumberScores) else sum(map(len, b.levels))
            for b in self.blocks
        )

    def scores(self, read: Sequence[Any]) -> FloatArray:
        """(rows, scores), none of them missing."""
        columns = [c for scored, block in zip(self.blocks, read, strict=False) for c in scored.columns(block)]
        return np.stack(columns, axis=1) if columns else np.zeros((read[0].rows, 0))
