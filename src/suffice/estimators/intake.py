"""Input validation of the estimators, as scikit-learn's users expect it."""

import warnings
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, column_or_1d

from suffice.columns.inputs import LabelsLike
from suffice.columns.labels import plain_labels
from suffice.errors import DataError, quoted
from suffice.numerics.arrays import AnyArray, FloatArray


def check_labels(y: LabelsLike, rows: int) -> AnyArray:
    """The labels as a one-dimensional array, one a row."""
    if y is None:
        raise DataError("This estimator requires y to be passed, but the target y is None", "one label a row is needed")
    if isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "iub":
        labels: AnyArray = y
    else:
        labels = column_or_1d(plain_labels(y), warn=True)
        if labels.dtype.kind == "f":
            assert_all_finite(labels, input_name="y")
            check_classification_targets(labels)
    if len(labels) != rows:
        raise DataError(f"The table has {rows} rows but there are {len(labels)} labels", "one label a row is needed")
    return labels


def check_weights(weight: Any, rows: int) -> FloatArray | None:
    """Weights as an array of numbers ≥ 0, not all zero; None where every row counts once."""
    if weight is None:
        return None
    values = weight_values(weight, rows)
    if not values.any():
        raise no_weight()
    return values


def no_weight() -> DataError:
    return DataError("All weights are zero", "sample_weight must leave at least one row")


def weight_values(weight: Any, rows: int) -> FloatArray:
    """Weights as an array of numbers ≥ 0, one a row."""
    try:
        values = np.asarray(weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"sample_weight is {weight!r}", "weights must be numbers ≥ 0") from None
    values = np.full(rows, values) if values.ndim == 0 else np.ascontiguousarray(values)
    if values.shape != (rows,):
        raise DataError(f"sample_weight has shape {values.shape}", f"one weight for each of the {rows} rows is needed")
    wrong = int(np.count_nonzero(~(values >= 0) | (values > 1e100)))
    if wrong:
        raise DataError(
            f"sample_weight has {wrong} values that are negative, NaN or beyond 1e100", "weights must be numbers ≥ 0"
        )
    return values


def check_shape(rows: int, columns: int) -> None:
    """Refuse a table without rows or without columns."""
    for count, what in ((rows, "sample(s)"), (columns, "feature(s)")):
        if count == 0:
            raise DataError(f"Found array with 0 {what} (shape=({rows}, {columns})) while a minimum of 1 is required")


def check_width(estimator: Any, columns: int) -> None:
    """Refuse rows of another width than those of ``fit``."""
    if columns != estimator.n_features_in_:
        raise DataError(
            f"X has {columns} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input"
        )


def check_unnamed(estimator: Any) -> None:
    """Warn if columns without names are matched by position although the model has names."""
    if hasattr(estimator, "feature_names_in_"):
        warnings.warn(
            f"X does not have valid feature names, but {type(estimator).__name__} was fitted with feature names",
            UserWarning,
            stacklevel=4,
        )


def set_names(estimator: Any, names: Any) -> None:
    """Set ``n_features_in_`` and, for columns that all have text for a name, ``feature_names_in_``."""
    estimator.n_features_in_ = len(names)
    if not isinstance(names, range) and all(isinstance(n, str) for n in names):
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def not_a_column(name: object, names: Any) -> DataError:
    return DataError(
        f"There is no column {name!r} to take the labels from", f"the columns are {quoted(list(names), most=10)}"
    )
