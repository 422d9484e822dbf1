"""A cross-validated ridge correction of the cells of pair tables."""

import numpy as np

from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.cell_sweeps import CellRows
from suffice.numerics.ridge_correction import correction_weight
from suffice.posterior import log_posterior

_MIN_CORRECTED_ROWS = 400
_RIDGE = 4.0
_MAX_FOLDS, _FEW_FOLD_ROWS = 3, 2_000  # folds of the cross-fit; from so many rows on, two
_GUARD_ERRORS = 1.5  # standard errors that the gain must exceed


def correct_cells(
    cells: CodeArray, start: IntArray, y: CodeArray, weight: FloatArray, left_out: FloatArray, log_prior: FloatArray,
    threads: int,
) -> tuple[FloatArray | None, FloatArray | float]:  # fmt: skip
    """The correction V (cells of all pairs, classes) with its out-of-fold scores of these rows; None and zeros if it
    does not lower the log-loss."""
    if len(y) < _MIN_CORRECTED_ROWS:
        return None, 0.0
    rows = CellRows(cells, start, y, weight, left_out)
    folds = np.random.default_rng(0).permutation(len(y)) % (_MAX_FOLDS if len(y) < _FEW_FOLD_ROWS else 2)
    across = rows.across_folds(_RIDGE, folds.astype(np.int32), threads)
    beta = correction_weight(left_out, across, y, weight)
    if not _helps(left_out, left_out + beta * across, y, weight, log_prior):
        return None, 0.0
    return beta * rows.fit(_RIDGE), beta * across


def _helps(before: FloatArray, after: FloatArray, y: CodeArray, weight: FloatArray, log_prior: FloatArray) -> bool:
    each = np.arange(len(y))
    gain = weight * (log_posterior(after, log_prior)[each, y] - log_posterior(before.copy(), log_prior)[each, y])
    return bool(gain.sum() > _GUARD_ERRORS * gain.std() * np.sqrt(len(gain)))
