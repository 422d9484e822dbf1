"""Base class of the learners: fit, merge and forget."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.labelled import Labelled
from suffice.columns.labels import Label, Labels, encode_labels, plain_labels
from suffice.columns.table import Table
from suffice.errors import DataError, MergeError, ParameterError
from suffice.estimators.intake import check_labels, check_weights
from suffice.estimators.savable import Savable
from suffice.families.assignment import Block
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.threads import thread_count
from suffice.statistics import Tally


class SufficeLearner(Savable, BaseEstimator, ABC):
    """Base of the estimators with a class-conditional model. Subclasses define how rows are opened and which model is
    fitted."""

    model_: Model
    classes_: AnyArray

    # — to be implemented by subclasses —

    @abstractmethod
    def _open(self, X: TableLike, *, reset: bool) -> Table:
        """The rows as a table, validated against the columns of ``fit`` unless ``reset``."""

    @abstractmethod
    def _blocks(self, table: Table) -> tuple[Block, ...]:
        """The families of the columns."""

    @abstractmethod
    def _settings(self) -> dict[str, Any]:
        """Prior, rule and the other settings of the model."""

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _check_fitted(self) -> None:
        if "model_" not in self.__dict__:
            check_is_fitted(self)  # raises scikit-learn's NotFittedError

    def _check_not_empty(self) -> None:
        self._check_fitted()
        if self.model_.is_empty:
            raise DataError("The model has forgotten all its rows", "it needs rows to predict from", "Fit it again")

    # — learning —

    def _threads(self) -> int:
        return thread_count(getattr(self, "n_jobs", None))

    def _rows(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike, *, reset: bool
    ) -> tuple[Table, Labels, FloatArray | None]:
        table = self._open(X, reset=reset)
        labels = check_labels(y, table.rows)
        weight = check_weights(sample_weight, table.rows)
        self._label_dtype = labels.dtype
        return table, encode_labels(labels, self._threads()), weight

    def _all_rows(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike
    ) -> tuple[Table, Labels, FloatArray | None]:
        """The rows of a first fit, which has no earlier columns to match."""
        return self._rows(X, y, sample_weight, reset=True)

    def labelled(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Labelled:
        """The table, labels and weights that ``fit`` or ``partial_fit`` would learn from."""
        with self._all_or_nothing():
            known = hasattr(self, "model_")
            rows = self._rows(X, y, sample_weight, reset=False) if known else self._all_rows(X, y, sample_weight)
            return Labelled(*rows)

    def blank_model(self, table: Table) -> Model:
        """An empty model for tables like this one."""
        return Model.blank(self._blocks(table), table, self._threads(), **self._settings())

    def _start(
        self, table: Table, labels: Labels, weight: FloatArray | None, declared: tuple[Label, ...] = ()
    ) -> Model:
        """The model of the first rows; weights are fitted on first use."""
        threads = self._threads()
        model = Model.blank(self._blocks(table), table, threads, declared=declared, **self._settings())
        return model.with_tally(model.count(table, labels, weight, threads))

    def _set_model(self, model: Model) -> Self:
        """Set ``model`` as the fitted model, with its class labels."""
        model.check_prior()  # before anything is changed
        self.model_ = model
        self.classes_ = label_array(model.classes, self._label_dtype)
        self.__dict__.pop("held_out_", None)  # they belong to the previous model
        return self

    def fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Fit to rows and labels, discarding what was learned before."""
        with self._all_or_nothing():
            return self._set_model(self._start(*self._all_rows(X, y, sample_weight)))

    def _all_or_nothing(self) -> AbstractContextManager[None]:
        return all_or_nothing(self)

    def merge(self, other: "SufficeLearner") -> Self:
        """Add the statistics of another model, as if this one had learned those rows too."""
        self._check_fitted()
        if type(self) is not type(other):
            raise MergeError(
                f"A {type(self).__name__} cannot be merged with a {type(other).__name__}", "both must be of one kind"
            )
        other._check_fitted()
        with self._all_or_nothing():
            self._label_dtype = np.result_type(self.classes_.dtype, other.classes_.dtype)
            return self._set_model(self.model_.merged(other.model_))

    def __add__(self, other: "SufficeLearner") -> Self:
        return copy.copy(self).merge(other)

    def forget(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Forget rows, exactly: the result is the model of the remaining rows."""
        self._check_fitted()
        with self._all_or_nothing():
            table, labels, weight = self._rows(X, y, sample_weight, reset=False)
            self._label_dtype = self.classes_.dtype
            return self._set_model(self.model_.forget(table, labels, weight, self._threads()))

    def tally_of(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Tally:
        """The tally of some rows under the blocks of the model, which is not changed."""
        self._check_fitted()
        known = self._label_dtype
        try:
            table, labels, weight = self._rows(X, y, sample_weight, reset=False)
        finally:
            self._label_dtype = known
        return self.model_.count(table, labels, weight, self._threads())

    def forget_tally(self, tally: Tally) -> Self:
        """Subtract the tally of some rows."""
        self._check_fitted()
        with self._all_or_nothing():
            self._label_dtype = self.classes_.dtype
            return self._set_model(self.model_.without(tally))

    def decay(self, factor: float) -> Self:
        """Multiply the weight of all learned rows by ``factor``: below 1, old rows fade."""
        self._check_fitted()
        if isinstance(factor, bool) or not isinstance(factor, Real) or not 0 < float(factor) < np.inf:
            raise ParameterError(f"The factor is {factor!r}", "it must be a positive number")
        return self._set_model(self.model_.decayed(float(factor)))


@contextmanager
def all_or_nothing(estimator: BaseEstimator) -> Iterator[None]:
    """Restore the attributes of the estimator if an error is raised."""
    before = estimator.__dict__.copy()
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise


def label_array(classes: tuple[Label, ...], dtype: Any) -> AnyArray:
    """The labels as an array, of the original dtype if it can represent them all."""
    if dtype.kind == "O":
        out = np.empty(len(classes), dtype=object)
        out[:] = list(classes)
        return out
    labels = np.array(classes)
    same = labels.astype(dtype) if dtype.kind in "iufb" and labels.dtype.kind in "iufb" else labels
    return same if (same == labels).all() else labels


def check_declared(classes: Any) -> tuple[Label, ...]:
    """``classes`` of partial_fit, sorted."""
    if classes is None:
        return ()
    if isinstance(classes, str) or not hasattr(classes, "__len__"):
        raise ParameterError(f"classes is {classes!r}", "it must be a sequence of labels")
    declared = encode_labels(plain_labels(classes)).classes
    if not declared:
        raise DataError("classes is empty", "at least one label is needed")
    return declared
