"""Covariance matrices in two forms, whole or as a diagonal plus a few outer products, with one set of operations.

A column with zero variance is silent: distances and determinants ignore it.
"""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.numerics.covariances.base import Covariance as Covariance
    from suffice.numerics.covariances.base import Matrix as Matrix
    from suffice.numerics.covariances.low_rank import LowRank as LowRank
    from suffice.numerics.covariances.low_rank import Span as Span
    from suffice.numerics.covariances.stack import Stack as Stack
    from suffice.numerics.covariances.whole import Whole as Whole

_HOMES = {
    "Covariance": "base",
    "Matrix": "base",
    "LowRank": "low_rank",
    "Span": "low_rank",
    "Stack": "stack",
    "Whole": "whole",
}

if not TYPE_CHECKING:
    __all__ = list(_HOMES)
    __getattr__, __dir__ = lazy_names(__name__, _HOMES)
