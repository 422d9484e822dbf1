"""Prefixes of levels, for columns of many codes (zip codes, products)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.columns.kinds import Level
from suffice.families.shrunk import ShrunkColumn, Stage, Strength, shrink, shrink_in_stages
from suffice.numerics.arrays import FloatArray, IntArray

_MIN_LEVELS = 16  # of a column with prefixes
_MAX_CHARACTERS = 16  # of a prefix
_MAX_PREFIX_LENGTHS = 2  # per column
_MIN_LEVELS_PER_PREFIX = 2.0  # on average


@dataclass(frozen=True, eq=False)
class PrefixScores:
    """The prefixes of ``length`` characters of a column, in order, and their scores (classes, prefixes)."""

    length: int
    spelled: tuple[str, ...]
    table: FloatArray

    @cached_property
    def _place(self) -> dict[str, int]:
        return {prefix: i for i, prefix in enumerate(self.spelled)}

    def place(self, level: Level) -> int | None:
        """The index of the prefix of a level; None if it is unknown."""
        return self._place.get(str(level)[: self.length])


def shrink_by_prefix(
    counts: FloatArray, levels: Sequence[Level], strength: Strength
) -> tuple[ShrunkColumn, tuple[PrefixScores, ...]]:
    """Levels shrunk toward the pooled table, within prefixes if that lowers the leave-one-out log-loss.

    Lengths are added greedily, as long as the gain is significant.
    """
    every = np.arange(len(levels))
    best, chosen = shrink(counts, strength, binary=False), dict[int, IntArray]()
    left = _runs(levels)

    def stages(lengths: dict[int, IntArray]) -> list[Stage]:
        return [Stage.of(first, strength) for _, first in sorted(lengths.items())] + [Stage.of(every, strength)]

    def roughly(lengths: dict[int, IntArray]) -> float:
        return shrink_in_stages(counts, [stage.rough for stage in stages(lengths)]).loss

    while left and len(chosen) < _MAX_PREFIX_LENGTHS:
        tried = min(left, key=lambda length: roughly({**chosen, length: left[length]}))
        more = {**chosen, tried: left.pop(tried)}
        found = shrink_in_stages(counts, stages(more))
        if not found.gains(best.losses()):
            break
        best, chosen = found, more
    lengths = sorted(chosen)
    return best, tuple(
        PrefixScores(length, tuple(str(levels[i])[:length] for i in stage.first), stage.table)
        for length, stage in zip(lengths, best.stages, strict=False)
    )


def _runs(levels: Sequence[Level]) -> dict[int, IntArray]:
    """The first level of each run of levels with a common prefix, for each prefix length with distinct runs."""
    if len(levels) < _MIN_LEVELS or not all(isinstance(level, str) for level in levels):
        return {}
    characters = (
        np.array(levels, dtype=f"U{_MAX_CHARACTERS + 1}").view(np.uint32).reshape(len(levels), -1)[:, :_MAX_CHARACTERS]
    )
    same = np.logical_and.accumulate(characters[1:] == characters[:-1], axis=1).sum(axis=1)
    out: dict[int, IntArray] = {}
    for length in range(1, _MAX_CHARACTERS + 1):
        first = np.concatenate([[0], 1 + np.flatnonzero(same < length)])
        if 1 < len(first) <= len(levels) / _MIN_LEVELS_PER_PREFIX and all(
            len(first) != len(other) for other in out.values()
        ):
            out[length] = first
    return out
