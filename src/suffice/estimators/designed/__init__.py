"""Design matrices of tables, for classifiers of numeric matrices."""

from suffice.estimators.designed.classifier import DesignMatrixClassifier
from suffice.estimators.designed.design import Design

__all__ = ["Design", "DesignMatrixClassifier"]
