"""A classifier of numeric matrices, applied to tables."""

import copy
import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.columns.schema import Schema
from suffice.errors import DataError
from suffice.estimators.designed.design import Design
from suffice.estimators.intake import set_names
from suffice.estimators.savable import Savable
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.sources import open_table


class DesignMatrixClassifier(Savable, ClassifierMixin, BaseEstimator):
    """A classifier on a ``Design`` fitted to the same rows."""

    classes_: AnyArray
    class_prior_: FloatArray
    """The class shares, weighted by the classifier's ``class_weight``: the prior in its posteriors."""
    schema_: Schema | None
    """The schema of the training files, applied to later files."""

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def fit(self, X: TableLike, y: LabelsLike, schema: Schema | None = None) -> Self:
        """Fit the design matrix and the classifier; ``schema`` is that of the training files."""
        self.schema_ = schema
        table = open_table(X)
        self.design_ = Design.of(table)
        set_names(self, table.names)
        self.classifier_ = copy.deepcopy(self.classifier)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a lack of convergence shows in the scores
            self.classifier_.fit(self._matrix(table), y)
        self.classes_, count = np.unique(np.asarray(y), return_counts=True)
        self.class_prior_ = _weighted(count, self.classes_, getattr(self.classifier, "class_weight", None))
        return self

    def predict_proba(self, X: TableLike) -> FloatArray:
        """p(class | row), (rows, classes)."""
        return np.asarray(self.classifier_.predict_proba(self._matrix(open_table(X))), dtype=np.float64)

    def predict_log_proba(self, X: TableLike) -> FloatArray:
        """log p(class | row), (rows, classes)."""
        return np.asarray(self.classifier_.predict_log_proba(self._matrix(open_table(X))), dtype=np.float64)

    def predict(self, X: TableLike) -> AnyArray:
        """The most probable class of each row."""
        answers: AnyArray = self.classes_.take(self.predict_proba(X).argmax(axis=1))
        return answers

    def _matrix(self, table: Any) -> Any:
        absent = [name for name in getattr(self, "feature_names_in_", ()) if name not in table.names]
        if absent:
            raise DataError(f"The rows have no column {absent[0]!r}", "the model was trained with it")
        matrix = self.design_.matrix(table)
        dense = not getattr(self.classifier_.__sklearn_tags__().input_tags, "sparse", True)
        return matrix.toarray() if dense and hasattr(matrix, "toarray") else matrix


def _weighted(count: AnyArray, classes: AnyArray, class_weight: Any) -> FloatArray:
    if class_weight == "balanced":
        return np.full(len(count), 1.0 / len(count))
    factor = [1.0 if class_weight is None else class_weight.get(label, 1.0) for label in classes.tolist()]
    return np.asarray(count * factor / (count @ np.asarray(factor)), dtype=np.float64)
