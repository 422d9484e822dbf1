"""Design matrices of tables, for classifiers of numeric matrices."""

from suffice.estimators.designed.classifier import Designed
from suffice.estimators.designed.design import Design

__all__ = ["Design", "Designed"]
