"""Fitting to sources and prediction on them: streamed rows, or rows on a cluster.

``learning`` loads Arrow, so it is loaded when the first source comes along.
"""

from suffice.estimators.sourced.answers import AnswersSources, in_parts

__all__ = ["AnswersSources", "in_parts"]
