"""Covariance matrices in two forms, whole or as a diagonal plus a few outer products, with one set of operations.

A column with a variance of zero is silent: it takes no part in distances and determinants.
"""

from suffice.numerics.covariances.base import Covariance, Matrix
from suffice.numerics.covariances.low_rank import LowRank, Span
from suffice.numerics.covariances.stack import Stack
from suffice.numerics.covariances.whole import Whole

__all__ = ["Covariance", "LowRank", "Matrix", "Span", "Stack", "Whole"]
