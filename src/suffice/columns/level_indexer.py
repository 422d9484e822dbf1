"""Indices of cells in fixed levels."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.blocks import Levels
from suffice.columns.kinds import Level
from suffice.columns.spelling import level_indices
from suffice.numerics.arrays import CodeArray

_LOOKUP_CELLS = 1 << 16  # rows per lookup


class LevelIndexer:
    """Fixed levels by column. The mapping from the levels of the latest block is cached, since most blocks share their levels.

    >>> block = Levels(["job"], np.array([[1], [0], [2]]), np.zeros(1, np.int64), (("cook", "smith", "pilot"),))
    >>> LevelIndexer([["smith", "cook"]]).indices(block).tolist()
    [[0], [1], [-1]]
    """

    def __init__(self, levels: Sequence[Sequence[Level]]) -> None:
        self._levels = levels
        self._latest: tuple[Sequence[Sequence[Level]], CodeArray] | None = None

    def __reduce__(self) -> tuple[type, tuple[list[list[Level]]]]:
        # the levels, not a dict of them: formats that write keys as text (skops) read False as True
        return type(self), ([list(levels) for levels in self._levels],)

    def indices(self, block: Levels) -> CodeArray:
        """Indices (rows, columns); −1 if a cell is missing or not among the levels."""
        moved, start, end = self._mapping(block.levels), block.start[:-1], block.start[1:]
        shift = start - block.low
        out = np.empty(block.codes.shape, dtype=np.int32)
        step = max(1, _LOOKUP_CELLS // max(1, len(start)))
        for first in range(0, block.rows, step):
            codes = np.add(block.codes[first : first + step], shift, dtype=np.int64)
            out[first : first + step] = moved[np.where((codes >= start) & (codes < end), codes, -1)]
        return out

    def _mapping(self, levels: tuple[Sequence[Level], ...]) -> CodeArray:
        """The index of each level of a block, concatenated over columns; the last entry, −1, is for other codes."""
        latest = self._latest
        if latest is not None and latest[0] is levels:
            return latest[1]
        found = [at for own, column in zip(self._levels, levels, strict=True) for at in level_indices(column, own)]
        mapping = np.array([*found, -1], dtype=np.int32)
        self._latest = (levels, mapping)
        return mapping
