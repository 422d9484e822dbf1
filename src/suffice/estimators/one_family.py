"""Base of the drop-ins: one family for all columns of a matrix, with scikit-learn's interface."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import validate_data

from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.table import Table
from suffice.errors import DataError, NegativeError, ParameterError
from suffice.estimators.intake import check_unnamed, check_width
from suffice.estimators.learner import SufficeLearner, check_declared
from suffice.families.assignment import Block
from suffice.families.base import AnyFamily
from suffice.families.class_prior import ClassPrior
from suffice.numerics.arrays import FloatArray
from suffice.numerics.kernel_arrays import is_aligned
from suffice.sources import open_table


class OneFamily(SufficeLearner):
    """Base of the drop-ins."""

    _sparse = True

    @abstractmethod
    def _family(self) -> AnyFamily:
        """The family of all columns."""

    @abstractmethod
    def _class_prior(self) -> ClassPrior:
        """The prior over the classes."""

    def _settings(self) -> dict[str, Any]:
        return {"prior": self._class_prior(), "rule": "mean"}

    def _blocks(self, table: Table) -> tuple[Block, ...]:
        family = self._family()
        return (Block(table.names, family, family.reads),)

    def _open(self, X: TableLike, *, reset: bool) -> Table:
        simple = (
            type(X) is np.ndarray
            and X.ndim == 2
            and X.dtype.char in "fdlqi"
            and X.dtype.isnative
            and X.size > 0
            and is_aligned(X)
        )
        if simple:
            self._check_names(X.shape[1], reset)
            table: Table = MatrixTable(X)
        else:
            sparse = "csr" if self._sparse else False
            X = validate_data(self, X, accept_sparse=sparse, ensure_all_finite="allow-nan", reset=reset)
            table = open_table(X)
            if not isinstance(table, MatrixTable):
                raise DataError(
                    "X holds text",
                    f"{type(self).__name__} needs numbers",
                    "Encode it, or use BayesClassifier, which takes text",
                )
        assert isinstance(table, MatrixTable)
        if reset:
            self._was_single = table.values.dtype == np.float32
        return table

    def _check_names(self, columns: int, reset: bool) -> None:
        """Warn about the missing names of a plain array."""
        if not reset:
            check_width(self, columns)
            check_unnamed(self)
            return
        self.n_features_in_ = columns
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Fit to a matrix and its labels, discarding what was learned before."""
        with self._all_or_nothing(), self._sklearn_errors():
            table, labels, weight = self._rows(X, y, sample_weight, reset=True)
            return self._set_model(self._start(table, labels, weight, declared=labels.classes))

    def partial_fit(self, X: TableLike, y: LabelsLike, classes: Any = None, sample_weight: WeightsLike = None) -> Self:
        """Learn more rows. ``classes``, the list of all classes, is required on the first call."""
        first = not hasattr(self, "model_")
        declared = check_declared(classes)
        if first and not declared:
            raise ParameterError("classes must be passed on the first call to partial_fit")
        if not first and classes is not None and sorted(classes) != list(self.classes_):
            raise ParameterError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        with self._all_or_nothing(), self._sklearn_errors():
            table, labels, weight = self._rows(X, y, sample_weight, reset=first)
            allowed = declared if first else self.model_.classes
            unknown = [c for c in labels.classes if c not in allowed]
            if unknown:
                raise DataError(
                    f"The target label(s) {unknown} in y do not exist in the initial classes {list(allowed)}"
                )
            if first:
                return self._set_model(self._start(table, labels, weight, declared))
            self._label_dtype = self.classes_.dtype
            return self._set_model(self.model_.learn(table, labels, weight, self._threads()))

    @contextmanager
    def _sklearn_errors(self) -> Iterator[None]:
        """Rephrase the error for negative values as scikit-learn does."""
        try:
            yield
        except NegativeError as error:
            raise self._negative(error) from None

    def _negative(self, error: NegativeError) -> DataError:
        return DataError(f"Negative values in data passed to {type(self).__name__} (input X). {error}")

    @property
    def _dtype(self) -> Any:
        """The dtype of fitted attributes: single precision if the training rows had it."""
        return np.float32 if self._was_single else np.float64

    @property
    def _statistic(self) -> Any:
        self._check_fitted()
        return self.model_.tally.statistics[0]

    @property
    def _density(self) -> Any:
        self._check_fitted()
        return self.model_.densities[0]

    @property
    def class_count_(self) -> FloatArray:
        """Weight of the rows of each class."""
        return self.model_.tally.weight

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse
        tags.input_tags.allow_nan = True
        return tags
