"""Text: a drop-in for scikit-learn's ``CountVectorizer``, and what can be done to tokens before they are counted."""

from suffice.columns.normalisers import FoldAccents, Stem, StopWords
from suffice.estimators.text import CountVectorizer

__all__ = ["CountVectorizer", "FoldAccents", "Stem", "StopWords"]
