"""Fitting to sources and prediction on them: streamed rows, or rows on a cluster.

``learning`` imports Arrow, so it is imported when the first source is used.
"""

from suffice.estimators.sourced.answers import AnswersSources, in_parts

__all__ = ["AnswersSources", "in_parts"]
