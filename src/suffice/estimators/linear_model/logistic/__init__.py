"""Logistic regression.

``estimator`` is the scikit-learn interface, ``arguments`` validates parameters, ``batches`` provides rows, ``problem``
is the objective and ``solve`` minimises it. Weights have three parametrisations: ``narrow`` for few weights, ``wide``
for many, ``row_space`` for more columns than rows. ``start`` has starting points.
"""

from suffice.estimators.linear_model.logistic.estimator import LogisticRegression

__all__ = ["LogisticRegression"]
