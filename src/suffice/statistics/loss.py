"""Loss, gradient and curvature of a softmax model at given weights: additive, as sums over rows.

They are not part of a tally: they depend on the weights, and are not by class.
"""

from dataclasses import dataclass

from suffice.numerics import softmax
from suffice.numerics.arrays import AnyArray, AnyRows, FloatArray, frozen
from suffice.numerics.softmax import Targets


@dataclass(frozen=True, eq=False)
class LossGradient:
    """``loss`` = Σ w (−log p(y | x)) and ``gradient``, its derivatives with respect to the table of weights.

    >>> import numpy as np
    >>> x, y = np.array([[1.0], [2.0], [4.0]]), np.array([0, 1, 1], np.int32)
    >>> table = np.zeros((2, 1))  # a weight and an intercept for the second of two classes
    >>> def taken(rows):
    ...     return LossGradient.of(x[rows], Targets(y[rows], None, np.ones(2), 1), table)
    >>> whole, parts = taken(slice(3)), taken(slice(2)) + taken(slice(2, 3))
    >>> whole.loss == parts.loss, (whole.gradient == parts.gradient).all()
    (True, np.True_)
    """

    loss: float
    gradient: FloatArray

    @classmethod
    def of(cls, x: AnyRows, targets: Targets, table: FloatArray, threads: int = 1) -> "LossGradient":
        loss, gradient = softmax.loss_and_gradient(x, targets, table, threads)
        return cls(loss, frozen(gradient))

    def __add__(self, other: "LossGradient") -> "LossGradient":
        return LossGradient(self.loss + other.loss, frozen(self.gradient + other.gradient))


@dataclass(frozen=True, eq=False)
class Curvature:
    """The Hessian ``matrix`` over the cells of the table, and the total ``weight`` of its rows."""

    weight: float
    matrix: FloatArray

    @classmethod
    def of(cls, x: AnyArray, targets: Targets, table: FloatArray, threads: int = 1) -> "Curvature":
        return cls(targets.total(threads), frozen(softmax.curvature(x, targets, table, threads)))

    def __add__(self, other: "Curvature") -> "Curvature":
        return Curvature(self.weight + other.weight, frozen(self.matrix + other.matrix))

    @property
    def mean(self) -> FloatArray:
        return self.matrix / (self.weight or 1.0)


@dataclass(frozen=True, eq=False)
class LossAndCurvature:
    """Loss, gradient and curvature at the same weights, for rows that are more expensive to read than to sum."""

    loss: LossGradient
    curvature: Curvature

    def __add__(self, other: "LossAndCurvature") -> "LossAndCurvature":
        return LossAndCurvature(self.loss + other.loss, self.curvature + other.curvature)
