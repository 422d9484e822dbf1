"""Columns discretised coarsely, for tables of pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from suffice.columns.blocks import Levels, Numbers, TableBlock
from suffice.columns.kinds import Level
from suffice.columns.level_indexer import LevelIndexer
from suffice.families.histogram import Bins
from suffice.families.pooled_categorical import PooledTable
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.intervals import Intervals
from suffice.numerics.tables import equal_groups

FINEST = 16  # groups of a column of numbers, and of pairs of them
RESOLUTIONS = (2, 4, 8, FINEST)
_MAX_CODED_LEVELS = 32  # of a column of categories; the rarest share one


@dataclass(frozen=True, eq=False)
class NumberCodes:
    """Columns of numbers: the lower bounds of the groups of each column, and their numbers of rows when they were
    formed."""

    cuts: tuple[FloatArray, ...]
    mass: tuple[FloatArray, ...]

    @classmethod
    def of(cls, density: Bins) -> "NumberCodes":
        cuts, masses = [], []
        for edges, (edge, rows), column in zip(density.cuts, density.grids, density.columns, strict=True):
            bins = column.tables.full.shape[1]
            mass = np.bincount(np.searchsorted(edges, edge, side="right"), rows, bins).astype(np.float64)
            group = equal_groups(mass, FINEST)
            cuts.append(edges[np.flatnonzero(np.diff(group))])
            masses.append(np.bincount(group, mass, 1).astype(np.float64))
        return cls(tuple(cuts), tuple(masses))

    def codes(self, block: TableBlock, threads: int) -> CodeArray:
        assert isinstance(block, Numbers)
        return self._intervals.indices(block.dense, threads)

    @property
    def spellings(self) -> list[list[str]]:
        """The spelling of each code of each column."""
        ends = [[-np.inf, *cuts.tolist(), np.inf] for cuts in self.cuts]
        return [[f"[{a:g}, {b:g})" for a, b in pairwise(each)] for each in ends]

    @cached_property
    def _intervals(self) -> Intervals:
        return Intervals(self.cuts)

    @property
    def columns(self) -> int:
        return len(self.mass)

    def groups(self, most: int) -> list[IntArray]:
        return [np.arange(len(mass)) if most >= FINEST else equal_groups(mass, most) for mass in self.mass]


@dataclass(frozen=True, eq=False)
class LevelCodes:
    """Columns of categories: the levels with a code of their own, and the number of codes."""

    levels: tuple[tuple[Level, ...], ...]
    others: tuple[tuple[Level, ...], ...]
    """Levels that share the last code."""

    @classmethod
    def of(cls, density: PooledTable, most: int = _MAX_CODED_LEVELS) -> "LevelCodes":
        kept, rest = [], []
        for j, levels in enumerate(density.levels):
            mass = density.mass[density.start[j] : density.start[j + 1]]
            often = set(np.argsort(-mass, kind="stable")[: len(mass) if len(mass) <= most else most - 1].tolist())
            kept.append(tuple(v for i, v in enumerate(levels) if i in often))
            rest.append(tuple(v for i, v in enumerate(levels) if i not in often))
        return cls(tuple(kept), tuple(rest))

    def codes(self, block: TableBlock, threads: int) -> CodeArray:
        assert isinstance(block, Levels)
        return np.minimum(self._places.indices(block), self._kept)

    @property
    def spellings(self) -> list[list[str]]:
        """The spelling of each code of each column."""
        return [
            [*(f"= {v}" for v in kept), *(["= another"] if rest else [])]
            for kept, rest in zip(self.levels, self.others, strict=True)
        ]

    @cached_property
    def _places(self) -> LevelIndexer:
        return LevelIndexer([(*levels, *others) for levels, others in zip(self.levels, self.others, strict=True)])

    @cached_property
    def _kept(self) -> CodeArray:
        return np.array([len(levels) for levels in self.levels], dtype=np.int32)

    @property
    def columns(self) -> int:
        return len(self.levels)

    def groups(self, most: int) -> list[IntArray]:
        return [np.arange(len(a) + bool(b)) for a, b in zip(self.levels, self.others, strict=True)]


def _one_of(spellings: Sequence[str]) -> str:
    """The spelling of several codes: adjacent intervals merged, levels listed."""
    if len(spellings) > 1 and all(s.startswith("[") for s in spellings):
        return f"{spellings[0].partition(',')[0]},{spellings[-1].partition(',')[2]}"
    return " or ".join(spellings)


@dataclass(frozen=True, eq=False)
class Coding:
    """The coding of the cells of some blocks; it is fixed, so counts of codes add."""

    blocks: tuple[NumberCodes | LevelCodes, ...]
    holes: IntArray
    """The columns in which missing cells have a code, the last one."""

    @classmethod
    def of(cls, densities: Sequence[Bins | PooledTable], holes: IntArray) -> "Coding":
        return cls(tuple(NumberCodes.of(d) if isinstance(d, Bins) else LevelCodes.of(d) for d in densities), holes)

    def codes(self, read: Sequence[TableBlock], threads: int = 1) -> CodeArray:
        """Codes (rows, columns of all blocks), −1 for an unseen level, and for a missing cell without a code."""
        parts = [coded.codes(block, threads) for coded, block in zip(self.blocks, read, strict=True)]
        out = np.concatenate(parts, axis=1)
        if len(self.holes):
            missing = np.concatenate([block.missingness for block in read], axis=1)[:, self.holes] > 0
            out[:, self.holes] = np.where(missing, (self.sizes[self.holes] - 1).astype(np.int32), out[:, self.holes])
        return out

    def block_of(self, column: int) -> tuple[NumberCodes | LevelCodes, int]:
        """The block of a column, and its index in the block."""
        ends = np.cumsum([block.columns for block in self.blocks])
        at = int(np.searchsorted(ends, column, side="right"))
        return self.blocks[at], column - int(ends[at] - self.blocks[at].columns)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of codes of each column."""
        return self.grouped(FINEST)[1]

    def spelled(self, column: int, group: CodeArray) -> list[str]:
        """The spelling of each group of codes of a column; ``group`` is the group of each code."""
        spellings = [names for block in self.blocks for names in block.spellings][column]
        spellings = [*spellings, "missing"] if column in self.holes.tolist() else spellings
        codes = [np.flatnonzero(group[: len(spellings)] == g) for g in range(int(group[: len(spellings)].max()) + 1)]
        return [_one_of([spellings[k] for k in each]) for each in codes]

    @cached_property
    def is_number(self) -> list[bool]:
        return [isinstance(b, NumberCodes) for b in self.blocks for _ in range(b.columns)]

    def grouped(self, most: int) -> tuple[CodeArray, IntArray]:
        """The group of each code, (columns, codes), with about ``most`` groups for numbers; and the number of
        groups."""
        if most not in self._grouped:
            self._grouped[most] = self._group(most)
        return self._grouped[most]

    @cached_property
    def _grouped(self) -> dict[int, tuple[CodeArray, IntArray]]:
        return {}

    def _group(self, most: int) -> tuple[CodeArray, IntArray]:
        groups = [g for block in self.blocks for g in block.groups(most)]
        for j in self.holes.tolist():
            groups[j] = np.append(groups[j], groups[j][-1] + 1 if len(groups[j]) else 0)
        out = np.zeros((len(groups), max((len(g) for g in groups), default=0)), dtype=np.int32)
        for row, group in zip(out, groups, strict=True):
            row[: len(group)] = group
        return out, np.array([int(g[-1]) + 1 if len(g) else 0 for g in groups], dtype=np.int64)
