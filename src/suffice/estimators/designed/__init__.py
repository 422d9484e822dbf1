"""Tables of any kind for classifiers that take a matrix of numbers."""

from suffice.estimators.designed.classifier import Designed
from suffice.estimators.designed.design import Design

__all__ = ["Design", "Designed"]
