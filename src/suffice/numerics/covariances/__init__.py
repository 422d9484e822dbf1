"""Covariance matrices stored in full, or as a diagonal plus outer products, with one set of operations.

Distances and determinants ignore columns of zero variance.
"""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.numerics.covariances.base import Covariance as Covariance
    from suffice.numerics.covariances.base import Matrix as Matrix
    from suffice.numerics.covariances.full import FullCovariance as FullCovariance
    from suffice.numerics.covariances.low_rank import LowRankCovariance as LowRankCovariance
    from suffice.numerics.covariances.low_rank import SpanCovariance as SpanCovariance
    from suffice.numerics.covariances.stack import CovarianceStack as CovarianceStack

_LAZY_IMPORTS = {
    "Covariance": "base",
    "Matrix": "base",
    "LowRankCovariance": "low_rank",
    "SpanCovariance": "low_rank",
    "CovarianceStack": "stack",
    "FullCovariance": "full",
}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
