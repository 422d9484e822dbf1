"""The posterior as a softmax of linear scores β_c · φ(x)."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from suffice.columns.inputs import TableLike
from suffice.columns.table import Table
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, FloatArray


@dataclass(frozen=True)
class LinearForm:
    """``beta`` (classes, features) with the names of the features; the first is the constant 1.

    For two classes the posterior of the second is the sigmoid of (β₂ − β₁) · φ(x).
    """

    classes: AnyArray
    names: tuple[str, ...]
    beta: FloatArray
    _model: Model = field(repr=False)
    _open: Callable[[TableLike], Table] = field(repr=False)

    def phi(self, rows: TableLike) -> FloatArray:
        """φ (rows, features) of a table: 1, then indicators and values by name; a missing cell has zeros."""
        table = self._open(rows)
        return np.concatenate([np.ones((table.rows, 1)), *self._model.features(table)], axis=1)

    def scores(self, rows: TableLike) -> FloatArray:
        """β · φ, with 0 · −inf = 0 where a probability is zero."""
        phi = self.phi(rows)
        impossible = np.isneginf(self.beta)
        finite = phi @ np.where(impossible, 0.0, self.beta).T
        return np.where(phi @ impossible.T.astype(np.float64) > 0, -np.inf, finite)


def linear_form(model: Model, classes: AnyArray, open_rows: Callable[[TableLike], Table]) -> LinearForm:
    """β and φ of a model; an error for models with non-linear components.

    An additive model is linear in bins and levels, cells of pairs, missing cells and, by its correlated normals, in normal
    scores and their products. A forest is not linear in any fixed features.
    """
    names: list[str] = ["1"]
    constant = model.log_prior if model.weighted_parts is None else model.log_prior + model.weighted_parts.bias
    parts = [constant[:, None]]
    for block, density in zip(model.blocks, model.densities, strict=True):
        block_names, beta = density.linear_terms(block.columns)
        names += block_names
        parts.append(beta)
    columns = [str(name) for block in model.tables(model.blocks) for name in block.columns]
    for part in () if model.weighted_parts is None else model.weighted_parts.parts:
        part_names, beta = part.linear_terms(columns)
        names += part_names
        parts.append(beta)
    return LinearForm(classes, tuple(names), np.concatenate(parts, axis=1), model, open_rows)
