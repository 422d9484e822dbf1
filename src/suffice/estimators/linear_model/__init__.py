"""Models that are linear in the columns."""

from suffice.estimators.linear_model.least_squares import LeastSquaresClassifier
from suffice.estimators.linear_model.linear_gaussian import LinearGaussianRegressor

__all__ = ["LeastSquaresClassifier", "LinearGaussianRegressor"]
