"""Text through the scikit-learn face."""

from suffice.estimators.text.count_vectorizer import CountVectorizer

__all__ = ["CountVectorizer"]
