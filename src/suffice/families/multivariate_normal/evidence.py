"""The marginal likelihood of correlated columns under the normal-inverse-Wishart prior."""

from collections.abc import Sequence

import numpy as np
from scipy import special

from suffice.numerics.arrays import FloatArray
from suffice.numerics.covariances import Covariance


def log_evidence(n: FloatArray, kappa0: float, nu0: float, before: Covariance, after: Sequence[Covariance]) -> float:
    """log p of n rows a class, means and covariances integrated out.

    ``before`` is the scale matrix of the prior, ``after`` that of the posterior: one for each class, or one that all share.
    """
    columns = before.rank
    rows = n if len(after) > 1 else n.sum(keepdims=True)
    total = 0.5 * columns * float(np.log(kappa0 / (kappa0 + n)).sum()) - 0.5 * columns * float(n.sum()) * np.log(np.pi)
    for matrix, many in zip(after, rows, strict=True):
        nu = nu0 + float(many)
        total += special.multigammaln(nu / 2, columns) - special.multigammaln(nu0 / 2, columns)
        total += 0.5 * nu0 * before.log_det - 0.5 * nu * matrix.log_det
    return float(total)
