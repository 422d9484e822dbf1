"""Families of independent columns, estimated from the statistics of a class and of all classes pooled."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.labels import Label
from suffice.families.base import Family, Rule
from suffice.families.forms import NumberDensity
from suffice.numerics.arrays import FloatArray
from suffice.numerics.threads import parallel_map
from suffice.statistics.base import PoolableStatistic

P = TypeVar("P", bound=PoolableStatistic)

_BATCH_CELLS = 1 << 15  # a few dozen arrays of so many cells fit into the cache


class ByColumn(Family[Numbers, P]):
    """A family of columns of numbers whose density for a class follows, cell by cell, from two statistics."""

    @abstractmethod
    def from_statistics(self, statistic: P, pooled: P, rule: Rule) -> NumberDensity:
        """The density from the ``statistic`` of each class and the ``pooled`` one: one for all classes, or one for
        each."""

    def estimate(self, statistic: P, rule: Rule, classes: Sequence[Label]) -> NumberDensity:
        return self.from_statistics(statistic, statistic.pooled(), rule)

    def left_out(
        self,
        statistic: P,
        rule: Rule,
        classes: Sequence[Label],
        block: Numbers,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        """Leave-one-out in closed form: each row is counted as a separate class and subtracted."""
        out = np.empty((block.rows, len(classes)))
        pooled = statistic.pooled()

        def fill(rows: slice) -> None:
            part = Numbers(block.names, block.take(rows).dense)
            here, every = y[rows], np.arange(part.rows, dtype=np.int32)
            alone = self.observe(part, ClassCodes(every, part.rows, here.weight), 1)
            together = pooled.without_each(np.zeros_like(every), alone)
            x = part.dense.astype(np.float64, copy=False)
            with np.errstate(over="ignore"):
                for c in range(len(classes)):
                    mine = statistic.select_classes(np.array([c]))
                    out[rows, c] = self.from_statistics(mine, together, rule).log_density_by_row(x)
                own = self.from_statistics(statistic.without_each(here.codes, alone), together, rule)
                out[rows.start + every, here.codes] = own.log_density_by_row(x)

        step = max(1, _BATCH_CELLS // max(1, len(block.names)))
        runs = [slice(start, min(block.rows, start + step)) for start in range(0, block.rows, step)]
        parallel_map(fill, runs, threads)
        return out
