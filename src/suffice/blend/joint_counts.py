"""What is counted of columns together, under a plan: the scatter of their normal scores, and the cells of pairs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from suffice.blend.coding import Coding
from suffice.blend.normal_scores import NormalScores
from suffice.blend.pairs import Pairs
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.tables import pair_counts
from suffice.statistics import Scatter

_AT_ONCE = 1 << 22  # codes: 16 MiB


@dataclass(frozen=True, eq=False)
class JointCounts:
    """It adds where the plan is the same."""

    scatter: Scatter | None
    """None where there are no normal scores."""
    pairs: FloatArray
    """(classes, cells of all pairs at the finest resolution)"""

    @classmethod
    def of(
        cls, scores: NormalScores, coding: Coding, pairs: Pairs, read: Sequence[Any], y: CodeArray, n_classes: int,
        weight: FloatArray, threads: int,
    ) -> "JointCounts":  # fmt: skip
        scatter = scores.scatter(read, y, n_classes, weight, threads) if scores.width else None
        if not len(pairs.columns):
            return cls(scatter, np.zeros((n_classes, 0)))
        step = max(1, _AT_ONCE // len(coding.sizes))
        total: FloatArray | float = 0.0
        for start in range(0, max(1, len(y)), step):
            rows = slice(start, start + step)
            codes = coding.codes([block.take(rows) for block in read], threads)
            total = total + pair_counts(codes, coding.sizes, pairs.columns, y[rows], n_classes, weight[rows], threads)
        return cls(scatter, np.asarray(total))

    def __add__(self, other: "JointCounts") -> "JointCounts":
        scatter = None if self.scatter is None or other.scatter is None else self.scatter + other.scatter
        return JointCounts(scatter, self.pairs + other.pairs)


Recount: TypeAlias = Callable[[NormalScores, Coding, Pairs], JointCounts]
"""Joint counts of all rows under a plan."""
