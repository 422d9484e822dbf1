"""Indices of cells in given levels."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.blocks import Levels
from suffice.columns.kinds import Level
from suffice.columns.spelling import places
from suffice.numerics.arrays import CodeArray

_LOOKUP_CELLS = 1 << 16  # rows per lookup


class LevelPlaces:
    """Levels by column. The mapping from the levels of the latest block is cached, since blocks mostly share their levels.

    >>> block = Levels(["job"], np.array([[1], [0], [2]]), np.zeros(1, np.int64), (("cook", "smith", "pilot"),))
    >>> LevelPlaces([["smith", "cook"]]).of(block).tolist()
    [[0], [1], [-1]]
    """

    def __init__(self, levels: Sequence[Sequence[Level]]) -> None:
        self._levels = levels
        self._latest: tuple[Sequence[Sequence[Level]], CodeArray] | None = None

    def __reduce__(self) -> tuple[type, tuple[list[list[Level]]]]:
        # the levels, not a mapping from them: formats that write keys as text (skops) read False as True
        return type(self), ([list(levels) for levels in self._levels],)

    def of(self, block: Levels) -> CodeArray:
        """Indices (rows, columns); −1 if a cell is missing or not among the levels."""
        moved, start, end = self._over(block.levels), block.start[:-1], block.start[1:]
        shift = start - block.low
        out = np.empty(block.codes.shape, dtype=np.int32)
        step = max(1, _LOOKUP_CELLS // max(1, len(start)))
        for first in range(0, block.rows, step):
            codes = np.add(block.codes[first : first + step], shift, dtype=np.int64)
            out[first : first + step] = moved[np.where((codes >= start) & (codes < end), codes, -1)]
        return out

    def _over(self, levels: tuple[Sequence[Level], ...]) -> CodeArray:
        """The index of each level of a block, concatenated over columns, with −1 at the end."""
        latest = self._latest
        if latest is not None and latest[0] is levels:
            return latest[1]
        found = [at for own, column in zip(self._levels, levels, strict=True) for at in places(column, own)]
        moved = np.array([*found, -1], dtype=np.int32)
        self._latest = (levels, moved)
        return moved
