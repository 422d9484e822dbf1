"""More columns than rows: L-BFGS over the weights, each vector of weights written as a combination of the rows.

Every gradient of a penalised linear model is a sum of rows, Xᵀα, and so is every vector of weights that is reached by
following gradients from zero. It is kept as α together with its scores XXᵀα, both with a row of classes for each row of X:
the inner product of two vectors is that of one's α with the other's scores, and the loss at a place comes from scores
that are there already. Only a gradient asks for products with X, one with it and one with its transpose.
"""

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from suffice.estimators.linear_model.logistic.problem import Batch, Problem
from suffice.estimators.linear_model.logistic.wide import typical_curvature
from suffice.numerics import kernels, softmax
from suffice.numerics.arrays import FloatArray, SparseRows, inner
from suffice.numerics.compasses import Memory
from suffice.numerics.softmax import Targets, stride


def in_fewer_cells(problem: Problem, x: SparseRows) -> bool:
    """Whether vectors over the rows, and the transpose, take less room than vectors over the weights."""
    row = stride(problem.classes)
    return 2 * x.nnz + 32 * problem.rows * row < 16 * problem.features * row


class RowSpace:
    """The problem as a function of (α, scores), the last row of both being the intercept of the centred columns."""

    turn = 0.2

    def __init__(self, problem: Problem, batch: Batch) -> None:
        assert not isinstance(batch.x, np.ndarray)
        self.problem = problem
        self.targets = Targets(batch.y, batch.weight, problem.class_weight, problem.classes)
        # two classes share one vector of weights w: −w/2 and w/2 have half its square
        self.ridge = float(problem.ridge[0]) * (2.0 if problem.classes == 2 else 1.0)
        self._x, self._transposed = batch.x, sp.csr_array(batch.x.T.tocsr())
        sums = kernels.sparse_sums(batch.x, batch.y, problem.classes, batch.weight, None, problem.threads)
        self.mean = problem.class_weight @ sums / problem.total if problem.intercept else np.zeros(problem.features)
        curvature = typical_curvature(problem)
        self._least = self.ridge + curvature / problem.total
        self.intercept_scale = (self._least / curvature) ** 0.5
        self._weights = np.zeros((problem.features + 1, stride(problem.classes)))

    def flat(self, table: FloatArray) -> FloatArray:
        """Zero weights and the intercept of a table of differences as a place to start from."""
        out = np.zeros((2, self.problem.rows + 1, stride(self.problem.classes)))
        intercept = np.insert(table[-1], 0, 0.0)
        out[:, -1, : self.problem.classes] = (intercept - intercept.mean()) / self.intercept_scale
        return out

    def table(self, x: FloatArray) -> FloatArray:
        """The weights as differences to those of the first class."""
        weights = self.weights(x[0])
        out = np.empty((len(weights) + 1, self.problem.classes - 1))
        np.subtract(weights[:, 1 : self.problem.classes], weights[:, :1], out=out[:-1])
        intercept = x[0, -1, : self.problem.classes] * self.intercept_scale
        out[-1] = intercept[1:] - intercept[0] - self.mean @ out[:-1]
        return out

    def point(self, x: FloatArray) -> "RowPoint":
        return RowPoint(self, x)

    def compass(self) -> Memory:
        return Memory(_dot, first=1.0 / self._least)

    def weights(self, alpha: FloatArray) -> FloatArray:
        """(X − mean)ᵀα, in a buffer that is used again."""
        out = self._weights[:-1]
        np.multiply(self.mean[:, None], -alpha[:-1].sum(axis=0), out=out)
        kernels.add_sparse_scores(self._transposed, None, alpha, out, self.problem.threads)
        return out

    def scores(self) -> FloatArray:
        """(X − mean) times the weights in that buffer, and a row to spare."""
        out = np.empty((self.problem.rows + 1, self._weights.shape[1]))
        out[:-1] = -np.einsum("j,jk->k", self.mean, self._weights[:-1])
        kernels.add_sparse_scores(self._x, None, self._weights, out[:-1], self.problem.threads)
        return out


class RowPoint:
    """A place in a row space: its loss is there, its gradient is made when asked for."""

    def __init__(self, space: RowSpace, x: FloatArray) -> None:
        self.x, self._space = x, space
        weights, scores, total = x[0, :-1], x[1, :-1], space.problem.total
        residuals = scores + x[1, -1] * space.intercept_scale
        loss = softmax.to_residuals(residuals, space.targets, space.problem.threads)
        self.value = loss / total + 0.5 * space.ridge * inner(weights, scores)
        residuals /= total
        self._slant = residuals.sum(axis=0) if space.problem.intercept else np.zeros(residuals.shape[1])
        self._alpha = np.vstack([residuals + space.ridge * weights, self._slant * space.intercept_scale])

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
        weights, slant = self._space.weights(self._alpha), float(np.abs(self._slant).max())
        # the derivatives with the columns as they are, not centred, are no larger than this
        size = max(float(weights.max()), -float(weights.min())) + float(np.abs(self._space.mean).max()) * slant
        scores = self._space.scores()
        scores[-1] = self._alpha[-1]
        return np.stack([self._alpha, scores]), max(size, slant)


def _dot(a: FloatArray, b: FloatArray) -> float:
    return inner(a[0], b[1])
