"""Learning from sources, and answering them: rows that pass by, or that stay where they are.

``learning`` loads Arrow, so it is loaded when the first source comes along.
"""

from suffice.estimators.sourced.answers import AnswersSources, in_parts

__all__ = ["AnswersSources", "in_parts"]
