"""Labels that may be wrong: rows sorted by the leave-one-out probability of their label."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.labels import Label
from suffice.evaluate.assessment import Assessment
from suffice.evaluate.leave_one_out import leave_one_out
from suffice.evaluate.losses import log_losses
from suffice.numerics.arrays import FloatArray, IntArray

_SHOWN_ROWS = 10


class Suspect(NamedTuple):
    """One row, its label, and the most probable other label, with their leave-one-out probabilities."""

    row: int
    label: Label
    probability: float
    instead: Label
    instead_probability: float


@dataclass(frozen=True, eq=False)
class Suspects:
    """All rows in increasing order of the leave-one-out probability of their label."""

    assessment: Assessment

    @cached_property
    def log_probability(self) -> FloatArray:
        """log p(own label | cells, the other rows), in the order of the table."""
        return -log_losses(self.assessment.codes, self.assessment.log_posterior)

    @cached_property
    def rows(self) -> IntArray:
        """The row indices, the least probable label first."""
        return np.argsort(self.log_probability, kind="stable")

    @property
    def disputed(self) -> int:
        """Number of rows with another label of higher probability."""
        return int((self.assessment.log_posterior.argmax(axis=1) != self.assessment.codes).sum())

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Suspect:
        """The row at a position in the order."""
        row = int(self.rows[place])
        found = self.assessment
        own, log_p = int(found.codes[row]), found.log_posterior[row]
        other = int(np.where(np.arange(len(log_p)) == own, -np.inf, log_p).argmax())
        p = np.exp(log_p)
        return Suspect(row, found.classes[own], float(p[own]), found.classes[other], float(p[other]))

    def __str__(self) -> str:
        first = (self[i] for i in range(min(_SHOWN_ROWS, len(self))))
        lines = [
            f"row {one.row}: {one.label!r} {one.probability:.3g}, {one.instead!r} {one.instead_probability:.3g}"
            for one in first
        ]
        title = (
            f"{self.disputed} of {len(self)} rows have a label less probable than another; the least probable labels:"
        )
        return "\n".join([title, *lines])


def suspects(estimator: Any, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Suspects:
    """Rows sorted by the probability of their label under a model without them, the least probable first.

    Probabilities are those of ``leave_one_out``: a textbook model has them in closed form, the default from one fit. So
    auditing a table takes about as long as one fit.

    Parameters
    ----------
    estimator : classifier or None
        A classifier of suffice with additive statistics; by default ``BayesClassifier()``. If it is fitted, it must have
        learned the rows; of an unfitted one, a copy is fitted to them.
    X, y
        The rows and their labels, or the name of the column with the labels.
    sample_weight : array-like of shape (n_rows,) or None, default=None
        Weights of the rows.

    Returns
    -------
    Suspects
        All rows, the least probable label first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[7] = 2  # a setosa
    >>> found = suspects(None, X, y)
    >>> found[0].row, found[0].label, found[0].instead
    (7, 2, 0)
    """
    return Suspects(leave_one_out(estimator, X, y, sample_weight))
