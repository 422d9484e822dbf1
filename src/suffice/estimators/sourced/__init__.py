"""Fitting to sources and prediction on them: streamed rows, or rows on a cluster.

``learning`` imports Arrow, so it is imported when the first source is used.
"""

from suffice.estimators.sourced.source_predictor import SourcePredictorMixin, in_parts

__all__ = ["SourcePredictorMixin", "in_parts"]
