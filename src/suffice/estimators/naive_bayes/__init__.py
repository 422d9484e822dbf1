"""scikit-learn's naive Bayes classifiers: its constructor arguments, attributes and answers over our statistics.

Beyond scikit-learn they take NaN for a missing cell, merge, forget and decay, and ``partial_fit`` gives what ``fit`` gives.
"""

from suffice.estimators.naive_bayes.categorical import CategoricalNB
from suffice.estimators.naive_bayes.discrete import BernoulliNB, ComplementNB, MultinomialNB, PoissonNB
from suffice.estimators.naive_bayes.gaussian import GaussianNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB", "PoissonNB"]
