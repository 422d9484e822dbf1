"""Classifiers that take a matrix, brought to tables; and the one that looks at nothing."""

import copy
import warnings
from typing import Any, Self

import numpy as np

from suffice.compare.design import Design
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.sources import open_table


class Outsider:
    """A classifier of numbers under a ``Design`` that is learned from the same rows."""

    classes_: AnyArray

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def fit(self, X: Any, y: Any) -> Self:
        table = open_table(X)
        self._design = Design().fit(table)
        self._fitted = copy.deepcopy(self.classifier)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it did not converge shows in the scores
            self._fitted.fit(self._matrix(table), y)
        self.classes_ = self._fitted.classes_
        return self

    def predict_proba(self, X: Any) -> FloatArray:
        return np.asarray(self._fitted.predict_proba(self._matrix(open_table(X))), dtype=np.float64)

    def _matrix(self, table: Any) -> Any:
        matrix = self._design.transform(table)
        dense = not getattr(self._fitted.__sklearn_tags__().input_tags, "sparse", True)
        return matrix.toarray() if dense and hasattr(matrix, "toarray") else matrix


class PriorOnly:
    """Answers with the shares of the classes, whatever the row."""

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_, count = np.unique(y, return_counts=True)
        self._share = (count + 1.0) / (count + 1.0).sum()
        return self

    def predict_proba(self, X: Any) -> FloatArray:
        return np.tile(self._share, (len(X), 1))
