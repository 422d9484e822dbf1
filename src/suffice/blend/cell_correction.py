"""What pairs of columns leave to be said: a correction of their cells, as far as it helps with rows it was not fitted on."""

import numpy as np
import scipy.sparse as sp

from suffice.numerics.arrays import CodeArray, FloatArray, IntArray, SparseRows
from suffice.numerics.ridge_correction import fit_correction, trust
from suffice.posterior import log_posterior

_FEWEST = 400  # rows: parts of fewer cannot tell
_RIDGE = 4.0
_PARTS, _MANY = 5, 2_000  # that take turns being left out of a fit; halves of many rows do
_SURE = 1.5  # standard errors that it must gain


def correct_cells(
    cells: CodeArray,
    start: IntArray,
    y: CodeArray,
    weight: FloatArray,
    left_out: FloatArray,
    log_prior: FloatArray,
    threads: int,
) -> tuple[FloatArray, FloatArray] | None:
    """V (cells of all pairs, classes) and b to add to the scores; None if they would not help.

    ``cells`` (rows, pairs) is the cell of each row in each pair, −1 where there is none, and ``left_out`` what was fitted
    so far says of the rows.
    """
    if len(y) < _FEWEST:
        return None
    x = _indicators(cells, start)
    folds = np.random.default_rng(0).permutation(len(y)) % (_PARTS if len(y) < _MANY else 2)
    across = np.zeros(left_out.shape)
    for fold in range(folds.max() + 1):
        some = folds != fold
        v, b = fit_correction(x[some], y[some], weight[some], left_out[some], _RIDGE, threads)
        across[~some] = x[~some] @ v + b
    beta = trust(left_out, across, y, weight)
    if not _helps(left_out, left_out + beta * across, y, weight, log_prior):
        return None
    v, b = fit_correction(x, y, weight, left_out, _RIDGE, threads)
    return beta * v, beta * b


def _indicators(cells: CodeArray, start: IntArray) -> SparseRows:
    there = cells >= 0
    ends = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    ids = (cells + start[:-1])[there].astype(np.int32)
    ones = np.ones(len(ids), dtype=np.float32)
    return sp.csr_array((ones, ids, ends.astype(np.int32)), shape=(len(cells), int(start[-1])))


def _helps(before: FloatArray, after: FloatArray, y: CodeArray, weight: FloatArray, log_prior: FloatArray) -> bool:
    each = np.arange(len(y))
    gain = weight * (log_posterior(after, log_prior)[each, y] - log_posterior(before.copy(), log_prior)[each, y])
    return bool(gain.sum() > _SURE * gain.std() * np.sqrt(len(gain)))
