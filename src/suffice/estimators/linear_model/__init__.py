"""Models that are linear in the columns."""

from suffice.estimators.linear_model.least_squares import LeastSquaresClassifier
from suffice.estimators.linear_model.linear_gaussian import LinearGaussianRegressor
from suffice.estimators.linear_model.logistic import LogisticRegression

__all__ = ["LeastSquaresClassifier", "LinearGaussianRegressor", "LogisticRegression"]
