"""Linear models: least squares, and a drop-in replacement for ``sklearn.linear_model.LogisticRegression``."""

from suffice.estimators.linear_model import LeastSquaresClassifier, LinearGaussianRegressor, LogisticRegression

__all__ = ["LeastSquaresClassifier", "LinearGaussianRegressor", "LogisticRegression"]
