"""More columns than rows: L-BFGS over the weights, each vector of weights represented as a combination of rows.

Every gradient of a penalised linear model is a sum of rows, Xᵀα, and so are all weights reached by gradient steps from
zero. They are stored as α with their scores XXᵀα, both (rows, classes): the inner product of two vectors is that of α of
one with the scores of the other, and the loss is a function of the scores. Only a gradient needs products with X, one with
X and one with its transpose.
"""

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from suffice.estimators.linear_model.logistic.problem import Batch, LogisticProblem
from suffice.estimators.linear_model.logistic.wide import typical_curvature
from suffice.numerics import softmax
from suffice.numerics.arrays import FloatArray, SparseRows, inner
from suffice.numerics.directions import LBFGS
from suffice.numerics.softmax import Targets


def in_fewer_cells(problem: LogisticProblem, x: SparseRows) -> bool:
    """Whether vectors over the rows, and the transpose, take less memory than vectors over the weights."""
    row = softmax.stride(problem.classes)
    return 2 * x.nnz + 32 * problem.rows * row < 16 * problem.features * row


class RowSpace:
    """The problem as a function of (α, scores), the last row of both being the intercept of centred columns.

    With X̄ the centred rows and w their shares of the weight, Σ w X̄ = 0. A multiple of w may therefore be subtracted from α
    so that it sums to zero, and Xᵀα = X̄ᵀα; and X̄ v is X v minus its mean. So X is not centred explicitly.
    """

    turn = 0.2

    def __init__(self, problem: LogisticProblem, batch: Batch) -> None:
        assert not isinstance(batch.x, np.ndarray)
        self.problem = problem
        self.targets = Targets(batch.y, batch.weight, problem.class_weight, problem.classes)
        # two classes share one vector of weights v: −v/2 and v/2 have half its square
        self.ridge = float(problem.ridge[0]) * (2.0 if problem.classes == 2 else 1.0)
        self._x, self._transposed = batch.x, sp.csr_array(batch.x.T.tocsr())
        self.reach = float(np.abs(batch.x.data).max(initial=0.0))
        weight = problem.class_weight[batch.y] * (1.0 if batch.weight is None else batch.weight)
        self._share = weight / problem.total if problem.intercept else np.zeros_like(weight)
        curvature = typical_curvature(problem)
        self._least = self.ridge + curvature / problem.total
        self.intercept_scale = (self._least / curvature) ** 0.5
        self._weights = np.zeros((problem.features, softmax.stride(problem.classes)))

    def flat(self, table: FloatArray) -> FloatArray:
        """Zero weights and the intercept of a table of differences as a starting point."""
        out = np.zeros((2, self.problem.rows + 1, self._weights.shape[1]))
        intercept = np.insert(table[-1], 0, 0.0)
        out[:, -1, : self.problem.classes] = (intercept - intercept.mean()) / self.intercept_scale
        return out

    def table(self, x: FloatArray) -> FloatArray:
        """The weights as differences to those of the first class."""
        weights = self.weights(x[0, :-1])
        classes = slice(1, self.problem.classes)
        out = np.empty((len(weights) + 1, self.problem.classes - 1))
        np.subtract(weights[:, classes], weights[:, :1], out=out[:-1])
        # scores are of centred columns; the shift is the same for every row
        intercept = x[0, -1] * self.intercept_scale + x[1, 0] - (self._x[[0]] @ weights)[0]
        out[-1] = intercept[classes] - intercept[0]
        return out

    def point(self, x: FloatArray) -> "RowPoint":
        return RowPoint(self, x)

    def direction_rule(self) -> LBFGS:
        return LBFGS(_dot, first=1.0 / self._least)

    def weights(self, alpha: FloatArray) -> FloatArray:
        """X̄ᵀα, in a reused buffer."""
        centred = alpha - self._share[:, None] * alpha.sum(axis=0)
        softmax.product(self._transposed, centred, self._weights, self.problem.threads)
        return self._weights

    def scores(self) -> FloatArray:
        """X times the weights in that buffer."""
        out = np.empty((self.problem.rows, self._weights.shape[1]))
        softmax.product(self._x, self._weights, out, self.problem.threads)
        return out

    def centred_scores(self) -> FloatArray:
        """X̄ times the weights in that buffer."""
        out = self.scores()
        out -= self._mean(out)
        return out

    def _mean(self, scores: FloatArray) -> FloatArray:
        return np.einsum("r,rk->k", self._share, scores)


class RowPoint:
    """A point in a row space, with its loss; the gradient is computed lazily."""

    def __init__(self, space: RowSpace, x: FloatArray) -> None:
        self.x, self._space = x, space
        weights, scores, total = x[0, :-1], x[1, :-1], space.problem.total
        residuals = scores + x[1, -1] * space.intercept_scale
        loss = softmax.to_residuals(residuals, space.targets, space.problem.threads)
        self.value = loss / total + 0.5 * space.ridge * inner(weights, scores)
        residuals /= total
        self._slant = residuals.sum(axis=0) if space.problem.intercept else np.zeros(residuals.shape[1])
        residuals += space.ridge * weights
        self._alpha = np.vstack([residuals, self._slant * space.intercept_scale])

    def slope(self, direction: FloatArray) -> float:
        return inner(self._alpha, direction[1])

    @property
    def gradient(self) -> FloatArray:
        return self._gradient_and_size[0]

    @property
    def size(self) -> float:
        return self._gradient_and_size[1]

    @cached_property
    def _gradient_and_size(self) -> tuple[FloatArray, float]:
        weights, slant = self._space.weights(self._alpha[:-1]), float(np.abs(self._slant).max())
        # an upper bound of the derivatives for uncentred columns
        size = max(float(weights.max()), -float(weights.min())) + self._space.reach * slant
        return np.stack([self._alpha, np.vstack([self._space.centred_scores(), self._alpha[-1]])]), max(size, slant)


def _dot(a: FloatArray, b: FloatArray) -> float:
    return inner(a[0], b[1])
