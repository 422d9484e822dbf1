"""Multinomial cross-entropy over linear scores: loss, gradient and curvature at a table of weights.

A table has a row for each feature and a last one for the intercept. It has a column for each class, or for each but the first,
whose score is then zero, and is padded with columns of zeros to a multiple of four.
"""

from dataclasses import dataclass

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import AnyArray, AnyRows, CodeArray, FloatArray, SparseRows
from suffice.numerics.kernels import check_rows, check_sparse, class_weights


@dataclass(frozen=True)
class Targets:
    """The class of each row, its weight (``None``: one), the weight of each class, and the number of columns of a table."""

    y: CodeArray
    weight: FloatArray | None
    class_weight: FloatArray
    columns: int

    def total(self, threads: int) -> float:
        """The total weight of the rows."""
        return float(class_weights(self.y, len(self.class_weight), self.weight, threads) @ self.class_weight)

    def check(self, rows: int, features: int, table: FloatArray) -> None:
        check_rows("x", rows, self.y, self.weight)
        if table.shape != (features, stride(self.columns)):
            raise ValueError(f"{features} rows of {self.columns} columns do not fit a table of shape {table.shape}")
        if len(self.class_weight) - self.columns not in (0, 1):
            raise ValueError(f"{self.columns} columns of scores do not fit {len(self.class_weight)} classes")


def stride(columns: int) -> int:
    """The number of columns of a padded table: one, or a multiple of four."""
    return 1 if columns == 1 else -(-columns // 4) * 4


def padded(columns: FloatArray) -> FloatArray:
    """The columns as a table, padded with zeros."""
    out = np.zeros((len(columns), stride(columns.shape[1])))
    out[:, : columns.shape[1]] = columns
    return out


def loss_and_gradient(x: AnyRows, targets: Targets, table: FloatArray, threads: int) -> tuple[float, FloatArray]:
    """Σ_r w_r (−log p_r[y_r]) and its gradient, of the shape of the table; w_r is the product of row and class weight."""
    if not isinstance(x, np.ndarray):
        return sparse_loss_and_gradient(x, targets, None, table, threads)
    targets.check(x.shape[0], x.shape[1] + 1, table)
    gradient = np.empty_like(table)
    y, weight, class_weight, columns = targets.y, targets.weight, targets.class_weight, targets.columns
    return _kernels.softmax_loss(x, y, weight, class_weight, table, columns, gradient, threads), gradient


def sparse_loss_and_gradient(
    x: SparseRows, targets: Targets, offset: FloatArray | None, table: FloatArray, threads: int
) -> tuple[float, FloatArray]:
    """``loss_and_gradient`` for sparse rows, with an optional offset of the scores, (rows, stride)."""
    targets.check(x.shape[0], x.shape[1] + 1, table)
    check_sparse(x)
    if offset is not None and offset.shape != (x.shape[0], table.shape[1]):
        raise ValueError(f"{x.shape[0]} rows of a table {table.shape} do not fit other scores of shape {offset.shape}")
    gradient = np.empty_like(table)
    loss = _kernels.sparse_softmax_loss(
        x.data, x.indices, x.indptr, targets.y, targets.weight, targets.class_weight, offset, table, targets.columns,
        gradient, threads,
    )  # fmt: skip
    return loss, gradient


def curvature(x: AnyArray, targets: Targets, table: FloatArray, threads: int) -> FloatArray:
    """The Hessian of the loss over the cells of ``table[:, :columns]``, in row-major order."""
    targets.check(x.shape[0], x.shape[1] + 1, table)
    side = len(table) * targets.columns
    out = np.empty((side, side))
    _kernels.softmax_curvature(x, targets.y, targets.weight, targets.class_weight, table, targets.columns, out, threads)
    return out


def to_residuals(scores: FloatArray, targets: Targets, threads: int) -> float:
    """The loss of rows with these scores, which are overwritten with its derivatives with respect to them."""
    targets.check(len(scores), len(scores), scores)
    return _kernels.softmax_residuals(scores, targets.y, targets.weight, targets.class_weight, targets.columns, threads)


def product(x: SparseRows, table: FloatArray, out: FloatArray, threads: int) -> None:
    """out = x · table, where the table may have more rows than x has columns."""
    if len(table) < x.shape[1] or out.shape != (x.shape[0], table.shape[1]) or table.shape[1] % 4:
        raise ValueError(f"a {x.shape} matrix, a {table.shape} table and {out.shape} products do not fit together")
    check_sparse(x)
    _kernels.sparse_product(x.data, x.indices, x.indptr, table, out, threads)
