"""scikit-learn's naive Bayes classifiers: its arguments, attributes and results, from sufficient statistics.

Beyond scikit-learn they accept NaN as a missing cell, have ``merge``, ``forget`` and ``decay``, and ``partial_fit`` equals
``fit``.
"""

from suffice.estimators.naive_bayes.categorical import CategoricalNB
from suffice.estimators.naive_bayes.discrete import BernoulliNB, ComplementNB, MultinomialNB, PoissonNB
from suffice.estimators.naive_bayes.gaussian import GaussianNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB", "PoissonNB"]
