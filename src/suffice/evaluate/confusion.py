"""Confusion matrices."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.columns.inputs import LabelsLike
from suffice.columns.labels import plain_labels
from suffice.errors import DataError, quoted
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Confusion:
    """``count[i, a]`` is the number of rows of class i with prediction a."""

    classes: AnyArray
    predictions: AnyArray
    """The classes, then other predictions, such as REJECT."""
    count: IntArray

    @property
    def answers(self) -> AnyArray:
        """Deprecated name of ``predictions``."""
        warnings.warn("answers is deprecated: use predictions.", FutureWarning, stacklevel=2)
        return self.predictions

    @property
    def recall(self) -> FloatArray:
        """Share of the rows of each class that were predicted as it; NaN without such rows."""
        return self._share(self.count.sum(axis=1))

    @property
    def precision(self) -> FloatArray:
        """Share of the predictions of each class that are correct; NaN without such predictions."""
        return self._share(self.count[:, : len(self.classes)].sum(axis=0))

    @property
    def f1(self) -> FloatArray:
        """Harmonic mean of precision and recall; 0 where no prediction is correct, NaN without rows and predictions."""
        return self._share((self.count.sum(axis=1) + self.count[:, : len(self.classes)].sum(axis=0)) / 2)

    def _share(self, of: AnyArray) -> FloatArray:
        right = np.diag(self.count[:, : len(self.classes)]).astype(np.float64)
        return np.asarray(np.divide(right, of, out=np.full(len(right), np.nan), where=of > 0))


def confusion(y: LabelsLike, predictions: Any, classes: LabelsLike = None) -> Confusion:
    """Count the predictions for the rows of each class. ``classes`` sets their order, by default that of the sorted labels.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes.
    predictions : array-like of shape (n_rows,)
        The predicted classes or actions.
    classes : sequence of labels or None, default=None
        Their order.

    Returns
    -------
    Confusion
        Counts by class and prediction.

    Examples
    --------
    >>> table = confusion(["a", "a", "b"], ["a", "b", "reject"], ["a", "b"])
    >>> table.predictions.tolist(), table.count.tolist()
    (['a', 'b', 'reject'], [[1, 1, 0], [0, 0, 1]])
    """
    truth, given = (plain_labels(v).tolist() for v in (y, predictions))
    if len(truth) != len(given) or not truth:
        raise DataError(
            f"There are {len(truth)} labels and {len(given)} predictions", "one prediction per label is needed"
        )
    known = sorted(set(truth)) if classes is None else plain_labels(classes).tolist()
    unknown = sorted({v for v in truth if v not in known}, key=str)
    if unknown:
        raise DataError(f"The labels include {quoted(unknown)}", f"the classes are {quoted(known)}")
    actions = [*known, *sorted({a for a in given if a not in known}, key=str)]
    row, column = ({v: i for i, v in enumerate(names)} for names in (known, actions))
    count = np.zeros((len(known), len(actions)), dtype=np.int64)
    np.add.at(count, ([row[v] for v in truth], [column[v] for v in given]), 1)
    return Confusion(plain_labels(known), np.array(actions, dtype=object), count)
