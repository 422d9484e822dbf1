"""Importance of columns: mean absolute evidence, and the increase of the loss without them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.columns.blocks import Levels, Numbers
from suffice.columns.kinds import Name
from suffice.errors import DataError
from suffice.explain.background import Background, FittedClassifier, FoldModels
from suffice.explain.evidence import MAX_EVIDENCE, pairwise_evidence
from suffice.model import Model
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.posterior import log_posterior

_EXPLAINED_ROWS = 1_000


@dataclass(frozen=True, eq=False)
class Importance:
    """Importance of each column of numbers or categories, in decreasing order of evidence."""

    columns: tuple[Name, ...]
    evidence: FloatArray
    """Mean |evidence| for the most probable class against the next, nats."""
    loss: FloatArray
    """Increase of the mean held-out −log p(class) when the column is marginalised. Nothing is refitted."""
    error: FloatArray
    """Standard errors of the increase."""


def importance(estimator: FittedClassifier | Model) -> Importance:
    """Importance of the columns of a model that stores rows, by five-fold cross-validation on them.

    >>> import numpy as np
    >>> from suffice import BayesClassifier
    >>> x = np.random.default_rng(0).normal(size=(500, 2))
    >>> importance(BayesClassifier().fit(x, x[:, 1] > 0)).columns[0]
    1
    """
    left_out = FoldModels.of(estimator)
    if left_out is None:
        raise DataError(
            "The model keeps no rows, or too few of a class",
            "importance is cross-validated on kept rows",
            "Fit with model='full' or 'additive', keep_rows > 0 and more rows; for a textbook model, explain() held-out rows",
        )
    rows = left_out.rows
    columns = [name for cells in rows.read if isinstance(cells, (Numbers, Levels)) for name in cells.names]
    weight = left_out.weight / left_out.weight.sum()
    rises = np.empty((len(columns), rows.rows))
    for k, model in enumerate(left_out.models):
        here = np.flatnonzero(left_out.fold == k)
        rises[:, here] = loss_increases(rows.take(here), model, left_out.y[here], columns)
    rise = rises @ weight
    error = np.sqrt(((rises - rise[:, None]) ** 2) @ weight**2)
    evidence = _evidence(rows.take(slice(0, _EXPLAINED_ROWS)), rows.model, left_out.weight[:_EXPLAINED_ROWS])
    strength = np.array([evidence.get(str(column), 0.0) for column in columns])
    order = np.argsort(-strength, kind="stable")
    return Importance(tuple(columns[i] for i in order), strength[order], rise[order], error[order])


def loss_increases(rows: Background, model: Model, y: CodeArray, columns: Sequence[Name]) -> FloatArray:
    """Increase of −log p(class) of each row when a column is marginalised, (columns, rows); ``y`` has class codes."""
    before = _loss(rows, model, y)
    return np.array([_loss(rows.without(column), model, y) - before for column in columns])


def _loss(rows: Background, model: Model, y: CodeArray) -> FloatArray:
    found = log_posterior(rows.log_joint(model), model.log_prior)
    return np.asarray(np.minimum(-found[np.arange(len(y)), y], MAX_EVIDENCE))


def _evidence(rows: Background, model: Model, weight: FloatArray) -> dict[str, float]:
    names, parts = model.split(rows.read, by_column=True)
    _, _, found = pairwise_evidence(model, parts)
    return dict(zip(names, (weight @ np.abs(found) / weight.sum()).tolist(), strict=True))
