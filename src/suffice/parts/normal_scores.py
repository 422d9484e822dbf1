"""Columns on one scale: normal scores of numbers, standardised indicators of levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from scipy import special

from suffice.columns.blocks import Levels, Numbers, TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Level
from suffice.columns.level_indexer import LevelIndexer
from suffice.families.histogram import Bins
from suffice.families.pooled_categorical import PooledTable
from suffice.numerics import kernels
from suffice.numerics.arrays import FloatArray, SingleArray
from suffice.numerics.intervals import Polylines
from suffice.statistics import Scatter

_MAX_KNOTS = 256
_MAX_NUMBERS, _MAX_SCORES = 512, 256  # scores of numbers, and of all columns if there are categories
_MAX_COVARIANCE_CELLS = 1 << 24  # in the covariances of all classes: 128 MiB
_MIN_LEVEL_ROWS = 2.0  # with a level that has an indicator
_BATCH_SCORES = 1 << 22  # 32 MiB


@dataclass(frozen=True, eq=False)
class NumberScores:
    """Φ⁻¹ of the rank of a number among all rows, interpolated between knots (2, knots); zero for a missing cell."""

    knots: tuple[FloatArray, ...]

    @classmethod
    def of(cls, density: Bins) -> "NumberScores":
        return cls(tuple(_knots(*grid) for grid in density.grids))

    @property
    def width(self) -> int:
        return self._lines.width

    @property
    def columns(self) -> int:
        return len(self.knots)

    @property
    def owners(self) -> list[int]:
        """The column of each score."""
        return [j for j, knots in enumerate(self.knots) if knots.shape[1] > 1]

    def write(self, block: TableBlock, out: SingleArray, threads: int) -> None:
        assert isinstance(block, Numbers)
        self._lines.write(block.dense, out, threads)

    @cached_property
    def _lines(self) -> Polylines:
        """The piecewise linear functions of the columns with at least two values."""
        return Polylines({j: self.knots[j] for j in self.owners})


def _knots(edge: FloatArray, mass: FloatArray) -> FloatArray:
    if len(edge) > 1:
        rank = (np.cumsum(mass) - mass / 2) / mass.sum()
        some = np.linspace(0, len(edge) - 1, min(len(edge), _MAX_KNOTS)).astype(np.int64)
        return np.stack([edge[some], special.ndtri(rank[some])])
    return np.zeros((2, 0))


@dataclass(frozen=True, eq=False)
class LevelScores:
    """Standardised indicators of levels; zero for a missing cell or an unseen level."""

    levels: tuple[tuple[Level, ...], ...]
    others: tuple[tuple[Level, ...], ...]
    """Levels of the training rows that have no indicator."""
    share: tuple[FloatArray, ...]

    @classmethod
    def of(cls, density: PooledTable, room: int, rows: float) -> "LevelScores":
        often = density.mass >= max([_MIN_LEVEL_ROWS, *np.sort(density.mass)[::-1][room : room + 1] + 1e-9])
        levels, others, shares = [], [], []
        for j, names in enumerate(density.levels):
            mass = density.mass[density.start[j] : density.start[j + 1]]
            keep = np.flatnonzero(often[density.start[j] : density.start[j + 1]])
            keep = keep[:-1] if len(keep) == len(names) == 2 else keep  # of two levels, one indicator is redundant
            levels.append(tuple(names[int(i)] for i in keep))
            others.append(tuple(v for v in names if v not in set(levels[-1])))
            shares.append(mass[keep] / max(rows, mass.sum()))  # share of all rows, including those with a missing cell
        return cls(tuple(levels), tuple(others), tuple(shares))

    @property
    def width(self) -> int:
        return sum(map(len, self.levels))

    @property
    def columns(self) -> int:
        return len(self.levels)

    @property
    def owners(self) -> list[int]:
        """The column of each score."""
        return [j for j, levels in enumerate(self.levels) for _ in levels]

    def write(self, block: TableBlock, out: SingleArray, threads: int) -> None:
        assert isinstance(block, Levels)
        places = np.minimum(self._places.indices(block), [len(levels) for levels in self.levels])
        first = 0
        for each, at in zip(self.by_level, places.T, strict=True):
            out[:, first : first + each.shape[1]] = each[at]
            first += each.shape[1]

    @cached_property
    def _places(self) -> LevelIndexer:
        return LevelIndexer([(*levels, *others) for levels, others in zip(self.levels, self.others, strict=True)])

    @cached_property
    def by_level(self) -> list[SingleArray]:
        """For each column, (levels + 2, scores): the scores of each level, of any other level, and of a missing
        cell."""
        out = []
        for p in self.share:
            indicator = np.concatenate([np.eye(len(p)), np.zeros((1, len(p)))])
            indicator = (indicator - p) / np.sqrt(p * (1 - p) + 1e-9)
            out.append(np.concatenate([indicator, np.zeros((1, len(p)))]).astype(np.float32))
        return out


@dataclass(frozen=True, eq=False)
class NormalScores:
    """The mapping of the cells of some blocks to scores; it is fixed, so sums of scores add."""

    blocks: tuple[NumberScores | LevelScores, ...]

    @classmethod
    def of(cls, densities: Sequence[Bins | PooledTable], n_classes: int, rows: float) -> "NormalScores":
        """Scores of numbers, if they are not too many, and of the most frequent levels."""
        most = int(np.sqrt(_MAX_COVARIANCE_CELLS / n_classes))
        numbers = sum(len(d.cuts) for d in densities if isinstance(d, Bins))
        if numbers > min(_MAX_NUMBERS, most):
            return cls(())
        room = max(min(_MAX_SCORES, most) - numbers, 0)
        return cls(
            tuple(NumberScores.of(d) if isinstance(d, Bins) else LevelScores.of(d, room, rows) for d in densities)
        )

    @cached_property
    def _ends(self) -> list[int]:
        return [0, *accumulate(block.width for block in self.blocks)]

    @property
    def width(self) -> int:
        """Number of scores."""
        return self._ends[-1]

    @property
    def columns(self) -> int:
        """Number of columns."""
        return sum(block.columns for block in self.blocks)

    def spelled(self, columns: Sequence[str]) -> list[str]:
        """The name of each score: a column of numbers, or a level."""
        first = [0, *accumulate(block.columns for block in self.blocks)]
        found: list[str] = []
        for start, block in zip(first, self.blocks, strict=False):
            if isinstance(block, NumberScores):
                found += [columns[start + j] for j in block.owners]
            else:
                found += [f"{columns[start + j]} = {v}" for j, levels in enumerate(block.levels) for v in levels]
        return found

    def by_column(self, values: FloatArray) -> FloatArray:
        """(scores, …) summed by column, (columns, …)."""
        return np.asarray(np.tensordot(self.owners.T, values, axes=1))

    @cached_property
    def owners(self) -> FloatArray:
        """Indicators (scores, columns): 1 where a score belongs to a column."""
        first = [0, *accumulate(block.columns for block in self.blocks)]
        places = [f + j for f, block in zip(first, self.blocks, strict=False) for j in block.owners]
        out = np.zeros((self.width, self.columns))
        out[np.arange(self.width), places] = 1.0
        return out

    def scores(self, read: Sequence[TableBlock], threads: int = 1) -> SingleArray:
        """Scores (rows, scores) without missing values; sums over them are computed in double precision."""
        out = np.empty((read[0].rows, self.width), dtype=np.float32)
        for scored, block, (first, end) in zip(self.blocks, read, pairwise(self._ends), strict=False):
            scored.write(block, out[:, first:end], threads)
        return out

    def scatter(
        self,
        read: Sequence[TableBlock],
        y: ClassCodes,
        threads: int,
        known: SingleArray | None = None,
    ) -> Scatter:
        """The scatter of the scores; unless the scores are ``known``, they are computed in batches of rows."""
        if known is not None:
            return Scatter.of(*kernels.scatter(known, y.codes, y.n_classes, y.weight, threads))
        step = max(1, _BATCH_SCORES // self.width)
        total: Scatter | None = None
        for start in range(0, len(y.codes), step):
            rows = slice(start, start + step)
            z, some = self.scores([block.take(rows) for block in read], threads), y[rows]
            part = Scatter.of(*kernels.scatter(z, some.codes, some.n_classes, some.weight, threads))
            total = part if total is None else total + part
        assert total is not None
        return total
