"""Class-wise sums over bags of words."""

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp

from suffice.columns.bags import Bags
from suffice.columns.class_codes import ClassCodes
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, SparseRows
from suffice.statistics import WordCounts

_MAX_DENSE_CELLS = 1 << 25  # of a dense table

Amount = Callable[[Bags], AnyArray]
"""The summed amount of each word of each document."""


def presence(bags: Bags) -> AnyArray:
    return np.ones_like(bags.counts, dtype=np.float64)


def at_least(least: int) -> Amount:
    """Whether the word occurs at least ``least`` times."""
    return lambda bags: (bags.counts >= least).astype(np.float64)


def word_counts(
    bags: Bags,
    there: AnyArray,
    amounts: Sequence[Amount],
    y: ClassCodes,
    threads: int,
) -> WordCounts:
    """Sums over the documents of each class; ``there`` is a mask of the documents that are not missing."""
    counted = there.astype(np.float64) if y.weight is None else there * y.weight
    documents = kernels.class_weights(y.codes, y.n_classes, counted, threads)
    tables = tuple(_summed(bags, amount(bags), y, threads) for amount in amounts)
    return WordCounts(documents, bags.vocabulary, tables).compact()


def _summed(bags: Bags, values: AnyArray, y: ClassCodes, threads: int) -> SparseRows:
    words = len(bags.vocabulary)
    matrix = sp.csr_array((values, bags.ids, bags.indptr), shape=(bags.rows, words))
    if words * y.n_classes <= _MAX_DENSE_CELLS:
        return sp.csr_array(kernels.sparse_sums(matrix, y.codes, y.n_classes, y.weight, None, threads).T)
    classes = sp.csr_array((y.weights, y.codes, np.arange(bags.rows + 1)), shape=(bags.rows, y.n_classes))
    table = sp.csr_array(matrix.T @ classes)
    table.eliminate_zeros()
    table.sort_indices()
    return table
