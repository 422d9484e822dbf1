"""What is minimised: the penalised mean cross-entropy of a softmax over linear scores, over batches of rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from suffice.columns.matrix_table import some_rows
from suffice.errors import DataError
from suffice.numerics.arrays import AnyArray, AnyRows, CodeArray, FloatArray
from suffice.numerics.softmax import Targets
from suffice.statistics.loss import Curvature, LossGradient

_DENSE_CELLS = 1 << 20  # of sparse rows that are filled up at a time


@dataclass(frozen=True)
class Batch:
    """Some of the rows, the codes of their classes and their weights."""

    x: AnyRows
    y: CodeArray
    weight: FloatArray | None

    def every(self, step: int) -> Iterator[tuple[AnyArray, CodeArray, FloatArray | None]]:
        """Every so many-th row as it is; sparse ones filled up, some at a time."""
        if isinstance(self.x, np.ndarray):
            yield self._some(self.x[::step], slice(None, None, step))
            return
        run = step * max(1, _DENSE_CELLS // max(1, self.x.shape[1]))
        for start in range(0, self.x.shape[0], run):
            stop = min(self.x.shape[0], start + run)
            yield self._some(some_rows(self.x, start, stop)[::step].toarray(), slice(start, stop, step))

    def _some(self, x: AnyArray, rows: slice) -> tuple[AnyArray, CodeArray, FloatArray | None]:
        weight = None if self.weight is None else np.ascontiguousarray(self.weight[rows])
        return x, np.ascontiguousarray(self.y[rows]), weight


@dataclass(frozen=True)
class Problem:
    """Batches that can be gone through again and again, and what is to be minimised over them.

    ``class_totals`` are the weights of the rows of each class, ``class_weight`` included; ``ridge`` the penalty on the
    square of each feature's weights and, last, on the intercept's.
    """

    batches: Iterable[Batch]
    rows: int
    features: int
    class_totals: FloatArray
    class_weight: FloatArray
    ridge: FloatArray
    intercept: bool
    threads: int

    @property
    def classes(self) -> int:
        return len(self.class_weight)

    @property
    def total(self) -> float:
        return float(self.class_totals.sum())

    def loss(self, table: FloatArray, columns: int) -> LossGradient:
        """The sum over all batches."""
        return reduce(
            add,
            (LossGradient.of(b.x, self._targets(b.y, b.weight, columns), table, self.threads) for b in self.batches),
        )

    def curvature(self, table: FloatArray, columns: int, share: float) -> FloatArray:
        """The mean over a share of the rows, evenly spaced."""
        step = max(1, round(1.0 / share))
        parts = (
            Curvature.of(x, self._targets(y, weight, columns), table, self.threads)
            for batch in self.batches
            for x, y, weight in batch.every(step)
        )
        whole = reduce(add, parts)
        matrix = whole.matrix / (whole.weight or 1.0)
        if not np.isfinite(matrix).all():
            raise too_large()
        return matrix

    def _targets(self, y: CodeArray, weight: FloatArray | None, columns: int) -> Targets:
        return Targets(y, weight, self.class_weight, columns)


def too_large() -> DataError:
    return DataError(
        "The values of X are so large that scores or their squares overflow",
        "values beyond about 1e150 cannot be computed with",
        "Scale the columns",
    )
