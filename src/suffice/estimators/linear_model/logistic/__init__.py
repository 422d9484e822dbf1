"""Logistic regression.

``estimator`` is the face, ``arguments`` what it may be asked for, ``batches`` where the rows come from, ``problem`` what is
minimised over them, ``solve`` how. There are three ways to write the weights: ``narrow`` for few of them, ``wide`` for
many, ``row_space`` where there are more columns than rows. ``start`` says where to begin.
"""

from suffice.estimators.linear_model.logistic.estimator import LogisticRegression

__all__ = ["LogisticRegression"]
