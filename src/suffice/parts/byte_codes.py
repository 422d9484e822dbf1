"""Cells as one-byte codes, on which trees split: 0 is a missing cell or an unseen level."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg

from suffice.columns.blocks import Numbers, TableBlock
from suffice.families.histogram import Bins
from suffice.families.pooled_categorical import PooledTable
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray, SingleArray
from suffice.numerics.forest import MAX_CODES, MAX_LEVELS
from suffice.numerics.intervals import Intervals
from suffice.numerics.tables import equal_groups
from suffice.parts.coding import LevelCodes
from suffice.parts.normal_scores import NormalScores

_MAX_GROUPS = 240  # of a column of numbers; frequent values may add a few
_MAX_AXES = 16
_RELATIVE_ROUNDING = 1e-5  # relative to the largest value along an axis: closer rows are equal
_MIN_VARIANCE_SHARE = 1e-6  # share of the variance below which an axis has none


@dataclass(frozen=True, eq=False)
class NumberCuts:
    """Columns of numbers, cut into groups of about equal size."""

    cuts: tuple[FloatArray, ...]

    @classmethod
    def of(cls, density: Bins) -> "NumberCuts":
        cuts = []
        for edge, rows in density.grids:
            group = equal_groups(rows, _MAX_GROUPS)
            found = edge[1:][np.diff(group) > 0]
            # frequent values add groups, and a code is one byte
            cuts.append(found[np.linspace(0, len(found) - 1, min(len(found), MAX_CODES - 2)).astype(np.int64)])
        return cls(tuple(cuts))

    def codes(self, block: TableBlock, threads: int) -> AnyArray:
        assert isinstance(block, Numbers)
        return self._intervals.indices(block.dense, threads)

    @cached_property
    def _intervals(self) -> Intervals:
        return Intervals(self.cuts)

    @property
    def columns(self) -> int:
        return len(self.cuts)


@dataclass(frozen=True, eq=False)
class PrincipalAxes:
    """Principal axes of the normal scores, each cut finely like a number."""

    scores: NormalScores
    vectors: SingleArray
    """(scores, axes)"""
    cuts: tuple[FloatArray, ...]

    @classmethod
    def of(cls, scores: NormalScores, z: SingleArray, weight: FloatArray, threads: int) -> "PrincipalAxes | None":
        """The axes of largest variance of the scores ``z``; None if there is at most one score."""
        if scores.width < 2:
            return None
        centred = z - (weight @ z / weight.sum()).astype(np.float32)
        covariance = ((centred * weight[:, None].astype(np.float32)).T @ centred).astype(np.float64)
        most = min(_MAX_AXES, scores.width)
        variance, found = linalg.eigh(covariance, subset_by_index=(scores.width - most, scores.width - 1))
        found = found[:, ::-1][:, variance[::-1] > _MIN_VARIANCE_SHARE * max(np.trace(covariance), 1e-300)]
        if not found.shape[1]:
            return None
        # fix the sign
        found = found * np.sign(found[np.abs(found).argmax(axis=0), np.arange(found.shape[1])])
        vectors = found.astype(np.float32)
        ordered = np.sort(_along(z, vectors, threads), axis=0)
        at = np.unique(np.arange(1, _MAX_GROUPS) * len(z) // _MAX_GROUPS)
        # midway between two rows, so that rounding cannot move a row across the cut
        below, above = ordered[at[at > 0] - 1], ordered[at[at > 0]]
        middle = (below + above) / 2
        apart = above - below > _RELATIVE_ROUNDING * np.abs(ordered).max(axis=0)
        return cls(scores, vectors, tuple(np.unique(m[a]) for m, a in zip(middle.T, apart.T, strict=True)))

    def codes(self, read: Sequence[TableBlock], threads: int) -> AnyArray:
        return self._intervals.indices(_along(self.scores.scores(read, threads), self.vectors, threads), threads)

    @cached_property
    def _intervals(self) -> Intervals:
        return Intervals(self.cuts)

    @cached_property
    def loadings(self) -> FloatArray:
        """The share of each column in each axis, (columns, axes): squared loadings, which add up to one."""
        squares = self.vectors.astype(np.float64) ** 2
        return self.scores.by_column(squares / squares.sum(axis=0))


def _along(z: SingleArray, vectors: SingleArray, threads: int) -> FloatArray:
    """(rows, axes), in double precision: which side of a cut a row is on must not depend on the order of a sum."""
    out, slope = np.zeros((len(z), vectors.shape[1])), np.ascontiguousarray(vectors.T, dtype=np.float64)
    kernels.add_affine_scores(z, np.zeros(z.shape[1]), slope, np.zeros(len(slope)), out, threads)
    return out


@dataclass(frozen=True, eq=False)
class ByteCodes:
    """The coding of the cells of some blocks: columns first, then axes, if any."""

    blocks: tuple[NumberCuts | LevelCodes, ...]
    axes: PrincipalAxes | None = None

    @classmethod
    def of(cls, densities: Sequence[Bins | PooledTable]) -> "ByteCodes":
        return cls(
            tuple(NumberCuts.of(d) if isinstance(d, Bins) else LevelCodes.of(d, MAX_LEVELS - 1) for d in densities)
        )

    def codes(self, read: Sequence[TableBlock], threads: int = 1) -> AnyArray:
        """(rows, columns and axes)"""
        parts = [coded.codes(block, threads) for coded, block in zip(self.blocks, read, strict=True)]
        parts += [] if self.axes is None else [self.axes.codes(read, threads)]
        out = np.empty((read[0].rows, sum(part.shape[1] for part in parts)), dtype=np.uint8)
        first = 0
        for part in parts:
            np.add(part, 1, out=out[:, first : first + part.shape[1]], casting="unsafe")
            first += part.shape[1]
        return out

    @cached_property
    def is_level(self) -> AnyArray:
        """Whether the codes of each column and axis are levels, without an order."""
        kinds = [isinstance(block, LevelCodes) for block in self.blocks for _ in range(block.columns)]
        axes = 0 if self.axes is None else len(self.axes.cuts)
        return np.array([*kinds, *[False] * axes], dtype=np.uint8)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return sum(block.columns for block in self.blocks)
