"""Counts as categories: the word occurs 0, 1, …, K − 1 or more times, each with its own probability."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from suffice.columns.blocks import Levels, Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.errors import ParameterError
from suffice.families import pseudo_counts as pseudo
from suffice.families.base import AnyFamily, Rule
from suffice.families.by_column import ByColumn
from suffice.families.forms import LevelTable, NumberDensity
from suffice.families.sparse_rows import add_parts, needs_every_cell, observe_parts
from suffice.families.support import refuse, stored
from suffice.numerics import kernels, scores
from suffice.numerics.arrays import AnyArray, FloatArray, SparseRows
from suffice.statistics import CountTables


@dataclass(frozen=True)
class CountTable(ByColumn[CountTables]):
    """A product of categoricals over truncated counts: θ[k] = p(x = k), k = 0 … K − 1, the last for K − 1 or more.

    ``max_count`` is K, the number of distinct counts. The prior is Dirichlet(``alpha``): one number, or one for
    each k. With N_k rows of count k among n: ``mle`` N_k / n, ``mean`` (N_k + α_k) / (n + Σα); ``predictive`` is ``mean``.

    Parameters
    ----------
    max_count : int, default=5
        K, the number of distinct counts; larger counts are counted as K − 1.
    alpha : float or sequence of float, default=1.0
        Pseudo-count of each count; one number, or one for each k.

    Examples
    --------
    >>> CountTable(max_count=3)  # 0, 1, and 2 or more
    CountTable(max_count=3, alpha=1.0)
    """

    max_count: int = 5
    alpha: pseudo.Alpha = 1.0

    takes_sparse: ClassVar[bool] = True
    transforms: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if isinstance(self.max_count, bool) or not isinstance(self.max_count, Integral) or self.max_count < 2:
            raise ParameterError(
                f"CountTable's max_count is {self.max_count!r}", "it must be a whole number of at least 2"
            )
        object.__setattr__(self, "max_count", int(self.max_count))
        object.__setattr__(self, "alpha", pseudo.as_alpha(self.alpha))
        if isinstance(self.alpha, tuple):
            pseudo.per_column(self.alpha, self.max_count)

    def is_mergeable_with(self, other: AnyFamily) -> bool:
        return isinstance(other, CountTable) and self.max_count == other.max_count

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> CountTables:
        if needs_every_cell(block):
            return observe_parts(self.observe, block, y, threads)
        size, columns = self.max_count, len(block.names)
        check_whole(block)
        if isinstance(block.values, np.ndarray):
            coded = truncated(block, size)
            table = kernels.counts(coded.codes, coded.low, coded.start, y.codes, y.n_classes, y.weight, threads)
            return CountTables(table.reshape(y.n_classes, columns, size))
        cells = spread_out(block.values, size)
        table = kernels.sparse_sums(cells, y.codes, y.n_classes, y.weight, None, threads).reshape(
            y.n_classes, columns, size
        )
        rows = kernels.class_weights(y.codes, y.n_classes, y.weight, threads)
        zeros = rows[:, None] - table[:, :, 1:].sum(axis=2)  # the cells that are not stored
        table[:, :, 0] = np.where(zeros > 1e-12 * rows[:, None], zeros, 0.0)
        return CountTables(table)

    def from_statistics(self, statistic: CountTables, pooled: CountTables, rule: Rule) -> "CountTableDensity":
        alpha = pseudo.per_column(self.alpha, self.max_count)
        counts = statistic.table
        theta = pseudo.estimated(counts, pooled.table, alpha, rule)
        return CountTableDensity(pseudo.log(theta))

    def log_evidence(self, statistic: CountTables) -> FloatArray:
        alpha = pseudo.per_column(self.alpha, self.max_count)
        return np.asarray(pseudo.log_evidence(statistic.table, alpha).sum(axis=0))


def check_whole(block: Numbers) -> None:
    """Raise for values that are not counts."""
    values = stored(block)
    if values.dtype.kind in "ub" or (values.dtype.kind == "i" and (not values.size or values.min() >= 0)):
        return
    with np.errstate(invalid="ignore"):
        wrong = (values < 0) | (values != np.floor(values)) | np.isinf(values)
    if (wrong & ~np.isnan(values)).any():
        refuse(
            block,
            lambda x: ((x < 0) | (x != np.floor(x)) | np.isinf(x)) & ~np.isnan(x),
            "values that are not whole counts",
            "CountTable needs 0, 1, 2, …",
            "Use Gaussian() for it, or round them",
        )


def truncated(block: Numbers, size: int) -> Levels:
    """min(x, K − 1) as codes, −1 where a cell is missing."""
    x = block.dense
    cut = np.minimum(x if x.dtype.kind == "f" else x.astype(np.int64), size - 1)
    codes = (np.where(np.isnan(cut), -1, cut) if x.dtype.kind == "f" else cut).astype(np.int32)
    columns = x.shape[1]
    return Levels(block.names, codes, np.zeros(columns, np.int64), (range(size),) * columns)


def spread_out(x: SparseRows, size: int) -> SparseRows:
    """Two indicators for every stored non-zero cell: at column j · K (not 0) and at j · K + min(x, K − 1).

    A table over (j, k) is then a sum over columns, and a score replaces the entry of k = 0 by that of k.
    """
    k = np.minimum(x.data if x.data.dtype.kind == "f" else x.data.astype(np.int64), size - 1).astype(np.int64)
    first = x.indices.astype(np.int64) * size
    wide = np.stack([first, first + k], axis=1).ravel()
    ones = np.repeat((k > 0).astype(np.float64), 2)
    return sp.csr_array((ones, wide, 2 * x.indptr.astype(np.int64)), shape=(x.shape[0], x.shape[1] * size))


class CountTableDensity(NumberDensity):
    """log θ (classes, columns, K)."""

    def __init__(self, log_theta: FloatArray) -> None:
        self.log_theta = log_theta
        self.n_classes, self.columns, self.size = log_theta.shape

    def _table(self) -> LevelTable:
        return LevelTable(self.log_theta.reshape(self.n_classes, -1), (range(self.size),) * self.columns)

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        if needs_every_cell(block):
            add_parts(self, out, block, threads)
            return
        check_whole(block)
        if isinstance(block.values, np.ndarray):
            self._table().add_to(out, truncated(block, self.size), threads)
            return
        self._sparse.add_to(out, spread_out(block.values, self.size), threads)

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        k = np.minimum(x, self.size - 1).astype(np.int64)[:, :, None]
        theta = np.broadcast_to(self.log_theta[klass], (*x.shape, self.size))
        return np.take_along_axis(theta, k, axis=2)[:, :, 0]

    @cached_property
    def _sparse(self) -> scores.SparseSteps:
        """Columns are 0 unless stored: log θ₀ of all columns, with differences for the stored counts."""
        below, above = np.zeros_like(self.log_theta), self.log_theta.copy()
        below[:, :, 0] = self.log_theta[:, :, 0]
        above[:, :, 0] = 0.0
        return scores.SparseSteps(0.0, below.reshape(self.n_classes, -1), above.reshape(self.n_classes, -1))

    def evidence(self, block: Numbers) -> tuple[list[str], FloatArray]:
        return self._table().evidence(truncated(block, self.size))

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        return self._table().linear_terms(names)

    def linear_features(self, block: Numbers) -> FloatArray:
        return self._table().linear_features(truncated(block, self.size))

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        return [column.astype(np.float64) for column in self._table().sample(klass, n, rng)]
