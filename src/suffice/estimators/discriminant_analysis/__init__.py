"""scikit-learn's discriminant analysis: its arguments, attributes and predictions, from additive statistics.

Beyond scikit-learn they accept sample weights and NaN as a missing cell, and have ``partial_fit``, ``merge``,
``forget`` and ``decay``.
"""

from suffice.estimators.discriminant_analysis.linear import LinearDiscriminantAnalysis
from suffice.estimators.discriminant_analysis.quadratic import QuadraticDiscriminantAnalysis

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
