"""The objective: the penalised mean cross-entropy of a softmax over linear scores, over batches of rows."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Protocol, TypeVar

import numpy as np

from suffice.columns.matrix_table import sliced_rows
from suffice.errors import DataError
from suffice.numerics.arrays import AnyArray, AnyRows, CodeArray, FloatArray
from suffice.numerics.softmax import Targets
from suffice.sources.source import Sum
from suffice.statistics import Scatter
from suffice.statistics.loss import Curvature, LossAndCurvature, LossGradient

T = TypeVar("T", bound=Sum)

_BATCH_CELLS = 1 << 20  # of sparse rows densified at a time


@dataclass(frozen=True)
class Batch:
    """Some of the rows, the codes of their classes and their weights."""

    x: AnyRows
    y: CodeArray
    weight: FloatArray | None

    def every(self, step: int) -> Iterator[tuple[AnyArray, CodeArray, FloatArray | None]]:
        """Every ``step``-th row; sparse rows are densified in batches."""
        if isinstance(self.x, np.ndarray):
            yield self._some(self.x[::step], slice(None, None, step))
            return
        run = step * max(1, _BATCH_CELLS // max(1, self.x.shape[1]))
        for start in range(0, self.x.shape[0], run):
            stop = min(self.x.shape[0], start + run)
            yield self._some(sliced_rows(self.x, start, stop)[::step].toarray(), slice(start, stop, step))

    def _some(self, x: AnyArray, rows: slice) -> tuple[AnyArray, CodeArray, FloatArray | None]:
        weight = None if self.weight is None else np.ascontiguousarray(self.weight[rows])
        return x, np.ascontiguousarray(self.y[rows]), weight


class Batches(Protocol):
    """Batches, local or remote, that can be read repeatedly."""

    def total(self, parts: Callable[[Batch], Iterable[T]]) -> T:
        """The sum of ``parts`` over all batches; ``parts`` may be sent to remote batches."""


@dataclass(frozen=True)
class InMemory:
    """One batch."""

    batch: Batch

    def total(self, parts: Callable[[Batch], Iterable[T]]) -> T:
        return reduce(add, parts(self.batch))


@dataclass(frozen=True)
class LogisticProblem:
    """Batches and the objective over them.

    ``class_totals`` are the weights of the rows of each class, ``class_weight`` included; ``ridge`` the penalty on the
    square of each feature's weights and, last, on the intercept's.
    """

    batches: Batches
    rows: int
    features: int
    class_totals: FloatArray
    class_weight: FloatArray
    ridge: FloatArray
    intercept: bool
    threads: int
    scatter: Scatter | None = None
    """The scatter of a sample, if already computed."""

    @property
    def classes(self) -> int:
        return len(self.class_weight)

    @property
    def total(self) -> float:
        return float(self.class_totals.sum())

    @property
    def is_streamed(self) -> bool:
        """Whether a pass over the rows is expensive, since they are not in memory."""
        return not isinstance(self.batches, InMemory)

    def loss(self, table: FloatArray, columns: int) -> LossGradient:
        """The sum over all batches."""
        place = _SumsAtWeights(table, columns, self.class_weight, self.threads)
        return self.batches.total(lambda batch: [place.loss(batch)])

    def curvature(self, table: FloatArray, columns: int, share: float) -> Curvature:
        """Over a share of the rows, evenly spaced."""
        place, step = _SumsAtWeights(table, columns, self.class_weight, self.threads), _step(share)
        return self.batches.total(lambda batch: [place.curvature(batch, step)])

    def loss_and_curvature(self, table: FloatArray, columns: int, share: float) -> LossAndCurvature:
        """Loss and curvature in one pass over the batches."""
        place, step = _SumsAtWeights(table, columns, self.class_weight, self.threads), _step(share)
        return self.batches.total(lambda batch: [LossAndCurvature(place.loss(batch), place.curvature(batch, step))])


@dataclass(frozen=True)
class _SumsAtWeights:
    """Weights, and the sums computed at them; sent to the workers."""

    table: FloatArray
    columns: int
    factors: FloatArray
    threads: int

    def loss(self, batch: Batch) -> LossGradient:
        return LossGradient.of(batch.x, self._targets(batch.y, batch.weight), self.table, self.threads)

    def curvature(self, batch: Batch, step: int) -> Curvature:
        parts = (
            Curvature.of(x, self._targets(y, weight), self.table, self.threads) for x, y, weight in batch.every(step)
        )
        return reduce(add, parts)

    def _targets(self, y: CodeArray, weight: FloatArray | None) -> Targets:
        return Targets(y, weight, self.factors, self.columns)


def _step(share: float) -> int:
    return max(1, round(1.0 / share))


def too_large() -> DataError:
    return DataError(
        "The values of X are so large that scores or their squares overflow",
        "values must be below about 1e150",
        "Scale the columns",
    )
