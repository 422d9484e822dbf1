"""Shrinkage of correlations, estimated from the scatter matrix alone.

Both rules depend on the correlations R = D⁻¹ S D⁻¹, D² the diagonal of S, so they do not depend on the units of the columns:
the shrunk matrix is (1 − s) S + s D².
"""

import numpy as np

from suffice.numerics.arrays import FloatArray
from suffice.numerics.covariances import Covariance

_CANDIDATE_SHRINKAGES = np.concatenate([np.geomspace(1e-4, 0.05, 14), np.linspace(0.1, 1.0, 19)])


def oas(scatter: Covariance, rows: float) -> float:
    """The oracle approximating share (Chen, Wiesel, Eldar, Hero 2010, eq. 23) for the correlations of ``rows`` rows."""
    values, columns = _spectrum(scatter)
    if columns < 2:
        return 0.0
    square = float((values**2).sum())  # trace of R²; that of R is the number of columns
    excess = (rows + 1) * (square - columns)
    return 1.0 if excess <= 0 else min(1.0, (square / columns**2 + 1) * columns**2 / excess)


def leave_one_out(scatter: Covariance, rows: float) -> float:
    """The share of largest leave-one-out likelihood, with every row at the mean Mahalanobis distance.

    With A = (1 − s) M / (n − 1) + s T, the covariance without a row δ is A − β δδᵀ with β = (1 − s) n / (n − 1)²,
    whose determinant and inverse follow from r = δᵀ A⁻¹ δ; the mean of r over the rows is tr(A⁻¹ M) / n (Hoffbeck and
    Landgrebe 1996).
    """
    values, columns = _spectrum(scatter)
    if rows <= 2:
        return 1.0  # one row has no covariance
    zeros = columns - len(values)
    losses = []
    for s in _CANDIDATE_SHRINKAGES:
        eigen = (1 - s) * values * rows / (rows - 1) + s
        log_det = np.log(eigen).sum() + zeros * np.log(s)
        away = float((values / eigen).sum())  # mean over the rows of δᵀ A⁻¹ δ
        left = 1 - (1 - s) * rows / (rows - 1) ** 2 * away
        if left <= 0:
            losses.append(np.inf)
            continue
        losses.append(log_det + np.log(left) + (rows / (rows - 1)) ** 2 * away / left)
    return float(_CANDIDATE_SHRINKAGES[int(np.argmin(losses))])


def _spectrum(scatter: Covariance) -> tuple[FloatArray, int]:
    """Eigenvalues of the correlations of the columns that vary, zeros possibly omitted, and the number of these columns."""
    live = scatter.columns(scatter.live)
    values = live.spectrum(np.sqrt(live.variances))
    return np.maximum(values, 0.0), len(scatter.live)
