"""The baseline that uses no column."""

from typing import Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.numerics.arrays import FloatArray


class PriorOnly:
    """Predicts the class shares for every row."""

    def fit(self, X: TableLike, y: LabelsLike) -> Self:
        self.classes_, count = np.unique(y, return_counts=True)
        self._share = (count + 1.0) / (count + 1.0).sum()
        return self

    def predict_proba(self, X: TableLike) -> FloatArray:
        return np.tile(self._share, (len(X), 1))
