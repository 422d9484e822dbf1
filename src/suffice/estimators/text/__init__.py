"""Text through the scikit-learn interface."""

from suffice.estimators.text.count_vectorizer import CountVectorizer

__all__ = ["CountVectorizer"]
